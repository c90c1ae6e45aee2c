/**
 * The daemon is killed again and again while it publishes: at each step of pairing a controller, while accessories come
 * and go and a bridge splits, during renames, changes of the selection, resets, and starts. Controllers find everything
 * as they left it: ids, keys, and a configuration number that rose only for what changed.
 */
import { mkdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkDatabase } from '../../src/storage/database.ts';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { informationService, lampAccessory } from '../support/accessories/sample-databases.ts';
import { BuiltDaemon, type BuiltProgram, buildProgram } from '../support/built-daemon.ts';
import { eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import {
  type Ask,
  interceptPairing,
  type PairingData,
  type PairingMoment,
  pairWith,
  readBridge,
  type SeenDatabase,
  type ShownBridge,
} from './publishing-fixture.ts';

const ROUNDS = Number(process.env.HEARTHD_KILL_ROUNDS ?? (process.env.HEARTHD_SOAK ? 1_000 : 12));
/** Some changes, or most of a start. */
const KILL_WITHIN_MS = 600;
/** Two switches more, and a second bridge opens. */
const LAMPS = 148;
const MOMENTS = [1, 2, 3].flatMap((step) =>
  (['asked', 'answered'] as const).map((when) => ({ step, when }) as PairingMoment),
);

/** A bridge, and what a controller knows of it. */
interface KnownBridge {
  readonly deviceId: string;
  readonly setupCode: string;
  readonly pairing: PairingData;
  database: SeenDatabase;
  configNumber: number;
}

/** The publication that is created, paired, reset and deleted in turns. */
interface Side {
  /** What the last acknowledged step left; `undefined` if it is deleted. */
  deviceId: string | undefined;
  pairing: PairingData | undefined;
  turns: number;
  /** The step on its way when the daemon died. */
  underway: 'create' | 'pair' | 'unpair' | 'reset' | 'delete' | undefined;
}

let program: BuiltProgram;
let directory: TempDirectory;
let lamps: RawAccessory;
let count = 0;

beforeAll(async () => {
  program = buildProgram();
  directory = createTempDirectory('publishing-kill');
  const children = Array.from({ length: LAMPS }, (_, index) => lampAccessory(`Lamp ${index + 1}`, index + 2));
  const database = [{ aid: 1, services: [informationService('Lamps', 'B-1', 'Bridge')] }, ...children];
  lamps = await startRawAccessory({ database, name: 'Lamps', paired: [KNOWN_CONTROLLER], mdns: false });
  mkdirSync(directory.file('data'), { mode: 0o700 });
  sharePairings({ ...directory, file: (...names) => directory.file('data', ...names) }, [lamps]);
});

afterAll(async () => {
  await lamps.stop();
  directory.remove();
  program[Symbol.dispose]();
});

function asker(daemon: BuiltDaemon): Ask {
  return async (method, path, body) => {
    const answer = await daemon.asSystem(method, path, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200);
    return answer;
  };
}

async function publicationNamed(ask: Ask, start: string) {
  const { body } = await ask('GET', '/rest/publications');
  return body.find(({ name }: { name: string }) => name.startsWith(start));
}

/** Whether the daemon lived to answer. What it answers, it answers well. */
async function survives(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    if (error instanceof Error && error.name !== 'AssertionError') return false;
    throw error;
  }
}

/** What may change what is published: `changes` counts the requests. */
class HomeChanges {
  changes = 0;
  readonly #switches: string[] = [];

