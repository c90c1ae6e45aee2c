/**
 * A daemon that is stopped while automations are at work: what is under way at a genuine accessory is done, the rest
 * comes later.
 */
import { expect, it } from 'vitest';
import { startReplayAccessory } from '../support/accessories/replay-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { createTempDirectory } from '../support/temp-directory.ts';

/** A lamp that takes its time, but less than a stop does. */
const SLOW_MS = 1_000;

it('lets the accessory answer, and the run goes on with the next start instead of failing', async () => {
  using directory = createTempDirectory('automation-stop');
  const lamp = await startReplayAccessory({
    database: [lampAccessory('Lamp')],
    name: 'Lamp',
    mdns: false,
    paired: [KNOWN_CONTROLLER],
  });
  sharePairings(directory, [lamp]);
  const puts = () => lamp.requests.filter((request) => request.startsWith('PUT')).length;
  await using relay = await E2eRelay.start({ directory });
  await relay.untilStatus(lamp.deviceId, 'connected');
  const { id: homeId } = (await relay.get('/rest/homes')).body[0];
  const { id: accessoryId } = await relay.accessory('Lamp');
  const dim = (value: number) => ({
    type: 'set_characteristic',
    accessoryId,
    characteristicType: 'brightness',
    value,
  });
  const made = await relay.asSystem('POST', '/rest/flows', {
    homeId,
    name: 'Slow',
    triggers: [],
    actions: [dim(30), dim(70)],
  });
  expect(made.status).toBe(200);
  const before = puts();
  lamp.faults.delayMs = SLOW_MS;
  const { runId } = (await relay.post(`/rest/flows/${made.body.id}/run`, {})).body;
  await eventually(() => puts() > before, 'the first value to be on its way');
  await relay.stop();
  lamp.faults.delayMs = 0;
  await relay.start();
  const trace = await eventually(async () => {
    const { body } = await relay.get(`/rest/flows/traces/${runId}`);
    return body.status === 'running' ? undefined : body;
  }, 'the run to come to its end');
  expect([trace.status, trace.steps.map(({ result }: { result: string }) => result)]).toEqual([
    'success',
    ['executed', 'executed', 'executed'],
  ]);
  await relay.untilState('Lamp', 'brightness', 70);
  await lamp.stop();
});
