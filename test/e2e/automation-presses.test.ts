/**
 * Buttons have no value that could be read later: each press counts once while a client listens, however often the line
 * breaks.
 */
import { Characteristic } from '@homebridge/hap-nodejs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/e2e-relay.ts';
import { TestClock } from '../support/test-clock.ts';
import { AutomationFixture } from './automation-fixture.ts';

const RECONNECTS = 100;
const PRESSES_EACH = 10;
/** As the settings have it by default. */
const RUNS_PER_MINUTE = 10;

let fixture: AutomationFixture;
beforeAll(async () => {
  fixture = await AutomationFixture.start({ clock: new TestClock() });
});
afterAll(() => fixture[Symbol.asyncDispose]());

it('1,000 presses across 100 reconnects are 1,000 triggers, and none without a press', async () => {
  const { demoHome: home } = fixture;
  await fixture.virtual('Rings', 'counter');
  const bell = {
    type: 'state',
    accessoryId: fixture.id('Doorbell'),
    characteristicType: 'programmable_switch_event',
    to: 0,
  };
  const { id } = await fixture.save({
    name: 'Ring',
    mode: 'parallel',
    triggers: [bell],
    actions: [fixture.count('Rings')],
  });
  const counted = async (): Promise<number> => (await fixture.ask('GET', `/rest/flows/${id}`)).metadata.triggerCount;
  const isReceived = (): boolean => home.isSubscribed('Doorbell', Characteristic.ProgrammableSwitchEvent);
  for (let round = 1; round <= RECONNECTS; round += 1) {
    home.cutConnections('Doorbell');
    await eventually(async () => {
      if (!isReceived()) await fixture.pass(500);
      return isReceived();
    }, `somebody to listen in round ${round}`);
    expect(await counted(), 'a new connection is no press').toBe((round - 1) * PRESSES_EACH);
    for (let press = 0; press < PRESSES_EACH; press += 1) home.press('Doorbell');
    await eventually(async () => (await counted()) === round * PRESSES_EACH, `the presses of round ${round}`);
  }
  await fixture.pass(10_000);
  expect(await counted()).toBe(RECONNECTS * PRESSES_EACH);
  const traces = await fixture.traces(id);
  expect(new Set(traces.map(({ blockedReason }) => blockedReason))).toEqual(new Set([null, 'rate_limit']));
  const minutes = (fixture.clock?.monotonic() ?? 0) / 60_000 + 1;
  expect(await fixture.valueOf('Rings')).toBeLessThanOrEqual(RUNS_PER_MINUTE * minutes);
});
