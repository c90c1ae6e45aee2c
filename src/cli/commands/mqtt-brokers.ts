/** Adds and changes brokers: their options, and the password, for which there is no option. */

import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Broker } from '../../contract/mqtt.ts';
import { type Cli, HOME_OPTION } from '../action.ts';
import { EXIT, usageError } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';
import { PASSWORD, stdinOption } from '../read-secret.ts';
import type { Terminal } from '../terminal.ts';
import { BROKER_ARGUMENT, brokerPath, findBroker, mqttPath } from './mqtt-find.ts';

interface BrokerOptions {
  readonly host?: string;
  readonly name?: string;
  readonly port?: number;
  readonly username?: string;
  readonly password?: true;
  readonly passwordStdin?: true;
  readonly tls?: boolean;
  readonly ca?: string;
  readonly topicPrefix?: string;
  readonly discovery?: boolean;
  readonly discoveryPrefix?: string;
}

export function addAdd(command: Command, cli: Cli): void {
  withSettings(command.command('add').description('add a broker and publish the home to it'))
    .argument('<name>')
    .argument('<host>', 'host name or address, without scheme and port')
    .option(...HOME_OPTION)
    .action(
      cli.run(async ({ api, output }, name: string, host: string, options: BrokerOptions & { home?: string }) => {
        const { id } = (await loadInventory(api)).home(options.home);
        // A user name usually comes with a password.
        const wantsPassword = options.username !== undefined && cli.terminal.canAsk;
        const password = await readPassword(cli.terminal, options, wantsPassword);
        const body = { name, host, ...settingsOf(options), password };
        const broker = await api.send<Broker>('POST', `${mqttPath(id)}/brokers`, body);
        output.result(broker, () => {
          output.line(`Added the broker ${broker.name} (${broker.id}).`);
          output.note(`Test it with: hearthd mqtt test ${broker.id}`);
        });
        return EXIT.ok;
      }),
    );
}

export function addUpdate(command: Command, cli: Cli): void {
  withSettings(command.command('update').description('change a broker'))
    .argument(...BROKER_ARGUMENT)
    .option('--name <name>', 'new name')
    .option('--host <host>', 'new host name or address')
    .option('--enable', 'enable the broker')
    .option('--disable', 'disable the broker')
    .action(
      cli.run(async ({ api, output }, text: string, options: BrokerOptions & { enable?: true; disable?: true }) => {
        if (options.enable && options.disable) throw usageError('Pass either --enable or --disable.');
        const { name, host } = options;
        const password = await readPassword(cli.terminal, options, options.password ?? false);
        const enabled = options.enable ? true : options.disable ? false : undefined;
        const changes = { name, host, ...settingsOf(options), password, enabled };
        if (Object.values(changes).every((value) => value === undefined)) {
          throw usageError('Pass at least one option. See hearthd mqtt update --help.');
        }
        const broker = await findBroker(api, text);
        const changed = await api.send<Broker>('PATCH', brokerPath(broker), changes);
        output.result(changed, () => output.line(`Updated the broker ${changed.name}.`));
        return EXIT.ok;
      }),
    );
}

function withSettings(command: Command): Command {
  const [stdinFlag, stdinMeaning] = stdinOption(PASSWORD);
  return command
    .option('--port <port>', 'port (default: 1883, with TLS 8883)', Number)
    .option('--username <name>', 'user name; "" for none')
    .option('--password', 'prompt for a password')
    .option(stdinFlag, stdinMeaning)
    .option('--tls', 'use TLS and verify the certificate of the broker')
    .option('--no-tls', 'do not use TLS')
    .option('--ca <file>', 'trusted certificates (PEM) instead of the default ones; "" for the default')
    .option('--topic-prefix <prefix>', 'prefix of all topics')
    .option('--discovery', 'publish discovery messages for Home Assistant')
    .option('--no-discovery', 'do not publish discovery messages')
    .option('--discovery-prefix <prefix>', 'discovery prefix of Home Assistant');
}

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
