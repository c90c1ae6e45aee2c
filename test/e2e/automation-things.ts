/** Things that come due by themselves, of each kind that must outlive the daemon's end: what they do counts once. */
import type { AutomationClient } from './automation-fixture.ts';

export interface Thing {
  readonly client: AutomationClient;
  /** Its kind, and a part of each name that it takes. */
  readonly n: number;
  /** Milliseconds of the wall clock. */
  readonly dueAt: number;
  /** The same time on the wall clock of the daemon, where that is wrong. */
  readonly dueOnClock?: number;
  readonly actions: readonly object[];
}

/** Begins a delay, wait, hold, moment or timer. What it makes is called `<kind> <n>`; a hold makes `Switch <n>`. */
export async function beginThing(thing: Thing): Promise<void> {
  await BEGIN[thing.n % BEGIN.length]?.(thing);
}

const secondsUntil = (dueAt: number): number => Math.max(1, Math.round((dueAt - Date.now()) / 1_000));

const BEGIN: readonly ((thing: Thing) => Promise<void>)[] = [
  async function delays({ client, n, dueAt, actions }) {
    const pause = { type: 'delay', duration: { seconds: secondsUntil(dueAt) } };
    const { id } = await client.save({ name: `Delay ${n}`, actions: [pause, ...actions] });
    await client.run(id);
  },
  async function waits({ client, n, dueAt, actions }) {
    const never = [{ type: 'event', eventType: 'never' }];
    const wait = { type: 'wait_for_trigger', triggers: never, timeout: { seconds: secondsUntil(dueAt) } };
    const { id } = await client.save({ name: `Wait ${n}`, actions: [wait, ...actions] });
    await client.run(id);
  },
  async function holds({ client, n, dueAt, actions }) {
    const accessoryId = await client.virtual(`Switch ${n}`, 'switch');
    const held = {
      type: 'state',
      accessoryId,
      characteristicType: 'on',
      to: true,
      for: { seconds: secondsUntil(dueAt) },
    };
    await client.save({ name: `Hold ${n}`, triggers: [held], actions });
    await client.operate(`Switch ${n}`, 'turn_on');
  },
  async function moments({ client, n, dueAt, dueOnClock = dueAt, actions }) {
    const trigger = { type: 'timer', fireDate: new Date(dueOnClock).toISOString() };
    await client.save({ name: `Moment ${n}`, triggers: [trigger], actions });
  },
  async function timers({ client, n, dueAt, actions }) {
    const accessoryId = await client.virtual(`Timer ${n}`, 'timer', {
      duration: secondsUntil(dueAt),
      restoreOnRestart: true,
    });
    const finished = { type: 'event', eventType: 'timer.finished', eventData: { accessoryId } };
    await client.save({ name: `Timer ${n}`, triggers: [finished], actions });
    await client.operate(`Timer ${n}`, 'start');
  },
];
