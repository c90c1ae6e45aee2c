/**
 * What bad input gets over REST where scenes are made, changed and executed, and what bodies of no shape get anywhere.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { E2eRelay } from '../support/e2e-relay.ts';
import { type Case, type Furnished, NO_CALLER, refuse, startFurnished } from './home-fixture.ts';

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

function sceneCases(): readonly Case[] {
  const { homeId, scene, foreign, readOnly, lever, number } = inventory;
  const create = (what: string, body: object, status: number, code: string, message?: RegExp): Case => ({
    what: `creating a scene: ${what}`,
    method: 'POST',
    path: '/rest/scenes',
    body: { homeId, name: 'New', actions: [action()], ...body },
    status,
    code,
    ...(message && { message }),
  });
  const change = (what: string, body: object, status: number, code: string): Case => ({
    what: `changing a scene: ${what}`,
    method: 'PATCH',
    path: `/rest/scenes/${scene}`,
    body,
    status,
    code,
  });
  return [
    create('a name that ends in a mark', { name: 'Party!' }, 422, 'invalid_value', /"Party" would do/),
    create('a name of marks alone', { name: '!!!' }, 422, 'invalid_value', /letter or a number/),
    create('a name that ends in a picture', { name: 'Party 🎉' }, 422, 'invalid_value', /"Party" would do/),
    create('a name that is taken', { name: 'evening' }, 422, 'conflict'),
    create('a name that is taken but for width and blanks', { name: ' ＥＶＥＮＩＮＧ ' }, 422, 'conflict'),
    create('the name of a built-in scene', { name: 'good night' }, 422, 'conflict'),
    create('no actions', { actions: [] }, 422, 'invalid_value', /at least one action/i),
    create('actions that are no list', { actions: { 0: action() } }, 422, 'invalid_value'),
    create('actions that are null', { actions: null }, 422, 'invalid_value'),
    create('an action that is null', { actions: [null] }, 422, 'invalid_value', /actions\[0\]/),
    create('an action that is a list', { actions: [action(), []] }, 422, 'invalid_value', /actions\[1\]/),
    create(
      'an unknown characteristic',
      { actions: [action({ characteristicType: 'warp' })] },
      422,
      'characteristic_not_found',
    ),
    create(
      'a name every object has',
      { actions: [action({ characteristicType: 'constructor' })] },
      422,
      'characteristic_not_found',
    ),
    create(
      'another such name',
      { actions: [action({ characteristicType: '__proto__' })] },
      422,
      'characteristic_not_found',
    ),
    create(
      'a characteristic of no name',
      { actions: [action({ characteristicType: '' })] },
      422,
      'characteristic_not_found',
    ),
    create(
      'a read-only accessory',
      { actions: [action({ accessoryId: readOnly })] },
      422,
      'characteristic_not_writable',
    ),
    create(
      'one wrong action after good ones',
      { actions: [action(), action({ accessoryId: number })] },
      422,
      'characteristic_not_found',
      /actions\[1\]/,
    ),
    create(
      'one thing set twice',
      { actions: [action(), action({ targetValue: false })] },
      422,
      'invalid_value',
      /actions\[1\]/,
    ),
    create('a value of another type', { actions: [action({ targetValue: 'maybe' })] }, 422, 'invalid_value'),
    create('a value that is null', { actions: [action({ targetValue: null })] }, 422, 'invalid_value'),
    create('a value that is an object', { actions: [action({ targetValue: { valueOf: 1 } })] }, 422, 'invalid_value'),
    create('an unknown field', { actions: [action({ delay: 5 })] }, 400, 'invalid_request', /delay/),
    create('an unknown field of the scene', { emblem: 'x' }, 400, 'invalid_request', /emblem/),
    create('no icon of the set', { icon: 'x' }, 422, 'invalid_value', /icon/),
    create('an accessory of another home', { actions: [action({ accessoryId: foreign })] }, 404, 'accessory_not_found'),
    create('no such accessory', { actions: [action({ accessoryId: NO_CALLER })] }, 404, 'accessory_not_found'),
    create('a malformed id', { actions: [action({ accessoryId: "' OR 1=1 --" })] }, 404, 'accessory_not_found'),
    create('an id that is a number', { actions: [action({ accessoryId: 7 })] }, 422, 'invalid_value'),
    create(
      'an accessory that is a prototype',
      { actions: [action({ accessoryId: '__proto__' })] },
      404,
      'accessory_not_found',
    ),
    create(
      'a service of another accessory',
      { actions: [action({ serviceId: `${number}.1` })] },
      422,
      'characteristic_not_found',
    ),
    create(
      'a thousand actions',
      { actions: Array.from({ length: 1_000 }, () => action()) },
      422,
      'invalid_value',
      /500/,
    ),
    create('no such home', { homeId: NO_CALLER }, 404, 'home_not_found'),
    create('a home that is a number', { homeId: 1 }, 422, 'invalid_value'),
    ...[2 ** 53 + 2, -1, 101, Number.NaN, 'NaN', 'Infinity', '1e999', '0x10', ' ', [1], '٤٠'].map((targetValue) =>
      create(
        `the number ${String(targetValue)}`,
        { actions: [{ accessoryId: number, characteristicType: 'virtual_number', targetValue }] },
        422,
        'invalid_value',
      ),
    ),
    change('nothing', {}, 400, 'invalid_request'),
    change('a good name and no actions', { name: 'Renamed', actions: [] }, 422, 'invalid_value'),
    change(
      'a good name and a wrong action',
      { name: 'Renamed', actions: [action({ accessoryId: foreign })] },
      404,
      'accessory_not_found',
    ),
    change(
      'a wrong name and good actions',
      { name: 'No?', actions: [action({ targetValue: false })] },
      422,
      'invalid_value',
    ),
    {
      what: 'capturing nothing',
      method: 'POST',
      path: '/rest/scenes/capture',
      body: { homeId, name: 'Caught', accessoryIds: [] },
      status: 422,
    },
    {
      what: 'capturing what is another home’s',
      method: 'POST',
      path: '/rest/scenes/capture',
      body: { homeId, name: 'Caught', accessoryIds: [lever, foreign] },
      status: 404,
      code: 'accessory_not_found',
    },
    {
      what: 'executing no such scene',
      method: 'POST',
      path: `/rest/scenes/${NO_CALLER}/execute`,
      status: 404,
      code: 'scene_not_found',
    },
    {
      what: 'executing a malformed id',
      method: 'POST',
      path: '/rest/scenes/__proto__/execute',
      status: 404,
      code: 'scene_not_found',
    },
    {
      what: 'executing by a name that is none',
      method: 'POST',
      path: '/rest/scene',
      body: { home: 'My Home', name: 'constructor' },
      status: 404,
    },
    {
      what: 'deleting a built-in scene',
      method: 'DELETE',
      path: '/rest/scenes/none',
      status: 404,
      code: 'scene_not_found',
    },
  ];
}

function wireCases(): readonly Case[] {
  const { homeId } = inventory;
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const paths = [
    'scenes',
    'zones',
    'service-groups',
    'virtual-accessories',
    'collections',
    'room-groups',
    'scenes/capture',
    'scene',
    'state',
  ];
  return paths.flatMap((path): readonly Case[] => {
    // A write of state has an answer for every entry in it, were it none.
    const refused = path === 'state' ? [200, 400] : [400, 404, 422];
    const send = (what: string, body: string, status: number | readonly number[] = refused): Case => ({
      what: `${path}: ${what}`,
      method: 'POST',
      path: `/rest/${path}`,
      body,
      status,
    });
    return [
      send('no JSON', '{"homeId":', 400),
      send('a list', '[]'),
      send('null', 'null'),
      send('a text', '"x"'),
      send('brackets, a hundred thousand deep', deep),
      send('a megabyte and more', JSON.stringify({ homeId, name: 'x'.repeat(1_100_000) }), 413),
      send(
        'a prototype of its own',
        `{"__proto__":{"homeId":"${homeId}","name":"Polluted"},"constructor":{"prototype":{"polluted":1}}}`,
      ),
    ];
  });
}

it.each([
  ['scenes', sceneCases],
  ['bodies of no shape', wireCases],
])('of %s is refused in so many words, and changes nothing', async (_, cases) => {
  expect(await refuse(relay, cases())).toEqual([]);
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});