  async run(daemon: BuiltDaemon): Promise<void> {
    const ask = asker(daemon);
    const found = await publicationNamed(ask, 'Hearth').catch(() => undefined);
    for (let turn = count; found && daemon.isRunning; turn += 1) {
      this.changes += 1;
      if (!(await survives(this.#change(ask, found, turn)))) return;
    }
  }

  async #change(ask: Ask, { id, homeId }: { id: string; homeId: string }, turn: number): Promise<void> {
    count += 1;
    if (turn % 4 === 0) {
      const body = { homeId, name: `Switch ${count}`, type: 'input_boolean' };
      this.#switches.push((await ask('POST', '/rest/virtual-accessories', body)).body.id);
    } else if (turn % 4 === 1) {
      const { body } = await ask('GET', '/rest/accessories');
      const except = body.filter((_: unknown, index: number) => index % 50 === count % 50);
      const selection = { scope: 'home', exceptIds: except.map((one: { id: string }) => one.id) };
      await ask('PATCH', `/rest/publications/${id}`, { selection });
    } else if (turn % 4 === 2) {
      const switched = this.#switches.length > 6 ? this.#switches.shift() : undefined;
      if (switched) await ask('DELETE', `/rest/virtual-accessories/${switched}`);
    } else await ask('PATCH', `/rest/publications/${id}`, { name: `Hearth ${count}` });
  }
}

/** One step of the side's life, through its end or that of the daemon. */
async function changeSide(daemon: BuiltDaemon, side: Side, moment: PairingMoment | undefined): Promise<void> {
  const ask = asker(daemon);
  let shown = await publicationNamed(ask, 'Side');
  if (!shown) {
    side.underway = 'create';
    const selection = { scope: 'selected', types: ['light'] };
    shown = (await ask('POST', '/rest/publications', { name: 'Side', kind: 'homekit', selection })).body;
    side.deviceId = shown.bridges[0].deviceId;
  } else if (shown.bridges[0].controllers > 0) {
    side.turns += 1;
    side.underway = moment ? 'unpair' : (['unpair', 'reset', 'delete'] as const)[side.turns % 3];
    await endPairing(ask, side, shown);
  }
  side.underway = undefined;
  shown = await publicationNamed(ask, 'Side');
  if (!shown) return;
  side.underway = 'pair';
  const intercepted = moment && (await interceptPairing(shown.bridges[0].port, moment, () => daemon.signal('SIGKILL')));
  try {
    // hap-controller waits for ever for the answer of a bridge that is gone.
    const ended = daemon.ended.then(() => Promise.reject(new Error('The daemon ended')));
    side.pairing = await Promise.race([pairWith(shown.bridges[0], intercepted?.port), ended]);
    side.underway = undefined;
  } finally {
    intercepted?.[Symbol.dispose]();
  }
}

async function endPairing(ask: Ask, side: Side, { id }: { id: string }): Promise<void> {
  const path = `/rest/publications/${id}`;
  const before = side.deviceId;
  if (side.underway === 'unpair') {
    const { body } = await ask('GET', `${path}/controllers`);
    await ask('DELETE', `${path}/controllers/${encodeURIComponent(body[0].identifier)}`);
  } else if (side.underway === 'reset') {
    side.deviceId = (await ask('POST', `${path}/reset`)).body.bridges[0].deviceId;
  } else {
    await ask('DELETE', path);
    side.deviceId = undefined;
  }
  side.pairing = undefined;
  if (before !== undefined && side.deviceId !== before) past.add(before);
}

/** Every device id that was ever given up. */
const past = new Set<string>();

async function checkSide(ask: Ask, side: Side): Promise<void> {
  const bridge: ShownBridge | undefined = (await publicationNamed(ask, 'Side'))?.bridges[0];
  const { underway } = side;
  if (!bridge) {
    expect(side.deviceId === undefined || underway === 'delete').toBe(true);
    side.pairing = undefined;
  } else {
    const isOther = bridge.deviceId !== side.deviceId;
    if (isOther)
      expect(underway === 'create' || underway === 'reset', `another device id after ${underway}`).toBe(true);
    expect(past).not.toContain(bridge.deviceId);
    if (isOther && side.deviceId !== undefined) past.add(side.deviceId);
    const isKept = side.pairing !== undefined && !isOther && (underway !== 'unpair' || bridge.controllers > 0);
    if (isKept && side.pairing) await readBridge(bridge, side.pairing);
    else {
      side.pairing = undefined;
      // The bridge stores a controller before it has the answer: an admin removes the one that never learned of it.
      if (bridge.controllers > 0) {
        expect(underway).toBe('pair');
        const { id } = await publicationNamed(ask, 'Side');
        const { body } = await ask('GET', `/rest/publications/${id}/controllers`);
        await ask('DELETE', `/rest/publications/${id}/controllers/${encodeURIComponent(body[0].identifier)}`);
      }
    }
  }
  if (!bridge && side.deviceId !== undefined) past.add(side.deviceId);
  side.deviceId = bridge?.deviceId;
  side.underway = undefined;
}

/** Reads all bridges of the home as their controllers do, and compares them with what these knew. */
async function checkHome(ask: Ask, known: Map<string, KnownBridge>, changes: number): Promise<void> {
  const publication = await eventually(async () => {
    const shown = await publicationNamed(ask, 'Hearth');
    return shown.status === 'open' && shown;
  }, 'the bridges to open');
  const bridges: readonly ShownBridge[] = publication.bridges;
  expect(new Set(bridges.map(({ deviceId }) => deviceId)).size).toBe(bridges.length);
  for (const deviceId of known.keys()) expect(bridges.map((bridge) => bridge.deviceId)).toContain(deviceId);
  const everything: string[] = [];
  for (const bridge of bridges) {
    const before = known.get(bridge.deviceId);
    const pairing = before?.pairing ?? (await pairWith(bridge));
    const database = await readBridge(bridge, pairing);
    if (before) compare(before, bridge, database, changes);
    const { deviceId, setupCode, configNumber } = bridge;
    known.set(deviceId, { deviceId, setupCode, pairing, database, configNumber });
    everything.push(...database.accessories.filter(({ aid }) => aid !== 1).map(({ serial }) => serial));
  }
  const { body } = await ask('GET', '/rest/accessories');
  const { exceptIds } = publication.selection;
  const published = body.filter((one: { id: string }) => !exceptIds.includes(one.id)).flatMap(serialOf);
  expect(everything.sort(), 'none lost, none twice').toEqual(published.sort());
}

/** `[]` for what HomeKit has nothing for. */
function serialOf({ id, name }: { id: string; name: string }): readonly string[] {
  if (name === 'Lamps') return [];
  return [name.startsWith('Switch') ? id : `L-${Number(name.slice('Lamp '.length)) + 1}`];
}

/** Aid and iids of everything that was ever published. */
const everSeen = new Map<string, string>();

function compare(before: KnownBridge, bridge: ShownBridge, database: SeenDatabase, changes: number): void {
  expect(bridge.setupCode).toBe(before.setupCode);
  const aids = database.accessories.map(({ aid }) => aid);
  expect(new Set(aids).size).toBe(aids.length);
  for (const { serial, aid, ids } of database.accessories) {
    const seen = `${bridge.deviceId} ${aid}: ${ids}`;
    expect(everSeen.get(serial) ?? seen).toBe(seen);
    everSeen.set(serial, seen);
  }
  const rise = bridge.configNumber - before.configNumber;
  if (database.shape !== before.database.shape) expect(rise, 'something changed').toBeGreaterThan(0);
  else if (changes === 0) expect(rise, 'nothing changed').toBe(0);
  expect(rise).toBeGreaterThanOrEqual(0);
  expect(rise, `after ${changes} changes`).toBeLessThanOrEqual(changes);
}

it(`keeps ids, keys, controllers and configuration numbers over ${ROUNDS} kills`, {
  timeout: 60_000 + ROUNDS * 15_000,
}, async () => {
  let daemon = await BuiltDaemon.start({ program, directory });
  const known = new Map<string, KnownBridge>();
  const side: Side = { deviceId: undefined, pairing: undefined, turns: 0, underway: undefined };
  const home = new HomeChanges();
  try {
    const first = asker(daemon);
    await eventually(async () => (await first('GET', '/rest/accessories')).body.length >= LAMPS, 'the lamps');
    await first('POST', '/rest/publications', { name: 'Hearth', kind: 'homekit' });
    await checkHome(asker(daemon), known, 0);
    for (let round = 0; round < ROUNDS; round += 1) {
      home.changes = 0;
      const moment = round % 6 === 1 ? MOMENTS[Math.floor(round / 6) % MOMENTS.length] : undefined;
      const sideStep = survives(changeSide(daemon, side, moment));
      const work = [sideStep, ...(round % 4 === 3 ? [] : [home.run(daemon)])];
      // At a moment of pairing, when a step of the side is done, or at any time.
      await (round % 3 === 0 ? delay(Math.random() * KILL_WITHIN_MS) : Promise.race([sideStep, daemon.ended]));
      expect(await daemon.end('SIGKILL')).toBe('SIGKILL');
      await Promise.all(work);
      expect(checkDatabase(`${daemon.dataDir}/relay.db`)).toBeUndefined();
      if (round % 6 === 5) {
        daemon = new BuiltDaemon({ program, directory });
        await delay(Math.random() * 2 * KILL_WITHIN_MS);
        expect(await daemon.end('SIGKILL')).toBe('SIGKILL');
      }
      daemon = await BuiltDaemon.start({ program, directory });
      await checkHome(asker(daemon), known, home.changes);
      await checkSide(asker(daemon), side);
    }
    expect(known.size, 'it was split').toBeGreaterThan(1);
    expect(past.size, 'it was reset').toBeGreaterThan(0);
    expect(await daemon.end()).toBe(0);
  } finally {
    await daemon.end('SIGKILL');
  }
});
