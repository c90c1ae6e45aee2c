/**
 * What goes wrong around automations on real machines: a loop that stalls, a process that sleeps, a device that is
 * stuck.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Characteristic } from '@homebridge/hap-nodejs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuiltDaemon, type BuiltProgram, buildProgram } from '../support/built-daemon.ts';
import { eventually } from '../support/e2e-relay.ts';
import { AutomationClient, AutomationFixture } from './automation-fixture.ts';

const DAY_MS = 24 * 60 * 60_000;

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();
const moment = (fireDate: string) => ({ type: 'timer', fireDate });

describe('on the machine’s own clock', () => {
  let fixture: AutomationFixture;
  beforeAll(async () => {
    fixture = await AutomationFixture.start({ config: { automationRunsPerMinute: 100 } });
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  it('a loop that stalls for five seconds does each thing that came due once, and bursts nothing', async () => {
    for (const name of ['Ticks', 'Once', 'Paused']) await fixture.virtual(name, 'counter');
    await fixture.save({
      name: 'Ticks',
      triggers: [{ type: 'time_pattern', seconds: '/1' }],
      actions: [fixture.count('Ticks')],
    });
    await fixture.save({ name: 'Once', triggers: [moment(inSeconds(3))], actions: [fixture.count('Once')] });
    const pause = { type: 'delay', duration: { seconds: 3 } };
    const paused = await fixture.save({ name: 'Paused', actions: [pause, fixture.count('Paused')] });
    await fixture.run(paused.id);
    await eventually(async () => Number(await fixture.valueOf('Ticks')) > 0, 'the first tick');
    const before = Number(await fixture.valueOf('Ticks'));
    const stalledAt = Date.now();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000);
    await eventually(async () => Number(await fixture.valueOf('Paused')) === 1, 'the delay to end');
    const after = Number(await fixture.valueOf('Ticks'));
    // One for all that went by, and those of the time that it took to look.
    expect(after - before).toBeLessThanOrEqual(2 + Math.ceil((Date.now() - stalledAt - 5_000) / 1_000));
    expect(after).toBeGreaterThan(before);
    expect([await fixture.valueOf('Once'), await fixture.valueOf('Paused')]).toEqual([1, 1]);
    await fixture.forgetAll();
  });

  it('moments that are weeks and years away do not come at once', async () => {
    await fixture.virtual('Early', 'counter');
    for (const days of [25, 30, 400]) {
      const trigger = moment(new Date(Date.now() + days * DAY_MS).toISOString());
      await fixture.save({ name: `In ${days} days`, triggers: [trigger], actions: [fixture.count('Early')] });
    }
    await delay(1_500);
    expect(await fixture.valueOf('Early')).toBe(0);
    await fixture.forgetAll();
  });

  it('a device that never answers holds up no other automation', async () => {
    const release = fixture.demoHome.stall('Hall Lamp', Characteristic.Brightness);
    const pressed = {
      type: 'state',
      accessoryId: fixture.id('Button'),
      characteristicType: 'programmable_switch_event',
      to: 0,
    };
    const stuck = await fixture.save({ name: 'Stuck', triggers: [pressed], actions: [fixture.dim('Hall Lamp', 9)] });
    const others = [];
    for (let n = 1; n <= 5; n += 1) {
      others.push(
        await fixture.save({ name: `Other ${n}`, triggers: [pressed], actions: [fixture.dim('Echo', 20 + n)] }),
      );
    }
    fixture.demoHome.press('Button');
    for (const { id } of others) expect((await fixture.untilEnded(id))[0].status).toBe('success');
    expect((await fixture.traces(stuck.id)).map(({ status }) => status)).toEqual(['running']);
    expect(fixture.demoHome.written('Echo').slice(-5).map(Number).sort()).toEqual([21, 22, 23, 24, 25]);
    release();
    await fixture.untilEnded(stuck.id, 1, 30_000);
    await fixture.forgetAll();
  });
});

describe('the daemon as a process', () => {
  let program: BuiltProgram;
  beforeAll(() => {
    program = buildProgram();
  });
  afterAll(() => program[Symbol.dispose]());

  const counters = async (client: AutomationClient, names: readonly string[]): Promise<readonly unknown[]> =>
    Promise.all(names.map((name) => client.valueOf(name)));

  it('that was suspended does what came due meanwhile at once, and once; what is too late by its settings is reported', async () => {
    await using daemon = await BuiltDaemon.start({ program, flags: ['--automation-late-minutes', '0'] });
    const client = new AutomationClient(daemon);
    await client.begin();
    for (const name of ['On Time', 'Late', 'Too Late', 'Delayed']) await client.virtual(name, 'counter');
    const at = async (name: string, dueAt: number): Promise<string> => {
      const triggers = [moment(new Date(dueAt).toISOString())];
      return (await client.save({ name, triggers, actions: [client.count(name)] })).id;
    };
    await at('On Time', Date.now() + 1_000);
    await eventually(async () => (await client.valueOf('On Time')) === 1, 'what is due at its time');
    const lateAt = Date.now() + 24_000;
    await at('Late', lateAt);
    const pause = { type: 'delay', duration: { seconds: 20 } };
    const delayed = await client.save({ name: 'Delayed', actions: [pause, client.count('Delayed')] });
    await client.run(delayed.id);
    const missed = await at('Too Late', Date.now() + 4_000);
    daemon.signal('SIGSTOP');
    await delay(lateAt + 1_000 - Date.now());
    daemon.signal('SIGCONT');
    const done = async (): Promise<boolean> =>
      (await counters(client, ['Late', 'Delayed'])).every((count) => count === 1);
    await eventually(done, 'what came due meanwhile');
    expect((await client.untilEnded(missed)).map(({ blockedReason }) => blockedReason)).toEqual(['missed']);
    await delay(1_500);
    expect(await counters(client, ['On Time', 'Late', 'Too Late', 'Delayed'])).toEqual([1, 1, 0, 1]);
  });
});
