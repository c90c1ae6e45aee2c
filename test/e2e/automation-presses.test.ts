/** Buttons have no value that could be read later: each press counts once while somebody listens, however often the line breaks. */
import { Characteristic } from '@homebridge/hap-nodejs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/e2e-relay.ts';
import { TestClock } from '../support/test-clock.ts';
import { AutomationLab } from './automation-lab.ts';

const RECONNECTS = 100;
const PRESSES_EACH = 10;
/** As the settings have it by default. */
const RUNS_PER_MINUTE = 10;

let lab: AutomationLab;
beforeAll(async () => {
  lab = await AutomationLab.start({ clock: new TestClock() });
});
afterAll(() => lab[Symbol.asyncDispose]());

it('1,000 presses across 100 reconnects are 1,000 triggers, and none that nobody pressed', async () => {
  const { house } = lab;
  await lab.virtual('Rings', 'counter');
  const bell = {
    type: 'state',
    accessoryId: lab.id('Doorbell'),
    characteristicType: 'programmable_switch_event',
    to: 0,
  };
  const { id } = await lab.save({ name: 'Ring', mode: 'parallel', triggers: [bell], actions: [lab.count('Rings')] });
  const counted = async (): Promise<number> => (await lab.ask('GET', `/rest/flows/${id}`)).metadata.triggerCount;
  const isHeard = (): boolean => house.isSubscribed('Doorbell', Characteristic.ProgrammableSwitchEvent);
  for (let round = 1; round <= RECONNECTS; round += 1) {
    house.cutConnections('Doorbell');
    await eventually(async () => {
      if (!isHeard()) await lab.pass(500);
      return isHeard();
    }, `somebody to listen in round ${round}`);
    expect(await counted(), 'a new connection is no press').toBe((round - 1) * PRESSES_EACH);
    for (let press = 0; press < PRESSES_EACH; press += 1) house.press('Doorbell');
    await eventually(async () => (await counted()) === round * PRESSES_EACH, `the presses of round ${round}`);
  }
  await lab.pass(10_000);
  expect(await counted()).toBe(RECONNECTS * PRESSES_EACH);
  const traces = await lab.traces(id);
  expect(new Set(traces.map(({ blockedReason }) => blockedReason))).toEqual(new Set([null, 'rate_limit']));
  const minutes = (lab.clock?.monotonic() ?? 0) / 60_000 + 1;
  expect(await lab.valueOf('Rings')).toBeLessThanOrEqual(RUNS_PER_MINUTE * minutes);
});
