/** Bad input at the command line, and names that are odd and names all the same. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../cli/running-daemon.ts';
import type { E2eRelay } from '../support/e2e-relay.ts';
import { ask, type Furnished, graphql, INSIDES, startFurnished, wholeState } from './home-fixture.ts';

let relay: E2eRelay;
let inventory: Furnished;

beforeAll(async () => {
  ({ relay, demoHome: inventory } = await startFurnished());
});
afterAll(() => relay[Symbol.asyncDispose]());

const action = (more: object = {}) => ({
  accessoryId: inventory.lever,
  characteristicType: 'on',
  targetValue: true,
  ...more,
});

const CREATE_SCENE =
  'mutation($h: String!, $n: String!, $a: JSON!) { createScene(homeId: $h, name: $n, actions: $a) { id } }';

describe('bad input at the command line', () => {
  it('is reported in one line on the error output, with an exit code, and changes nothing', async () => {
    const before = JSON.stringify(await wholeState(relay));
    const home = ['--home', 'My Home'];
    const commands: readonly (readonly [code: number, message: RegExp, ...words: string[]])[] = [
      [2, /"Party" would do/, 'scene', 'create', 'Party!', ...home, '--action', 'Lever', 'on=true'],
      [5, /already/, 'scene', 'create', 'EVENING', ...home, '--action', 'Lever', 'on=true'],
      [2, /warp/, 'scene', 'create', 'New', ...home, '--action', 'Lever', 'warp=9'],
      [2, /__proto__/, 'scene', 'create', 'New', ...home, '--action', 'Lever', '__proto__=9'],
      [5, /read-only/, 'scene', 'create', 'New', ...home, '--action', 'Sealed', 'on=true'],
      [4, /Nobody/, 'scene', 'create', 'New', ...home, '--action', 'Nobody', 'on=true'],
      [4, /./, 'scene', 'create', 'New', ...home, '--action', 'Lever', 'on=true', '--action', 'Far Lever', 'on=true'],
      [2, /./, 'scene', 'create', 'New', ...home],
      [2, /./, 'scene', 'create', '', ...home, '--action', 'Lever', 'on=true'],
      [2, /./, 'scene', 'create', 'a\nb', ...home, '--action', 'Lever', 'on=true'],
      [4, /constructor/, 'scene', 'run', 'constructor'],
      [4, /./, 'scene', 'delete', '__proto__'],
      [5, /already/, 'group', 'create', 'levers', 'Lever'],
      [2, /./, 'group', 'create', 'Mixed', 'Lever', 'Egg'],
      [2, /./, 'group', 'set', 'Levers', 'on=maybe'],
      [2, /./, 'group', 'set', 'Levers', 'hasOwnProperty=true'],
      [2, /./, 'group', 'set', 'Levers', 'on'],
      [5, /already/, 'zone', 'create', 'Ground floor', 'Hall', ...home],
      [4, /./, 'zone', 'create', 'New', 'Cellar', ...home],
      [5, /Evening/, 'virtual', 'delete', 'Lever'],
      [2, /./, 'set', 'Level', 'virtual_number=NaN'],
      [2, /./, 'set', 'Level', 'virtual_number=99999999999999999999'],
      [5, /read-only/, 'set', 'Sealed', 'on=true'],
    ];
    const wrong: string[] = [];
    for (const [code, message, ...words] of commands) {
      const answer = await run(relay.directory.path, words);
      const line = words.join(' ');
      if (answer.code !== code) wrong.push(`${line}: ${answer.code} ${answer.out}${answer.err}`);
      else if (!message.test(answer.err)) wrong.push(`${line}: says ${answer.err}`);
      if (INSIDES.test(answer.err)) wrong.push(`${line}: tells of the inside: ${answer.err}`);
    }
    expect(wrong).toEqual([]);
    expect(JSON.stringify(await wholeState(relay))).toBe(before);
  });
});

describe('odd names that are names all the same', () => {
  it.each([
    'toString',
    'constructor',
    'NaN',
    'null',
    'Zoë Ångström',
    'Zimmer 1',
    '客厅 2',
    'غرفة ٣',
    '<img src=x onerror=alert(1)> a',
    "Robert'); DROP TABLE scenes;--a",
    '%00%2e%2e a',
    'a'.repeat(64),
    '𝒮𝒸ℯ𝓃ℯ',
  ])('%j is kept as it is, found by it, and deleted again', async (name) => {
    const { homeId, lever } = inventory;
    const created = await ask(relay, 'POST', '/rest/scenes', { homeId, name, actions: [action()] });
    expect([created.status, created.body.name]).toEqual([200, name]);
    const again = await graphql(relay, CREATE_SCENE, { h: homeId, n: name.toUpperCase(), a: [action()] });
    expect(again.body.errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_VALUE', reason: 'conflict' });
    const home = (await ask(relay, 'GET', '/rest/homes')).body.find(({ id }: { id: string }) => id === homeId);
    const executed = await ask(relay, 'POST', '/rest/scene', { home: home.name, name });
    expect(executed.body).toEqual({ success: true, sceneId: created.body.id, failed: 0, errors: [] });
    expect((await ask(relay, 'GET', '/rest/state')).text).toContain(JSON.stringify(name));
    const shown = await graphql(relay, '{ homes { scenes { name actionList { accessoryId } } } }');
    expect(shown.text).toContain(JSON.stringify(name));
    expect(shown.text).toContain(lever);
    expect((await ask(relay, 'DELETE', `/rest/scenes/${created.body.id}`)).status).toBe(200);
  });

  it('are names for rooms and virtual accessories too, which the state tree then has under keys of their own', async () => {
    const { homeId } = inventory;
    const made: string[] = [];
    for (const name of ['constructor', 'hasOwnProperty', 'toString', 'home', 'name', '0', '1e3']) {
      const room = await ask(relay, 'POST', '/rest/rooms', { homeId, name });
      expect([room.status, room.text], name).toEqual([200, expect.any(String)]);
      const thing = { homeId, name, type: 'input_boolean', roomId: room.body.id };
      const accessory = await ask(relay, 'POST', '/rest/virtual-accessories', thing);
      expect([accessory.status, accessory.text], name).toEqual([200, expect.any(String)]);
      made.push(`/rest/virtual-accessories/${accessory.body.id}`, `/rest/rooms/${room.body.id}`);
      const written = await ask(relay, 'POST', '/rest/state', {
        home: 'My Home',
        room: name,
        accessory: name,
        on: true,
      });
      expect(written.body, name).toMatchObject({ updated: 1, failed: 0 });
      const { properties, path } = await relay.state(name);
      expect(properties, name).toMatchObject({ on: true });
      const [home, roomKey, key] = path;
      const nested = await ask(relay, 'POST', '/rest/state', `{"${home}":{"${roomKey}":{"${key}":{"on":false}}}}`);
      expect(nested.body, name).toMatchObject({ updated: 1, failed: 0 });
    }
    for (const path of made) expect((await ask(relay, 'DELETE', path)).status).toBe(200);
  });
});
