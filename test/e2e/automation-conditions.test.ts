/** Every kind of condition from end to end: a button is pressed while it holds and while it does not. */
import { Characteristic } from '@homebridge/hap-nodejs';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { TestClock } from '../support/test-clock.ts';
import { AutomationFixture } from './automation-fixture.ts';

const MINUTE_MS = 60_000;

let fixture: AutomationFixture;
let mark = 1;
let ann = '';
let bob = '';

beforeAll(async () => {
  fixture = await AutomationFixture.start({ clock: new TestClock() });
  const person = async (name: string): Promise<string> =>
    (await fixture.ask('POST', '/rest/people', { homeId: fixture.homeId, name })).id;
  [ann, bob] = [await person('Ann'), await person('Bob')];
});
afterAll(() => fixture[Symbol.asyncDispose]());
afterEach(async () => {
  await fixture.forgetAll();
  await fixture.pass(MINUTE_MS);
});

const window = () => ({ accessoryId: fixture.id('Window'), characteristicType: 'contact_state' });
const temperature = () => ({ accessoryId: fixture.id('Thermometer'), characteristicType: 'current_temperature' });

async function windowIs(value: 0 | 1): Promise<void> {
  fixture.demoHome.report('Window', Characteristic.ContactSensorState, value);
  await fixture.untilShown('Window', 'contact_state', value);
}
async function temperatureIs(value: number): Promise<void> {
  fixture.demoHome.report('Thermometer', Characteristic.CurrentTemperature, value);
  await fixture.untilShown('Thermometer', 'current_temperature', value);
}
/** Later today or tomorrow, by the clocks of the home, which are those of UTC. */
async function clockShows(time: string): Promise<void> {
  const { clock } = fixture;
  const today = new Date(clock?.now() ?? 0).toISOString().slice(0, 10);
  const at = Date.parse(`${today}T${time}Z`);
  await fixture.passTo(at > (clock?.now() ?? 0) ? at : at + 24 * 60 * MINUTE_MS);
}
async function is(personId: string, atHome: boolean): Promise<void> {
  await fixture.pass(1_000);
  await fixture.ask('POST', `/rest/people/${personId}/presence`, { atHome });
}

interface Case {
  readonly name: string;
  readonly conditions: () => unknown;
  readonly holds: () => Promise<unknown>;
  readonly fails: () => Promise<unknown>;
}

const CASES: readonly Case[] = [
  {
    name: 'state',
    conditions: () => [{ type: 'state', ...window(), value: 1 }],
    holds: () => windowIs(1),
    fails: () => windowIs(0),
  },
  {
    name: 'state, with a comparison',
    conditions: () => [{ type: 'state', ...temperature(), operator: 'at_least', value: 20 }],
    holds: () => temperatureIs(20),
    fails: () => temperatureIs(19.5),
  },
  {
    name: 'numeric_state',
    conditions: () => ({ type: 'numeric_state', ...temperature(), above: 10, below: 20 }),
    holds: () => temperatureIs(15),
    fails: () => temperatureIs(20),
  },
  {
    name: 'time, across midnight',
    conditions: () => [{ type: 'time', after: '22:00', before: '06:00' }],
    holds: () => clockShows('23:59:30'),
    fails: () => clockShows('06:00:00'),
  },
  {
    name: 'sun',
    conditions: () => [{ type: 'sun', after: 'sunset', afterOffset: { hours: 1 } }],
    // It sets in Berlin at about half past three, by UTC, in January.
    holds: () => clockShows('18:00:00'),
    fails: () => clockShows('15:45:00'),
  },
  {
    name: 'template',
    conditions: () => [
      { type: 'template', expression: "states('Window', 'contact_state') == 1 and trigger.to_value == 0" },
    ],
    holds: () => windowIs(1),
    fails: () => windowIs(0),
  },
  {
    name: 'presence of anyone',
    conditions: () => [{ type: 'presence', event: 'atHome', who: 'anyone' }],
    holds: () => is(ann, true),
    fails: async () => [await is(ann, false), await is(bob, false)],
  },
  {
    name: 'presence of everyone',
    conditions: () => [{ type: 'presence', event: 'notAtHome', who: 'everyone' }],
    holds: async () => [await is(ann, false), await is(bob, false)],
    fails: () => is(bob, true),
  },
  {
    name: 'presence of one person',
    conditions: () => [{ type: 'presence', event: 'atHome', who: [bob] }],
    holds: () => is(bob, true),
    fails: async () => [await is(bob, false), await is(ann, true)],
  },
  {
    name: 'not, or, and in each other',
    conditions: () => ({
      operator: 'and',
      conditions: [
        { operator: 'not', conditions: [{ type: 'state', ...window(), value: 1 }] },
        {
          operator: 'or',
          conditions: [
            { type: 'numeric_state', ...temperature(), below: 0 },
            { type: 'numeric_state', ...temperature(), above: 30 },
          ],
        },
      ],
    }),
    holds: async () => [await windowIs(0), await temperatureIs(31)],
    fails: async () => [await windowIs(0), await temperatureIs(12)],
  },
];

it.each(CASES)('$name', async ({ conditions, holds, fails }) => {
  const flow = await save({ conditions: conditions() });
  await fails();
  expect(await press(flow.id, 1)).toMatchObject({
    status: 'stopped',
    steps: [{ type: 'trigger' }, conditionStep('failed')],
  });
  expect(fixture.demoHome.written('Echo')).not.toContain(mark);
  await holds();
  expect(await press(flow.id, 2)).toMatchObject({
    status: 'success',
    steps: [{ type: 'trigger' }, conditionStep('passed'), { type: 'action', result: 'executed' }],
  });
  expect(fixture.demoHome.written('Echo').filter((value) => value === mark)).toHaveLength(1);
});

it('trigger: which of them it was', async () => {
  const trigger = (id: string, to: number) => ({ id, type: 'state', ...button(), to });
  const flow = await save({
    triggers: [trigger('single', 0), trigger('double', 1)],
    conditions: [{ type: 'trigger', triggerId: 'double' }],
  });
  expect(await press(flow.id, 1, 0)).toMatchObject({ status: 'stopped' });
  expect(await press(flow.id, 2, 1)).toMatchObject({ status: 'success', triggerData: { id: 'double', to_value: 1 } });
  expect(fixture.demoHome.written('Echo').filter((value) => value === mark)).toHaveLength(1);
});

const conditionStep = (result: string) => ({ type: 'condition', result });
const button = () => ({ accessoryId: fixture.id('Button'), characteristicType: 'programmable_switch_event' });

function save(more: object) {
  mark += 1;
  return fixture.save({
    name: `Flow ${mark}`,
    triggers: [{ type: 'state', ...button(), to: 0 }],
    actions: [fixture.dim('Echo', mark)],
    ...more,
  });
}

/** @returns what came of it */
async function press(flowId: string, nth: number, kind = 0) {
  fixture.demoHome.press('Button', kind);
  const traces = await fixture.untilEnded(flowId, nth);
  expect(traces).toHaveLength(nth);
  return traces[0];
}
