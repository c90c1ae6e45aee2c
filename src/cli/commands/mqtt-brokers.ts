/** Adds and changes brokers: their options, and the password, for which there is no option. */
import { readFileSync } from 'node:fs';
import type { Broker } from '../../contract/mqtt.ts';
import { HOME_OPTION } from '../action.ts';
import { defineCommand, type Options } from '../define-command.ts';
import { requireChange, usageError } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';
import { PASSWORD, stdinOption } from '../read-secret.ts';
import type { Terminal } from '../terminal.ts';
import { BROKER, mqttPath } from './mqtt-find.ts';

/** The common options of `add` and `update`. */
const BROKER_OPTIONS = [
  ['--port <port>', 'port (default: 1883, with TLS 8883)', Number],
  ['--username <name>', 'user name; "" for none'],
  ['--password', 'prompt for a password'],
  stdinOption(PASSWORD),
  ['--tls', 'use TLS and verify the certificate of the broker'],
  ['--no-tls', 'do not use TLS'],
  ['--ca <file>', 'trusted certificates (PEM) instead of the default ones; "" for the default'],
  ['--topic-prefix <prefix>', 'prefix of all topics'],
  ['--discovery', 'publish discovery messages for Home Assistant'],
  ['--no-discovery', 'do not publish discovery messages'],
  ['--discovery-prefix <prefix>', 'discovery prefix of Home Assistant'],
] as const;

type BrokerOptions = Options<typeof BROKER_OPTIONS>;

export const addBroker = defineCommand({
  name: 'add',
  description: 'add a broker and publish the home to it',
  arguments: [['<name>'], ['<host>', 'host name or address, without scheme and port']],
  options: [...BROKER_OPTIONS, HOME_OPTION],
  async run({ api, output }, name, host, { home, ...options }) {
    const { id } = (await loadInventory(api)).home(home);
    // A user name usually comes with a password.
    const wantsPassword = options.username !== undefined && output.terminal.canAsk;
    const password = await readPassword(output.terminal, options, wantsPassword);
    const body = { name, host, ...settingsOf(options), password };
    const broker = await api.send<Broker>('POST', `${mqttPath(id)}/brokers`, body);
    output.result(broker, () => {
      output.line(`Added the broker ${broker.name} (${broker.id}).`);
      output.note(`Test it with: hearthd mqtt test ${broker.id}`);
    });
  },
});

export const updateBroker = defineCommand({
  name: 'update',
  description: 'change a broker',
  arguments: [BROKER.argument],
  options: [
    ...BROKER_OPTIONS,
    ['--name <name>', 'new name'],
    ['--host <host>', 'new host name or address'],
    ['--enable', 'enable the broker'],
    ['--disable', 'disable the broker'],
  ],
  async run({ api, output }, text, { name, host, enable, disable, ...options }) {
    if (enable && disable) throw usageError('Pass either --enable or --disable.');
    const password = await readPassword(output.terminal, options, options.password ?? false);
    const enabled = enable ? true : disable ? false : undefined;
    const help = ' See hearthd mqtt update --help.';
    const changes = requireChange({ name, host, ...settingsOf(options), password, enabled }, help);
    const path = BROKER.path(await BROKER.find(api, text));
    const changed = await api.send<Broker>('PATCH', path, changes);
    output.done(changed, `Updated the broker ${changed.name}.`);
  },
});

function settingsOf({ port, username, tls, ca, topicPrefix, discovery, discoveryPrefix }: BrokerOptions): object {
  return {
    port,
    username,
    useTls: tls,
    ca: ca === undefined || ca === '' ? ca : readPem(ca),
    topicPrefix,
    haDiscovery: discovery,
    haDiscoveryPrefix: discoveryPrefix,
  };
}

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw usageError(`Cannot read ${file}. Pass the path of a PEM file.`);
  }
}

/** An existing password of the broker: one prompt, any length. @returns `undefined` if none is given */
async function readPassword(
  terminal: Terminal,
  { passwordStdin, password }: BrokerOptions,
  ask: boolean,
): Promise<string | undefined> {
  if (passwordStdin) {
    const line = await terminal.readLine();
    if (line === undefined) throw usageError('stdin contains no password.');
    return line;
  }
  if (!ask && !password) return undefined;
  if (!terminal.canAsk) throw usageError(`This is not a terminal. Pass the password with ${stdinOption(PASSWORD)[0]}.`);
  const typed = await terminal.askSecret('Password of the broker; empty for none', () => undefined);
  if (typed === undefined) throw usageError('No password entered. Nothing changed.');
  return typed;
}
