import type { Accessory } from '../../contract/accessories.ts';
import type { DiscoveredDevice, Pairing } from '../../contract/pairings.ts';
import type { ApiClient } from '../api-client.ts';
import { apiError } from '../api-client.ts';
import { defineCommand } from '../define-command.ts';
import { CliError, EXIT, usageError } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';
import type { CommandOutput } from '../output.ts';
import { didYouMean } from '../suggestions.ts';
import type { Terminal } from '../terminal.ts';

interface PairOptions {
  readonly code?: string;
  readonly home?: string;
  readonly room?: string;
  readonly name?: string;
}

/** The steps of a pairing, as shown to the user (home/pairing-driver.ts). */
const STEPS: Readonly<Record<string, string>> = {
  connecting: 'Connecting to the accessory',
  exchanging: 'Exchanging keys (a slow accessory takes up to half a minute)',
  proving: 'Proving the setup code',
  saving: 'Saving the keys',
  verifying: 'Verifying the connection',
  reading: 'Reading what the accessory offers',
  done: 'Paired',
};

const FROM_STDIN = '-';

/** `hearthd pair <device>`: pairs one accessory server, and puts its accessories into a room. */
export const pairCommand = defineCommand({
  name: 'pair',
  description: 'pair an accessory',
  arguments: [['<device>', 'device id or name from hearthd discover, or host:port']],
  options: [
    ['--code <code>', 'setup code (031-45-154) or X-HM:// text; - reads it from stdin (default: prompt)'],
    ['--home <home>', 'home for the accessory (required if there are several)'],
    ['--room <room>', 'room for the accessory; created if it does not exist'],
    ['--name <name>', 'name for the accessory'],
  ],
  notes: [
    'Other users of this computer can see a --code while the command runs.',
    'Omit it to type the code, or pass it on stdin.',
  ],
  examples: [
    'hearthd pair AA:BB:CC:DD:EE:FF --room "Living Room"',
    'hearthd pair "Hue Bridge" --code 031-45-154',
    'echo 031-45-154 | hearthd pair AA:BB:CC:DD:EE:FF --code -',
  ],
  async run({ api, output }, text, options) {
    const inventory = await loadInventory(api);
    const home = inventory.home(options.home);
    const device = await findDevice(api, text);
    const setupCode = await setupCodeFrom(options.code, output.terminal);
    const pairing = await pair(api, { device, homeId: home.id, setupCode }, output);
    await placeOrExplain(api, pairing, options, output);
    output.done(pairing, `Paired ${pairing.name} (${pairing.deviceId}) in ${home.name}.`);
  },
});

/** A device id or `host:port` stays unchanged; a name is looked up. */
async function findDevice(api: ApiClient, text: string): Promise<string> {
  const wanted = text.trim().toLowerCase();
  const devices = await api.get<DiscoveredDevice[]>('/rest/discovered');
  const matches = devices.filter(
    ({ name, deviceId }) => deviceId.toLowerCase() === wanted || name.trim().toLowerCase() === wanted,
  );
  const [match, ...others] = matches;
  if (match && others.length > 0 && match.deviceId.toLowerCase() !== wanted) {
    const ids = matches.map(({ deviceId, model }) => `  ${deviceId}   (${model})`);
    throw usageError([`"${text}" matches more than one accessory. Use one of:`, ...ids].join('\n'));
  }
  if (match) return match.deviceId;
  if (/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(text) || /:\d+$/.test(text)) return text;
  const names = devices.map(({ name }) => name);
  const help = didYouMean(text, names, ' List accessories with hearthd discover.');
  throw new CliError(EXIT.notFound, 'not_found', `No accessory "${text}" on the network.${help}`);
}

async function setupCodeFrom(given: string | undefined, terminal: Terminal): Promise<string> {
  if (given === undefined && !terminal.canAsk) {
    throw usageError('No setup code. Pass --code 031-45-154, or --code - and the code on stdin.');
  }
  const code = await readCode(given, terminal);
  if (!code?.trim()) throw usageError('No setup code entered. Nothing paired.');
  const fault = codeFault(code);
  if (fault) throw usageError(`This is not a setup code. ${fault}.`);
  return code.trim();
}

function readCode(given: string | undefined, terminal: Terminal): Promise<string | undefined> {
  if (given === FROM_STDIN) return terminal.readLine();
  return given === undefined ? terminal.askSecret('Setup code', codeFault) : Promise.resolve(given);
}

/** Checks only the form: the daemon checks the codes that the specification forbids. */
function codeFault(text: string): string | undefined {
  const looksRight = /^\d{3}-?\d{2}-?\d{3}$/.test(text.trim()) || /^X-HM:\/\//i.test(text.trim());
  return looksRight ? undefined : 'Eight digits from the label of the accessory: 031-45-154';
}

async function pair(
  api: ApiClient,
  request: { device: string; homeId: string; setupCode: string },
  output: CommandOutput,
): Promise<Pairing> {
  let pairing: Pairing | undefined;
  await api.stream('POST', '/rest/pairings', request, (line) => {
    const message = line as { step?: string; pairing?: Pairing; error?: string; code?: string };
    if (message.error !== undefined) throw apiError(0, message);
    if (message.step !== undefined) output.note(`• ${STEPS[message.step] ?? message.step}`);
    pairing = message.pairing ?? pairing;
  });
  if (pairing) return pairing;
  throw new CliError(
    EXIT.pairing,
    'pairing_failed',
    'The daemon stopped during the pairing. Check the result with hearthd pairings.',
  );
}

/** The pairing stays valid, even if setting the room and name fails. */
async function placeOrExplain(
  api: ApiClient,
  pairing: Pairing,
  options: PairOptions,
  output: CommandOutput,
): Promise<void> {
  try {
    await place(api, pairing, options, output);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw new CliError(
      error.exitCode,
      error.code,
      `Paired ${pairing.name}, but could not set its room or name: ${error.message}`,
    );
  }
}

/** Moves the device's accessories into the room, and renames a single accessory. */
async function place(
  api: ApiClient,
  { homeId, deviceId }: Pairing,
  { room, name }: PairOptions,
  output: CommandOutput,
): Promise<void> {
  if (room === undefined && name === undefined) return;
  const accessories = await api.get<Accessory[]>('/rest/accessories', { home: homeId });
  const added = accessories.filter((accessory) => accessory.deviceId === deviceId);
  const roomId = room === undefined ? undefined : await roomIdFor(api, homeId, room);
  const [only, ...others] = added;
  if (name !== undefined && others.length > 0) {
    output.note(
      `--name was not applied, because the device has ${added.length} accessories. Use hearthd accessory rename.`,
    );
  }
  const newName = name !== undefined && only && others.length === 0 ? name : undefined;
  for (const { id } of added) await api.send('PATCH', `/rest/accessories/${id}`, { roomId, name: newName });
}

async function roomIdFor(api: ApiClient, homeId: string, text: string): Promise<string> {
  const inventory = await loadInventory(api);
  try {
    return inventory.room(text, inventory.home(homeId)).id;
  } catch (error) {
    if (!(error instanceof CliError) || error.exitCode !== EXIT.notFound) throw error;
    return (await api.send<{ id: string }>('POST', '/rest/rooms', { homeId, name: text })).id;
  }
}
