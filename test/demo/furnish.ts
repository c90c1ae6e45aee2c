/**
 * Furnishes a home through the public API alone: lets the daemon find the home, pairs it and puts everything into
 * rooms.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '../../src/cli/api-client.ts';
import { slugKey } from '../../src/home/slug.ts';
import type { DemoHome, HomeAccessory } from '../support/accessories/demo-home.ts';
import { embellish } from './embellish.ts';
import { type SignedIn, signIn } from './sign-in.ts';

/** What of the API's answers is read here. */
interface Named {
  readonly id: string;
  readonly name: string;
}

interface PresentedAccessory extends Named {
  readonly deviceId: string;
  readonly aid: string;
  readonly roomId: string;
  readonly type: string;
}

interface Discovered {
  readonly deviceId: string;
  readonly pairedHere: boolean;
}

export interface Furnished {
  readonly token: string;
  /** Keys of home, room and accessory of a lamp, for GET and POST /rest/state. */
  readonly lampPath: readonly [home: string, room: string, accessory: string];
  readonly people: SignedIn;
}

export interface FurnishOptions {
  readonly api: ApiClient;
  readonly demoHome: DemoHome;
  readonly signal: AbortSignal;
  progress(line: string): void;
}

/** Each pairing keeps both ends busy with arithmetic: more at once only slows every one of them. */
const PARALLEL_PAIRINGS = 3;
const POLL_MS = 200;
const REFRESH_MS = 2_000;
const DISCOVERY_DEADLINE_MS = 60_000;
const READING_DEADLINE_MS = 30_000;
const LAMP = 'Reading Lamp';

/** @throws `Error` in words for people; the reason with which `signal` aborts. */
export async function furnish(options: FurnishOptions): Promise<Furnished> {
  const { api, progress } = options;
  const home = await firstHome(api);
  const rooms = await createRooms(options, home);
  progress('Looking for accessories over mDNS …');
  await pairAll(options, home);
  progress('Putting everything into its room …');
  const accessories = await placeAll(options, home, rooms);
  progress('Adding a group, a scene, virtual accessories and automations …');
  await embellish(api, home.id, accessories);
  const lamp = accessories.find(({ name }) => name.startsWith(LAMP));
  const room = [...rooms].find(([, id]) => id === lamp?.roomId);
  if (!lamp || !room) throw new Error(`the daemon lists no ${LAMP} in a room`);
  const { token } = await api.send<{ token: string }>('POST', '/rest/tokens', { name: 'Demo' });
  const people = await signIn(api, lamp.roomId);
  return { token, lampPath: [slugKey(home.name, home.id), slugKey(...room), slugKey(lamp.name, lamp.id)], people };
}

async function firstHome(api: ApiClient): Promise<Named> {
  const [home] = await api.get<Named[]>('/rest/homes');
  return home ?? (await api.send<Named>('POST', '/rest/homes', { name: 'Home' }));
}

/** @returns room ids by name. */
async function createRooms({ api, demoHome: inventory }: FurnishOptions, home: Named): Promise<Map<string, string>> {
  const existing = await api.get<Named[]>('/rest/rooms', { home: home.id });
  const rooms = new Map(existing.map(({ name, id }) => [name, id]));
  const wanted = inventory.accessories.flatMap(({ room, children }) => [room, ...children.map((child) => child.room)]);
  for (const name of new Set(wanted)) {
    if (rooms.has(name)) continue;
    const { id } = await api.send<Named>('POST', '/rest/rooms', { homeId: home.id, name });
    rooms.set(name, id);
  }
  return rooms;
}

async function pairAll(options: FurnishOptions, home: Named): Promise<void> {
  const { demoHome: inventory } = options;
  const waiting = new Map(inventory.accessories.map((accessory) => [accessory.deviceId, accessory]));
  let done = 0;
  const take = async (): Promise<void> => {
    for (let next = await takeDiscovered(options, waiting); next; next = await takeDiscovered(options, waiting)) {
      await pair(options, home, next);
      done += 1;
      options.progress(`Paired ${next.name} (${done} of ${inventory.accessories.length})`);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_PAIRINGS }, take));
}

/**
 * The next accessory that the daemon sees and that is not paired, taken off the list; `undefined` when none is left.
 */
async function takeDiscovered(
  { api, signal }: FurnishOptions,
  waiting: Map<string, HomeAccessory>,
): Promise<HomeAccessory | undefined> {
  const startedAt = performance.now();
  let refreshedAt = startedAt;
  while (waiting.size > 0) {
    for (const { deviceId, pairedHere } of await api.get<Discovered[]>('/rest/discovered')) {
      const accessory = waiting.get(deviceId);
      if (accessory) waiting.delete(deviceId);
      if (accessory && !pairedHere) return accessory;
    }
    const now = performance.now();
    if (now - startedAt > DISCOVERY_DEADLINE_MS) {
      throw new Error(
        `the daemon does not see ${[...waiting.values()].map(({ name }) => name).join(', ')} on loopback`,
      );
    }
    if (now - refreshedAt > REFRESH_MS) {
      refreshedAt = now;
      await api.send('POST', '/rest/discovered/refresh');
    }
    await delay(POLL_MS, undefined, { signal });
  }
  return undefined;
}

async function pair({ api, signal }: FurnishOptions, home: Named, { name, deviceId, setupCode }: HomeAccessory) {
  signal.throwIfAborted();
  try {
    await api.send('POST', '/rest/pairings', { device: deviceId, homeId: home.id, setupCode });
  } catch (error) {
    throw new Error(`${name} could not be paired: ${(error as Error).message}`, { cause: error });
  }
}

/** Moves every accessory to the room that the home suggests, once it is there. */
async function placeAll(options: FurnishOptions, home: Named, rooms: ReadonlyMap<string, string>) {
  const { api, demoHome: inventory } = options;
  const roomNames = new Map<string, string>(
    inventory.accessories.flatMap(({ deviceId, room, children }) => [
      [`${deviceId}/1`, room] as const,
      ...children.map((child) => [`${deviceId}/${child.accessory.aid}`, child.room] as const),
    ]),
  );
  const placed: PresentedAccessory[] = [];
  for (const accessory of await allDescribed(options, home, roomNames)) {
    const roomId = rooms.get(roomNames.get(addressOf(accessory)) ?? '');
    if (roomId === undefined || roomId === accessory.roomId) placed.push(accessory);
    else placed.push(await api.send<PresentedAccessory>('PATCH', `/rest/accessories/${accessory.id}`, { roomId }));
  }
  return placed;
}

/** Waits until the daemon lists every accessory of the home, children of the bridge included. */
async function allDescribed(
  { api, signal }: FurnishOptions,
  home: Named,
  expected: ReadonlyMap<string, string>,
): Promise<readonly PresentedAccessory[]> {
  const deadline = performance.now() + READING_DEADLINE_MS;
  while (true) {
    const accessories = await api.get<PresentedAccessory[]>('/rest/accessories', { home: home.id });
    const found = new Set(accessories.map(addressOf));
    if ([...expected.keys()].every((address) => found.has(address))) return accessories;
    if (performance.now() > deadline) throw new Error(`only ${found.size} of ${expected.size} accessories were read`);
    await delay(POLL_MS, undefined, { signal });
  }
}

function addressOf({ deviceId, aid }: PresentedAccessory): string {
  return `${deviceId}/${aid}`;
}
