import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi, createToken, type RestClient } from '../../support/rest-client.ts';
import { plainSwitch } from '../../support/sample-accessories.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';

let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
});

afterEach(() => home.close());

const on = () => ({ accessoryId: home.named('Lamp').id, characteristicType: 'on', targetValue: true });

describe('scenes over REST', () => {
  it.each<[string, string, unknown, number, RegExp]>([
    ['POST', '/rest/scenes', { name: 'A', actions: [] }, 400, /"homeId" is missing/],
    ['POST', '/rest/scenes', { homeId: 'x', name: 'A' }, 400, /"actions" is missing: it must be an array/],
    ['POST', '/rest/scenes', { homeId: 'x', name: 'A', actions: '[]' }, 422, /"actions" must be an array/],
    ['POST', '/rest/scenes', { homeId: 'x', name: 5, actions: [] }, 422, /"name" must be a text/],
    ['POST', '/rest/scenes', { homeId: 'x', name: 'A', actions: [], emblem: 'moon' }, 400, /Unknown field "emblem"/],
    ['POST', '/rest/scenes', { homeId: 'x', name: 'A', actions: [] }, 404, /Home not found/],
    [
      'POST',
      '/rest/scenes/capture',
      { homeId: 'x', name: 'A', accessoryIds: 'all' },
      422,
      /"accessoryIds" must be an array/,
    ],
    ['PATCH', '/rest/scenes/none', { name: 'A' }, 404, /Scene not found/],
    ['PATCH', '/rest/scenes/none', { title: 'A' }, 400, /Unknown field "title"/],
    ['DELETE', '/rest/scenes/none', undefined, 404, /Scene not found/],
    ['GET', '/rest/scenes/none', undefined, 404, /Scene not found/],
    ['GET', '/rest/scenes?home=5', undefined, 400, /must be an id/],
    ['GET', '/rest/scenes?home=00000000-0000-4000-8000-000000000000', undefined, 404, /Home not found/],
    ['POST', '/rest/scenes/none/execute', undefined, 404, /Scene not found/],
    ['GET', '/rest/scenes/none/execute', undefined, 405, /only POST/],
    ['PUT', '/rest/scenes/none', {}, 405, /only GET, PATCH, DELETE/],
    ['POST', '/rest/scene', { home: 'x', name: 'y', at: 5 }, 400, /Unknown field "at"/],
  ])('%s %s %j is answered %i', async (method, path, body, status, sentence) => {
    const answer = await rest.request(method, path, body);
    expect([answer.status, answer.body.error]).toEqual([status, expect.stringMatching(sentence)]);
  });

  it('shows an accessory that is gone without a name, and what it was set to', async () => {
    const { body } = await rest.post('/rest/scenes', { homeId: home.home.id, name: 'Evening', actions: [on()] });
    const [action] = body.actions;
    await home.pairings.unpair(systemCaller, '10:00:00:00:00:01');
    const { actions } = (await rest.get(`/rest/scenes/${body.id}`)).body;
    expect(actions).toEqual([{ ...action, accessoryName: null }]);
  });

  it('shows which of several services is meant', async () => {
    const [information, first] = plainSwitch('Strip').services;
    if (!information || !first) throw new Error('The sample switch has two services');
    const second = {
      ...first,
      iid: '18',
      characteristics: first.characteristics.map((one) => ({ ...one, iid: '19' })),
    };
    const strip = { ...plainSwitch('Strip'), services: [information, first, second] };
    const device = { deviceId: 'AA:00:00:00:00:01', name: 'Strip', setupCode: '031-45-154', accessories: [strip] };
    home.driver.attach(home.home.id, device);
    const { id } = home.named('Strip');
    const actions = ['on', 'on_2'].map((characteristicType) => ({ ...on(), accessoryId: id, characteristicType }));
    const { body } = await rest.post('/rest/scenes', { homeId: home.home.id, name: 'Evening', actions });
    expect(body.actions.map(({ serviceId }: { serviceId?: string }) => serviceId)).toEqual([undefined, `${id}.18`]);
    await rest.post(`/rest/scenes/${body.id}/execute`);
    expect(home.driver.writes.flat().map(({ iid }) => iid)).toEqual(['9', '19']);
  });

  it('captures what is on now', async () => {
    home.driver.event('10:00:00:00:00:01', '1', '9', true);
    const accessoryIds = [home.named('Lamp').id, home.named('Front Door').id];
    const { status, body } = await rest.post('/rest/scenes/capture', {
      homeId: home.home.id,
      name: 'Now',
      accessoryIds,
    });
    expect(status).toBe(200);
    expect(body.actions.map(({ targetValue }: { targetValue: unknown }) => targetValue)).toEqual([true, 50, 0, 0, 1]);
    const everything = await rest.post('/rest/scenes/capture', { homeId: home.home.id, name: 'Everything' });
    expect(everything.body.actionCount).toBeGreaterThan(body.actionCount);
  });

  it('answers any actions at all with a scene or a sentence, never with 500, and keeps nothing half', async () => {
    const { id } = home.named('Lamp');
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom(true, 40, '40', 'on'));
    const action = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          accessoryId: fc.oneof(fc.constant(id), fc.jsonValue()),
          characteristicType: fc.oneof(fc.constantFrom('on', 'brightness', 'hue', '__proto__', 'on_2'), fc.jsonValue()),
          targetValue: value,
          serviceId: fc.oneof(fc.constantFrom('8', `${id}.8`, null), fc.jsonValue()),
        },
        { requiredKeys: [] },
      ),
    );
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 3 }), async (actions) => {
        const answer = await rest.post('/rest/scenes', { homeId: home.home.id, name: 'Any', actions });
        expect(answer.status, answer.text).not.toBe(500);
        if (answer.status === 200) {
          made += 1;
          expect(answer.body.actionCount).toBe(actions.length);
          expect((await rest.delete(`/rest/scenes/${answer.body.id}`)).status).toBe(200);
        } else expect(answer.body.error.length).toBeGreaterThan(10);
        expect(home.database.prepare('SELECT count(*) FROM scenes').pluck().get()).toBe(0);
      }),
      { numRuns: 600, examples: [[[{ accessoryId: id, characteristicType: 'on', targetValue: true }]]] },
    );
    expect(made).toBeGreaterThan(0);
  });
});
