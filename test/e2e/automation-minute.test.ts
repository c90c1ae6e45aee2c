/**
 * One home with everything that the clock, devices and other programs trigger, on the machine's own clock: each thing
 * once. It takes a quarter of a minute; the whole minute, with a full minute's pattern, where `HEARTHD_REQUIRE_ALL` or
 * `HEARTHD_SOAK` is set.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Characteristic } from '@homebridge/hap-nodejs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer } from '../support/e2e-relay.ts';
import { AutomationFixture } from './automation-fixture.ts';

const IS_WHOLE = Boolean(process.env.HEARTHD_REQUIRE_ALL || process.env.HEARTHD_SOAK);
const LASTS_S = IS_WHOLE ? 65 : 15;
const CALLS = 5;
const DEGREES_PER_HOUR = 15;

let fixture: AutomationFixture;
beforeAll(async () => {
  fixture = await AutomationFixture.start({ config: { automationRunsPerMinute: 200 } });
});
afterAll(() => fixture[Symbol.asyncDispose]());

it(`${LASTS_S} seconds of a home: everything once`, async () => {
  process.stderr.write(`automation-minute: ${IS_WHOLE ? 'the whole minute' : 'a quarter of a minute only'}\n`);
  // On the equator, where it is about five in the afternoon: the sun sets within the next hour or two.
  const now = new Date();
  const sunHour = now.getUTCHours() + now.getUTCMinutes() / 60;
  const longitude = (((((17 - sunHour) * DEGREES_PER_HOUR + 180) % 360) + 360) % 360) - 180;
  await fixture.begin({ timeZone: 'UTC', location: { latitude: 0, longitude, radius: 100 } });
  const flows = new Map<string, string>();
  const on = async (name: string, trigger: object, more: readonly object[] = []): Promise<Answer['body']> => {
    await fixture.virtual(name, 'counter');
    const actions = [...more, fixture.count(name)];
    const flow = await fixture.save({ name, mode: 'parallel', maxRunning: 50, triggers: [trigger], actions });
    flows.set(name, flow.id);
    return flow;
  };
  const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();
  const press = {
    type: 'state',
    accessoryId: fixture.id('Button'),
    characteristicType: 'programmable_switch_event',
    to: 0,
  };
  const window = { accessoryId: fixture.id('Window'), characteristicType: 'contact_state' };
  // The relay and its home run in this process: what holds it up holds up their clocks.
  const held = monitorEventLoopDelay({ resolution: 10 });
  held.enable();

  await fixture.virtual('Egg', 'timer', { duration: 5 });
  fixture.demoHome.report('Window', Characteristic.ContactSensorState, 0);
  await fixture.untilShown('Window', 'contact_state', 0);
  await on('Pattern', { type: 'time_pattern', seconds: '/5' });
  await on('Seconds', { type: 'time_pattern', seconds: '/1' });
  await on('Minute', { type: 'time_pattern', minutes: '/1' });
  await on('Hold', { type: 'state', ...window, to: 1, for: { seconds: 3 } });
  await on('Press', press, [{ type: 'delay', duration: { seconds: 2 } }]);
  await on('Egg Finished', {
    type: 'event',
    eventType: 'timer.finished',
    eventData: { accessoryId: fixture.id('Egg') },
  });
  await on('Sunset', await sunIn(8));
  await on('Moment', { type: 'timer', fireDate: inSeconds(7) });
  await on('Date', { type: 'calendar', components: partsOf(Date.now() + 9_000) });
  const webhook = await on('Webhook', { type: 'webhook' });
  const startedAt = Date.now();

  await fixture.operate('Egg', 'start');
  fixture.demoHome.report('Window', Characteristic.ContactSensorState, 1);
  const [{ webhookId }] = webhook.triggers;
  for (let n = 0; n < CALLS; n += 1) {
    fixture.demoHome.press('Button');
    const call = await fetch(`${fixture.relay.url}/webhook/${webhookId}`, { method: 'POST' });
    expect(call.status).toBe(202);
    await delay(1_000);
  }
  await delay(startedAt + LASTS_S * 1_000 - Date.now());
  held.disable();
  const longestHeldMs = held.max / 1e6;

  const once = ['Hold', 'Egg Finished', 'Sunset', 'Moment', 'Date'];
  for (const name of once) expect([name, await fixture.valueOf(name)]).toEqual([name, 1]);
  for (const name of ['Press', 'Webhook']) expect([name, await fixture.valueOf(name)]).toEqual([name, CALLS]);
  await expectSlots('Pattern', 5_000);
  await expectSlots('Seconds', 1_000);
  if (IS_WHOLE) await expectSlots('Minute', 60_000);
  for (const [name, id] of flows) {
    for (const { status, error } of await fixture.traces(id)) expect([name, status, error]).not.toContain('error');
  }

  /**
   * Each slot once and in its time; between two of them only those that went by while the machine held up the process.
   */
  async function expectSlots(name: string, everyMs: number): Promise<void> {
    const times = (await fixture.traces(flows.get(name) ?? ''))
      .map(({ triggerData }) => triggerData.timestamp * 1000)
      .reverse();
    const slots = times.map((at) => Math.floor(at / everyMs));
    const mayGoBy = Math.round(longestHeldMs / everyMs);
    for (const [index, slot] of slots.slice(1).entries()) {
      const gap = slot - Number(slots[index]);
      expect(gap, `${name} after ${slots[index]}`).toBeGreaterThanOrEqual(1);
      expect(gap, `${name} after ${slots[index]}`).toBeLessThanOrEqual(1 + mayGoBy);
    }
    const span = Number(slots.at(-1)) - Number(slots[0]);
    expect(span, name).toBeGreaterThanOrEqual(Math.floor((LASTS_S * 1_000) / everyMs) - 2 - mayGoBy);
  }
});

/** A sun trigger that is due in so many seconds. */
async function sunIn(seconds: number): Promise<object> {
  const { id } = await fixture.save({ name: 'Plain Sunset', triggers: [{ type: 'sun', event: 'sunset' }] });
  const [sunset = ''] = await fixture.next(id);
  await fixture.ask('DELETE', `/rest/flows/${id}`);
  const offset = Math.round((Date.now() + seconds * 1_000 - Date.parse(sunset)) / 1_000);
  return { type: 'sun', event: 'sunset', offset: { seconds: offset } };
}

function partsOf(ms: number): object {
  const date = new Date(ms);
  return { hour: date.getUTCHours(), minute: date.getUTCMinutes(), second: date.getUTCSeconds() };
}
