/**
 * The daemon is killed again and again while it pairs, unpairs, writes and is configured. What it acknowledged is never
 * lost.
 */
import { mkdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PairingCopy } from '../../src/drivers/hap/pairing/pairing-copy.ts';
import { checkDatabase, openDatabase } from '../../src/storage/database.ts';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import type { RawSession } from '../support/accessories/raw-session.ts';
import { encodeReply, type RawRequest } from '../support/accessories/raw-wire.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { BuiltDaemon, type BuiltProgram, buildProgram } from '../support/built-daemon.ts';
import { type Answer, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { registerAccessory, typeOf } from './chaos-fixture.ts';

const ROUNDS = Number(process.env.HEARTHD_KILL_ROUNDS ?? 20);
const STEP_MS = 40;
/** A pairing takes some 500 ms; the kill comes anywhere within this, or soon after. */
const KILL_WITHIN_MS = 800;

/** What was acknowledged so far, and must be there for ever. */
interface Acknowledged {
  readonly tokens: string[];
  name: string;
  /** Values in the order of the commands; those of one round may overlap. */
  readonly writes: number[];
}

let program: BuiltProgram;
let directory: TempDirectory;
let lamp: RawAccessory;
/** Paired and unpaired in turns. */
let candidate: RawAccessory;

beforeAll(async () => {
  program = buildProgram();
  directory = createTempDirectory('kill');
  [lamp, candidate] = await Promise.all([
    startRawAccessory({ database: [registerAccessory('Lamp')], name: 'Lamp', paired: [KNOWN_CONTROLLER], mdns: false }),
    startRawAccessory({ database: [lampAccessory('Candidate')], name: 'Candidate', mdns: false, takeOver: pairSlowly }),
  ]);
  mkdirSync(directory.file('data'), { mode: 0o700 });
  sharePairings({ ...directory, file: (...names) => directory.file('data', ...names) }, [lamp]);
});

afterAll(async () => {
  await Promise.all([lamp.stop(), candidate.stop()]);
  directory.remove();
  program[Symbol.dispose]();
});

/** Each step takes a while before and after it is carried out, so that kills find every moment. */
function pairSlowly({ path, body }: RawRequest, session: RawSession): Promise<void> | undefined {
  if (path !== '/pair-setup') return undefined;
  const answer = async (): Promise<void> => {
    await delay(STEP_MS);
    const step = await session.talk.setup(body);
    await delay(STEP_MS);
    if (typeof step === 'string') throw new Error('The candidate does not stumble');
    await session.send(encodeReply({ status: 200, contentType: 'application/pairing+tlv8', body: step }));
  };
  return answer();
}

it(
  'keeps pairings, tokens, names and a sound database, and never leaves an unusable pairing',
  async () => {
    const acknowledged: Acknowledged = { tokens: [], name: 'Lamp', writes: [] };
    const ways = new Map<string, number>();
    for (let round = 1; round <= ROUNDS; round += 1) {
      const daemon = await BuiltDaemon.start({ program, directory });
      await checkWhatIsKept(daemon, acknowledged);
      const found = (await pairingOf(daemon, candidate))?.status ?? 'none';
      ways.set(found, (ways.get(found) ?? 0) + 1);
      const work = [
        pairOrUnpair(daemon),
        write(daemon, acknowledged, round),
        configure(daemon, acknowledged, round),
      ].map((one) => one.catch(() => {}));
      await delay(Math.random() * KILL_WITHIN_MS);
      expect(await daemon.end('SIGKILL')).toBe('SIGKILL');
      await Promise.all(work);
      checkFiles();
    }
    await using last = await BuiltDaemon.start({ program, directory });
    await checkWhatIsKept(last, acknowledged);
    await eventually(async () => (await pairOrUnpair(last)) === 'connected', 'the candidate to be paired in the end');
    expect(candidate.pairing.controllers.size).toBe(1);
    expect(await last.end()).toBe(0);
    if (process.env.HEARTHD_KILL_ROUNDS)
      process.stderr.write(
        `${JSON.stringify([...ways])} ${acknowledged.tokens.length} ${acknowledged.writes.length}\n`,
      );
    expect(ways.size, 'the kills came at different moments').toBeGreaterThan(1);
  },
  60_000 + ROUNDS * 6_000,
);

async function pairingOf(daemon: BuiltDaemon, { deviceId, port }: RawAccessory): Promise<Answer['body']> {
  const { body } = await daemon.asSystem('GET', '/rest/pairings');
  // Until the device has proved its id, its pairing goes by where it was found.
  return body.find((one: Answer['body']) => [deviceId, `127.0.0.1:${port}`].includes(one.deviceId.toUpperCase()));
}

async function checkWhatIsKept(daemon: BuiltDaemon, { tokens, name, writes }: Acknowledged): Promise<void> {
  for (const token of tokens) {
    const answer = await fetch(`${daemon.url}/rest/homes`, { headers: { Authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
  }
  await eventually(async () => (await pairingOf(daemon, lamp))?.status === 'connected', 'the lamp to be connected');
  const { body } = await daemon.asSystem('GET', '/rest/accessories');
  const shown = body.find((one: Answer['body']) => one.deviceId === lamp.deviceId);
  // One more may have been carried out without being acknowledged.
  expect(shown.name >= name, `${shown.name} is not older than ${name}`).toBe(true);
  const carriedOut = lamp.writes.map(({ value }) => value);
  expect(carriedOut).toEqual(expect.arrayContaining(writes));
  expect(new Set(carriedOut).size, 'no command was carried out twice').toBe(carriedOut.length);
  if (candidate.pairing.controllers.size > 0) {
    expect(await pairingOf(daemon, candidate), 'the keys of a device that holds a pairing').toBeDefined();
  }
}

/** Pairs what is not paired well, and unpairs what is. @returns its status in the end */
async function pairOrUnpair(daemon: BuiltDaemon): Promise<string> {
  const known = await pairingOf(daemon, candidate);
  if (known !== undefined && known.status !== 'pairing_incomplete') {
    await daemon.asSystem('DELETE', `/rest/pairings/${encodeURIComponent(known.deviceId)}`);
  }
  const request = { device: `127.0.0.1:${candidate.port}`, setupCode: candidate.setupCode };
  return (await daemon.asSystem('POST', '/rest/pairings', request)).body.status;
}

/** Values that are used once. */
async function write(daemon: BuiltDaemon, { writes }: Acknowledged, round: number): Promise<void> {
  for (let nth = 0; nth < 10; nth += 1) {
    const value = (round - 1) * 10 + nth + 1;
    const flat = { home: 'Test Home', room: 'Default Room', accessory: await nameOf(daemon), [typeOf(20)]: value };
    const { body } = await daemon.asSystem('POST', '/rest/state', flat);
    if (body.updated === 1) writes.push(value);
  }
}

async function nameOf(daemon: BuiltDaemon): Promise<string> {
  const { body } = await daemon.asSystem('GET', '/rest/accessories');
  return body.find((one: Answer['body']) => one.deviceId === lamp.deviceId).name;
}

/** Names rise with the alphabet, so that the later one of two is known. */
async function configure(daemon: BuiltDaemon, acknowledged: Acknowledged, round: number): Promise<void> {
  const { body } = await daemon.asSystem('GET', '/rest/accessories');
  const { id } = body.find((one: Answer['body']) => one.deviceId === lamp.deviceId);
  for (let nth = 0; nth < 20; nth += 1) {
    const { body: token } = await daemon.asSystem('POST', '/rest/tokens', { name: `round ${round}` });
    acknowledged.tokens.push(token.token);
    const name = `Lamp ${String(round * 100 + nth).padStart(6, '0')}`;
    const renamed = await daemon.asSystem('PATCH', `/rest/accessories/${id}`, { name });
    if (renamed.status === 200) acknowledged.name = name;
    await delay(20);
  }
}

/** As they lie on the disk after a kill. */
function checkFiles(): void {
  const path = directory.file('data', 'relay.db');
  expect(checkDatabase(path)).toBeUndefined();
  const copy = new PairingCopy(directory.file('data', 'pairings.json')).read();
  expect(copy.kind).toBe('read');
  if (copy.kind !== 'read') return;
  const database = openDatabase(path);
  const rows = database
    .prepare<[], { device_id: string; state: string }>('SELECT device_id, state FROM pairings')
    .all();
  const generation = database
    .prepare<[], { value: string }>("SELECT value FROM settings WHERE key = 'pairings.generation'")
    .get();
  database.close();
  // The database is written first: the copy is as it is, or one step behind.
  const behind = Number(generation?.value) - copy.snapshot.generation;
  expect(behind).toBeGreaterThanOrEqual(0);
  expect(behind).toBeLessThanOrEqual(1);
  if (behind > 0) return;
  const pairings = copy.snapshot.pairings.map(({ keys, state }) => ({ device_id: keys.deviceId, state }));
  const byId = (a: { device_id: string }, b: { device_id: string }): number => (a.device_id < b.device_id ? -1 : 1);
  expect(pairings.sort(byId)).toEqual([...rows].sort(byId));
}
