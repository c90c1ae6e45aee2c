/**
 * The daemon is killed again and again in the middle of changes to everything that it keeps by itself: names, scenes,
 * groups, zones, virtual accessories. What it acknowledged is there after the next start; what it did not is there
 * whole or not at all.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkDatabase } from '../../src/storage/database.ts';
import { BuiltDaemon, type BuiltProgram, buildProgram } from '../support/built-daemon.ts';
import type { Answer } from '../support/e2e-relay.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

/** Chosen so that a run of all tests stays short; more of them with `npm run soak`. */
const ROUNDS = process.env.HEARTHD_SOAK ? 100 : 20;
/** From the start of the changes to the kill: long enough for some dozens of them. */
const KILL_WITHIN_MS = 150;

/** Something that holds one text, which writes replace one after the other. */
interface Register {
  readonly what: string;
  write(daemon: BuiltDaemon, text: string): Promise<Answer>;
  read(daemon: BuiltDaemon): Promise<unknown>;
  /** The last one that was acknowledged, and one that was on its way when the daemon died. */
  acknowledged: string;
  underway: string | undefined;
}

/** Scenes that are made and deleted in turns. */
interface Scenes {
  readonly present: Map<string, string>;
  readonly deleted: Set<string>;
  /** Asked for when the daemon died: either is right. */
  underway: string | undefined;
}

let program: BuiltProgram;
let directory: TempDirectory;

beforeAll(() => {
  program = buildProgram();
  directory = createTempDirectory('kill-writes');
});
afterAll(() => {
  directory.remove();
  program[Symbol.dispose]();
});

/** The next text of every register differs from all before. */
let count = 0;

async function ask(daemon: BuiltDaemon, method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await daemon.asSystem(method, path, body);
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200);
  return answer;
}

/** A thing whose name is the register. */
function named(what: string, path: string, id: string, list: string): Register {
  return {
    what,
    write: (daemon, name) => ask(daemon, 'PATCH', `${path}/${id}`, { name }),
    read: async (daemon) => {
      const { body } = await ask(daemon, 'GET', list);
      return body.find((item: { id: string }) => item.id === id)?.name;
    },
    acknowledged: '',
    underway: undefined,
  };
}

/** The value of a virtual accessory, written through one of the APIs. */
function value(what: string, id: string, write: (daemon: BuiltDaemon, text: string) => Promise<Answer>): Register {
  return {
    what,
    write,
    read: async (daemon) => {
      const { body } = await ask(daemon, 'GET', `/rest/accessories/${id}`);
      return String(body.services[0].characteristics[0].value);
    },
    acknowledged: '',
    underway: undefined,
  };
}

async function furnish(daemon: BuiltDaemon): Promise<readonly Register[]> {
  const [home] = (await ask(daemon, 'GET', '/rest/homes')).body;
  const homeId = home.id;
  const make = async (path: string, body: object): Promise<string> =>
    (await ask(daemon, 'POST', path, { homeId, ...body })).body.id;
  const room = await make('/rest/rooms', { name: 'Room 0' });
  const lever = await make('/rest/virtual-accessories', { name: 'Lever', type: 'input_boolean' });
  const text = await make('/rest/virtual-accessories', { name: 'Text', type: 'input_text' });
  const note = await make('/rest/virtual-accessories', { name: 'Note', type: 'input_text' });
  const counter = await make('/rest/virtual-accessories', { name: 'Counter', type: 'counter' });
  const scene = await make('/rest/scenes', {
    name: 'Scene 0',
    actions: [{ accessoryId: lever, characteristicType: 'on', targetValue: true }],
  });
  const zone = await make('/rest/zones', { name: 'Zone 0', roomIds: [room] });
  const group = await make('/rest/service-groups', { name: 'Group 0', accessoryIds: [lever] });
  return [
    named('home', '/rest/homes', homeId, '/rest/homes'),
    named('room', '/rest/rooms', room, `/rest/rooms?home=${homeId}`),
    named('scene', '/rest/scenes', scene, `/rest/scenes?home=${homeId}`),
    named('zone', '/rest/zones', zone, `/rest/zones?home=${homeId}`),
    named('group', '/rest/service-groups', group, `/rest/service-groups?home=${homeId}`),
    named('accessory', '/rest/accessories', lever, '/rest/accessories'),
    value('text by REST', text, (daemon, virtual_text) =>
      ask(daemon, 'POST', `/rest/virtual-accessories/${text}/operate`, { operation: 'set', value: virtual_text }),
    ),
    value('text by GraphQL', note, async (daemon, wanted) => {
      const query = `mutation { setCharacteristic(accessoryId: "${note}", characteristicType: "virtual_text", value: ${JSON.stringify(JSON.stringify(wanted))}) { success error } }`;
      const answer = await ask(daemon, 'POST', '/graphql', { query });
      expect(answer.body.data.setCharacteristic).toEqual({ success: true, error: null });
      return answer;
    }),
    // It counts: only its digits.
    value('counter', counter, (daemon, wanted) =>
      ask(daemon, 'POST', `/rest/virtual-accessories/${counter}/operate`, {
        operation: 'set',
        value: Number(wanted.replace(/\D/g, '')),
      }),
    ),
  ];
}

