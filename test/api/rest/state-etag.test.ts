/**
 * With any change in a home: a client that asks with its last ETag has, at every moment, what one that asks again is
 * given.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HearthError } from '../../../src/kernel/errors.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../../support/rest-client.ts';
import { button, lamp, plainSwitch } from '../../support/sample-accessories.ts';
import { createTestHome, SAMPLE_DEVICES, systemCaller, type TestHome } from '../../support/test-home.ts';

const LAMP = '10:00:00:00:00:01';
const BUTTON = '10:00:00:00:00:05';
const BRIDGE = '10:00:00:00:00:06';
const GUEST = { deviceId: '10:00:00:00:00:AA', name: 'Guest', setupCode: '031-45-154', accessories: [lamp('Guest')] };

/** Each is given a small number to vary it; what is refused changes nothing, which is as good. */
const CHANGES: Readonly<Record<string, (home: TestHome, n: number) => unknown>> = {
  'a value changes': ({ driver }, n) => driver.event(LAMP, '1', '10', n),
  'a value is confirmed': ({ control, state }, n) =>
    control.setProperties(
      systemCaller,
      state.accessories().map(({ id }) => ({ accessoryId: id, settings: { on: n % 2 === 0 } })),
    ),
  'a button is pressed': ({ driver }, n) => driver.event(BUTTON, '1', '9', n % 3),
  'time passes': ({ clock }, n) => clock.advance(n * 1_500),
  'the clock is set': ({ clock }, n) => clock.jumpWallClock((n - 4) * 3_600_000),
  'a device comes or goes': ({ driver }, n) => driver.setReachable(LAMP, n % 2 === 0),
  'children come or go': ({ driver }, n) =>
    driver.describe(BRIDGE, n % 2 === 0 ? [] : [plainSwitch('Heater', '2'), plainSwitch(`Kettle ${n}`, '3')]),
  'a device describes itself anew': ({ driver }, n) => driver.describe(BUTTON, [n % 2 === 0 ? button() : lamp('Bell')]),
  'a device is paired': ({ driver, home }) => driver.attach(home.id, GUEST),
  'a device is unpaired': ({ pairings }) => pairings.unpair(systemCaller, GUEST.deviceId),
  'an accessory is renamed': ({ accessories, state }, n) =>
    accessories.update(systemCaller, state.accessories()[n % 3]?.id ?? '', { name: `Name ${n}` }),
  'an accessory is moved': ({ accessories, state }, n) =>
    accessories.update(systemCaller, state.accessories()[n % 3]?.id ?? '', { roomId: state.rooms()[n % 2]?.id }),
  'a room is made': ({ rooms, home }, n) => rooms.create(systemCaller, { homeId: home.id, name: `Room ${n % 3}` }),
  'a room is renamed': ({ rooms, state }, n) =>
    rooms.update(systemCaller, state.rooms()[0]?.id ?? '', { name: `Room ${n}` }),
  'a room is deleted': ({ rooms, state }, n) => rooms.delete(systemCaller, state.rooms()[n % 3]?.id ?? ''),
  'a group is made': ({ serviceGroups, state, home }, n) =>
    serviceGroups.create(systemCaller, {
      homeId: home.id,
      name: `Group ${n % 3}`,
      accessoryIds: state.accessories(home.id).flatMap(({ id, category }) => (category === 5 ? [id] : [])),
    }),
  'a group is renamed': ({ serviceGroups }, n) =>
    serviceGroups.update(systemCaller, serviceGroups.list(systemCaller)[n % 2]?.id ?? '', { name: `All ${n % 3}` }),
  'a group is deleted': ({ serviceGroups }) =>
    serviceGroups.delete(systemCaller, serviceGroups.list(systemCaller)[0]?.id ?? ''),
  'a timer is made': ({ virtuals, home }, n) =>
    virtuals.create(systemCaller, {
      homeId: home.id,
      name: `Timer ${n % 3}`,
      type: 'timer',
      duration: 60 * (n + 1),
    }),
  'a timer starts, pauses or is cancelled': ({ virtuals, state }, n) =>
    virtuals.operate(
      systemCaller,
      state.accessories().find(({ virtual }) => virtual !== null)?.id ?? '',
      ['start', 'pause', 'cancel'][n % 3] ?? '',
    ),
  'a home is made': ({ homes }, n) => homes.create(systemCaller, { name: `Home ${n % 3}` }),
  'a home is renamed': ({ homes, home }, n) => homes.update(systemCaller, home.id, { name: `My Home ${n % 3}` }),
  'a home is paused or resumed': ({ homes, home }, n) => homes.update(systemCaller, home.id, { paused: n % 2 === 0 }),
  'a home is deleted': ({ homes, state }, n) => homes.delete(systemCaller, state.homes()[n % 3]?.id ?? ''),
};

async function happen(home: TestHome, what: string, n: number): Promise<void> {
  try {
    await CHANGES[what]?.(home, n);
  } catch (error) {
    if (!(error instanceof HearthError)) throw error;
  }
}

const PATHS = [
  '/rest/state',
  '/rest/state?form=names',
  '/rest/state?room=living&type=light',
  '/rest/state?name=button',
  '/rest/accessories',
  '/rest/accessories?type=lightbulb',
  '/rest/homes',
];

/** One that asks for the same again and again, as clients do. */
class Poller {
  readonly #client: RestClient;
  readonly #path: string;
  #etag = '';
  #body = '';

  constructor(client: RestClient, path: string) {
    this.#client = client;
    this.#path = path;
  }

  async poll(): Promise<string> {
    const { status, headers, text } = await this.#client.get(this.#path, { 'If-None-Match': this.#etag });
    if (status === 304) return this.#body;
    if (status === 404) return withoutTime(text);
    expect(status).toBe(200);
    this.#etag = headers.get('etag') ?? '';
    this.#body = withoutTime(text);
    return this.#body;
  }
}

function withoutTime(text: string): string {
  return text.replace(/"(fetched_at|requestId)":"[^"]*"/, '');
}

it('a client that keeps ETags always has what one without has', async () => {
  const step = fc.tuple(fc.constantFrom(...Object.keys(CHANGES)), fc.nat(9));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const home = createTestHome({ sample: true });
      try {
        const second = home.homes.create(systemCaller, { name: 'Second' });
        home.driver.attach(second.id, { ...SAMPLE_DEVICES[0], ...GUEST, deviceId: '10:00:00:00:00:BB' });
        const [lampOfSample] = home.state.accessoriesOf(LAMP);
        const paths = [...PATHS, `/rest/accessories/${lampOfSample?.id}`];
        const tokens = [createToken(home), createToken(home, { [home.home.id]: 'view' })];
        const api = createTestApi(home);
        const pollers = tokens.flatMap((token) =>
          paths.map((path) => ({ token, path, poller: new Poller(createRestClient(api, token), path) })),
        );
        for (const [what, n] of [['nothing yet', 0] as const, ...steps]) {
          await happen(home, what, n);
          const fresh = createTestApi(home);
          for (const { token, path, poller } of pollers) {
            const { text } = await createRestClient(fresh, token).get(path);
            expect(await poller.poll(), `${path} after ${what} ${n}`).toBe(withoutTime(text));
          }
        }
      } finally {
        home.close();
      }
    }),
    { numRuns: 30 },
  );
});
