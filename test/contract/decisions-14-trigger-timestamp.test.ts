/**
 * Decisions §14, API §6.2: `trigger.timestamp` is seconds since 1970, as `now()` is, for every trigger and over a
 * restart.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { TestClock } from '../support/test-clock.ts';
import { systemCaller } from '../support/test-home.ts';
import { type AutomationClient, BERLIN, openAutomationClient } from './automation-client.ts';

const START = '2026-01-15T12:00:00Z';
const MINUTE_MS = 60_000;

let door: AutomationClient;
let directory: TempDirectory | undefined;

afterEach(async () => {
  await door.close();
  directory?.remove();
  directory = undefined;
});

function open(options: Parameters<typeof openAutomationClient>[0] = {}): void {
  door = openAutomationClient({ clock: new TestClock(START), ...options });
}

/** What a flow that this triggers reads, some time after it began. */
const READ = [
  { id: 'wait', type: 'delay', duration: { seconds: 5 } },
  {
    type: 'variables',
    variables: {
      at: '{{ trigger.timestamp }}',
      age: '{{ now() - trigger.timestamp }}',
      text: '{{ iso(trigger.timestamp) }}',
      hour: '{{ getHours(trigger.timestamp) }}',
      same: '{{ timestamp(trigger.timestamp) == trigger.timestamp }}',
    },
  },
];

async function readBy(trigger: object, cause: () => Promise<unknown>) {
  const { id } = await door.save({ triggers: [{ id: 'fired', ...trigger }], actions: READ, mode: 'parallel' });
  await cause();
  await door.home.settle();
  const at = door.home.clock.now() / 1000;
  await door.advance(5_000);
  const [trace] = await door.traces(id);
  expect(trace).toMatchObject({ status: 'success', error: null, triggerData: { timestamp: trace.variables.at } });
  return { at, ...trace.variables };
}

describe('trigger.timestamp', () => {
  const KINDS: readonly (readonly [string, () => object, () => Promise<unknown>])[] = [
    [
      'state',
      () => ({ type: 'state', accessoryId: door.id('Motion'), characteristicType: 'motion_detected' }),
      () => door.device('Motion', true),
    ],
    [
      'numeric_state',
      () => ({ type: 'numeric_state', accessoryId: door.id('Lamp'), characteristicType: 'brightness', above: 60 }),
      () => door.device('Lamp', 80, '10'),
    ],
    ['time', () => ({ type: 'time', at: '13:01' }), () => door.advance(MINUTE_MS)],
    ['time_pattern', () => ({ type: 'time_pattern', minutes: '*' }), () => door.advance(MINUTE_MS)],
    [
      'webhook',
      () => ({ type: 'webhook', webhookId: 'w'.repeat(32) }),
      () => door.rest.post(`/webhook/${'w'.repeat(32)}`, {}),
    ],
    [
      'event',
      () => ({ type: 'event', eventType: 'doorbell' }),
      async () => {
        const { id } = await door.save({ actions: [{ type: 'fire_event', eventType: 'doorbell' }] });
        await door.run(id);
      },
    ],
    [
      'template',
      () => ({ type: 'template', expression: 'states("Motion", "motion_detected")' }),
      () => door.device('Motion', true),
    ],
  ];

  it.each(KINDS)('is a number of seconds that can be subtracted from now(): %s', async (_, trigger, cause) => {
    open();
    door.home.homes.update(systemCaller, door.homeId, { timeZone: 'Europe/Berlin', location: BERLIN });
    const { at, age, text, hour, same, ...seen } = await readBy(trigger(), cause);
    expect(seen).toEqual({});
    expect(typeof at).toBe('number');
    expect(age).toBe(5);
    expect(Date.parse(text)).toBe(at * 1000);
    expect([hour, same]).toEqual([13, true]);
  });

  it('is one in runs that people ask for, and of what ends a wait', async () => {
    open();
    const wait = { id: 'wait', type: 'wait_for_trigger', triggers: [{ type: 'time_pattern', minutes: '*' }] };
    const template = { id: 'come', type: 'wait_for_template', expression: 'now() > trigger.timestamp + 90' };
    const actions = [
      wait,
      { type: 'variables', variables: { waited: '{{ wait.trigger.timestamp - trigger.timestamp }}' } },
      template,
      { type: 'variables', variables: { came: '{{ wait.trigger.timestamp - trigger.timestamp > 90 }}' } },
    ];
    const { flowId } = await door.runOf(actions);
    await door.advance(2 * MINUTE_MS);
    expect((await door.traces(flowId))[0]).toMatchObject({
      status: 'success',
      variables: { waited: 60, came: true },
      triggerData: { type: 'manual', timestamp: Date.parse(START) / 1000 },
    });
  });

  it('is one in runs that were kept with a text before an upgrade', async () => {
    directory = createTempDirectory();
    const path = directory.file('relay.db');
    open({ path });
    const { id } = await door.save({ actions: READ });
    await door.run(id);
    door.home.kill();
    const database = openDatabase(path);
    const { changes } = database
      .prepare("UPDATE runs SET start = json_set(start, '$.trigger.timestamp', '2026-01-15T12:00:00.000Z')")
      .run();
    database.close();
    expect(changes).toBe(1);
    open({ path, sample: false, clock: new TestClock('2026-01-15T12:00:03Z') });
    await door.advance(MINUTE_MS);
    expect((await door.traces(id))[0]).toMatchObject({
      status: 'success',
      variables: { at: Date.parse(START) / 1000, text: '2026-01-15T12:00:00.000Z' },
    });
  });
});