/** Writes until the daemon is gone. */
async function keepWriting(daemon: BuiltDaemon, register: Register): Promise<void> {
  while (daemon.isRunning) {
    count += 1;
    const text = register.what === 'counter' ? String(count) : `${register.what} ${count}`;
    register.underway = text;
    if (!(await survives(register.write(daemon, text)))) return;
    register.acknowledged = text;
    register.underway = undefined;
  }
}

interface Making {
  readonly scenes: Scenes;
  readonly homeId: string;
  readonly lever: string;
  onMade(): void;
}

async function keepMaking(daemon: BuiltDaemon, { scenes, homeId, lever, onMade }: Making): Promise<void> {
  while (daemon.isRunning) {
    const [oldest] = scenes.present.keys();
    if (oldest !== undefined && scenes.present.size > 5) {
      scenes.underway = oldest;
      if (!(await survives(ask(daemon, 'DELETE', `/rest/scenes/${scenes.present.get(oldest)}`)))) return;
      scenes.present.delete(oldest);
      scenes.deleted.add(oldest);
    } else {
      count += 1;
      const name = `Made ${count}`;
      scenes.underway = name;
      const actions = [{ accessoryId: lever, characteristicType: 'power_state', targetValue: count % 2 === 0 }];
      const made = ask(daemon, 'POST', '/rest/scenes', { homeId, name, actions });
      if (!(await survives(made))) return;
      scenes.present.set(name, (await made).body.id);
      onMade();
    }
    scenes.underway = undefined;
  }
}

/** Whether the daemon lived to answer. What it answers, it answers well. */
async function survives(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    // A socket that breaks in the middle is the kill; anything else is a wrong answer.
    if (error instanceof Error && error.name !== 'AssertionError') return false;
    throw error;
  }
}

async function checkScenes(daemon: BuiltDaemon, scenes: Scenes, homeId: string): Promise<void> {
  const { body } = await ask(daemon, 'GET', `/rest/scenes?home=${homeId}`);
  const there = new Map<string, { id: string; actions: unknown[] }>(
    body.filter(({ name }: { name: string }) => name.startsWith('Made ')).map((s: { name: string }) => [s.name, s]),
  );
  if (scenes.underway !== undefined) {
    const found = there.get(scenes.underway);
    if (found) scenes.present.set(scenes.underway, found.id);
    else scenes.present.delete(scenes.underway);
    scenes.underway = undefined;
  }
  expect([...there.keys()].sort()).toEqual([...scenes.present.keys()].sort());
  for (const scene of there.values()) expect(scene.actions).toHaveLength(1);
  for (const name of scenes.deleted) expect(there.has(name)).toBe(false);
}

it(`keeps every acknowledged change over ${ROUNDS} kills in the middle of writing, and its database sound`, {
  timeout: 600_000,
}, async () => {
  let daemon = await BuiltDaemon.start({ program, directory });
  let kills = 0;
  let acknowledged = 0;
  try {
    const registers = await furnish(daemon);
    const [home] = (await ask(daemon, 'GET', '/rest/homes')).body;
    const lever = (await ask(daemon, 'GET', '/rest/accessories?type=input_boolean')).body[0].id;
    const scenes: Scenes = { present: new Map(), deleted: new Set(), underway: undefined };
    for (const register of registers) register.acknowledged = String(await register.read(daemon));

    while (kills < ROUNDS) {
      const before = count;
      const writers = [...registers.map((register) => keepWriting(daemon, register))];
      let onMade = (): void => undefined;
      const made = new Promise<void>((resolve) => {
        onMade = resolve;
      });
      writers.push(keepMaking(daemon, { scenes, homeId: home.id, lever, onMade }));
      const all = Promise.all(writers);
      // Every other time something is there before it, however slow the machine is.
      if (kills % 2 === 1) await Promise.race([made, all]);
      await Promise.race([delay(Math.random() * KILL_WITHIN_MS), all]);
      expect(await daemon.end('SIGKILL')).toBe('SIGKILL');
      kills += 1;
      await all;
      acknowledged += count - before;
      expect(checkDatabase(`${daemon.dataDir}/relay.db`)).toBeUndefined();

      daemon = await BuiltDaemon.start({ program, directory });
      for (const register of registers) {
        const found = await register.read(daemon);
        const possible = [register.acknowledged, ...(register.underway === undefined ? [] : [register.underway])];
        expect(possible, `${register.what} after kill ${kills}`).toContain(found);
        register.acknowledged = String(found);
        register.underway = undefined;
      }
      await checkScenes(daemon, scenes, home.id);
    }
    expect(scenes.present.size).toBeGreaterThan(0);
    expect(acknowledged).toBeGreaterThan(ROUNDS);
    // A kill may come between the first answer of the daemon and the note of its start.
    const load = (await ask(daemon, 'GET', '/rest/relay/load')).body;
    expect(load.starts.length).toBeGreaterThan(1);
    expect(Date.parse(load.samples[0].at)).toBeLessThan(Date.parse(load.starts.at(-1).at));
  } finally {
    await daemon.end('SIGKILL');
  }
});
