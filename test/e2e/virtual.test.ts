/** Virtual accessories through a whole relay, on the machine's own clock and over its real API, across restarts. */
import { expect, it } from 'vitest';
import { E2eRelay } from '../support/e2e-relay.ts';
import { ScriptedDiscovery } from '../support/scripted-discovery.ts';

const create = async (relay: E2eRelay, fields: object): Promise<string> => {
  const [home] = (await relay.get('/rest/homes')).body;
  const { status, body } = await relay.post('/rest/virtual-accessories', { homeId: home.id, ...fields });
  expect([status, body.error]).toEqual([200, undefined]);
  return body.id;
};

it('they are there at once after a restart, with values and running timers', async () => {
  await using relay = await E2eRelay.start({ overrides: { discovery: new ScriptedDiscovery() } });
  const mode = await create(relay, { name: 'Mode', type: 'mode' });
  const timer = await create(relay, { name: 'Tea', type: 'timer', duration: 3_600 });
  const soon = await create(relay, { name: 'Egg', type: 'timer', duration: 1 });
  expect((await relay.set('Mode', { virtual_mode: 'Away' })).body).toMatchObject({ updated: 1, failed: 0 });
  expect((await relay.set('Tea', { virtual_timer: 'active' })).body).toMatchObject({ updated: 1 });
  const { virtualEndsAt } = await relay.accessory('Tea');
  await relay.post(`/rest/virtual-accessories/${soon}/operate`, { operation: 'start' });
  await relay.stop();
  await relay.start();
  expect((await relay.get(`/rest/accessories/${mode}`)).body).toMatchObject({
    isReachable: true,
    services: [{ characteristics: [{ value: 'Away' }] }],
  });
  expect((await relay.get(`/rest/accessories/${timer}`)).body).toMatchObject({
    virtualTimerState: 'active',
    virtualEndsAt,
  });
  await relay.untilState('Egg', 'virtual_timer', 'idle');
  expect((await relay.accessory('Egg')).virtualFinishedAt).toEqual(expect.any(String));
});
