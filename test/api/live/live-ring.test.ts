/** The ring of events and the readers' places in it, over a test home without any protocol. */
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LiveReader } from '../../../src/api/live/live-reader.ts';
import { LiveRing, type LiveRingLimits } from '../../../src/api/live/live-ring.ts';
import type { Caller } from '../../../src/app/access/caller.ts';
import { CHARACTERISTIC } from '../../../src/hap-spec/characteristics.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { callerOf, createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';
import { CountingHasher, createUser } from '../../support/test-users.ts';

let home: TestHome;
beforeEach(() => {
  home = createTestHome({ sample: true, passwordHasher: new CountingHasher() });
});
afterEach(() => home.close());

const ringOf = (limits: Partial<LiveRingLimits> = {}) => new LiveRing({ ...home, logger: silentLogger }, limits);

/** An event of the sample home, as the `n`-th. */
const happen = (n: number, homeId = home.home.id) =>
  home.bus.emit('presence.changed', {
    ...{ homeId, personId: String(n), atHome: true, anyoneHome: true, everyoneHome: true, at: home.clock.now() },
  });

/** A value of the lamp, by itself or as its answer to a command. */
function report(value: number, via: 'event' | 'write'): void {
  const { id, services } = home.named('Lamp');
  const { iid = '' } =
    services.flatMap(({ characteristics }) => characteristics).find(({ type }) => type === CHARACTERISTIC.brightness) ??
    {};
  home.state.applyValue(id, iid, value, via === 'event' ? 'device' : 'write');
}

const take = (reader: LiveReader, max = 1_000) => reader.next(max).events.map(({ data }) => Number(data.personId));

describe('a reader', () => {
  it('begins with what happens from now on, in order, each once', () => {
    const ring = ringOf();
    const early = ring.open({ caller: systemCaller });
    happen(1);
    const late = ring.open({ caller: systemCaller });
    for (const n of [2, 3]) happen(n);
    expect([take(early), take(early), take(late)]).toEqual([[1, 2, 3], [], [2, 3]]);
  });

  it('takes as much as it asks for, and the rest later', () => {
    const reader = ringOf().open({ caller: systemCaller });
    for (const n of [1, 2, 3]) happen(n);
    expect([take(reader, 2), reader.hasMore, take(reader, 2), reader.hasMore]).toEqual([[1, 2], true, [3], false]);
  });

  it('goes on where it was, by the id of the last event that it had', () => {
    const ring = ringOf();
    const reader = ring.open({ caller: systemCaller });
    for (const n of [1, 2, 3]) happen(n);
    const [first] = reader.next(1).events;
    expect(take(ring.open({ caller: systemCaller, after: first?.id }))).toEqual([2, 3]);
    expect(take(ring.open({ caller: systemCaller, after: reader.lastId }))).toEqual([2, 3]);
  });

  it.each(['', 'x', '-', '000000000000-1', '000000000000-999999999999999'])(
    'learns that the relay has restarted if its id "%s" is of another life',
    (after) => {
      const ring = ringOf();
      ring.open({ caller: systemCaller });
      happen(1);
      const reader = ring.open({ caller: systemCaller, after });
      expect(reader.next(10)).toEqual({ events: [], missed: { reason: 'restarted' } });
      happen(2);
      expect(reader.next(10)).toMatchObject({ events: [{ data: { personId: '2' } }], missed: undefined });
    },
  );

  it('learns the same if its id is of the future', () => {
    const ring = ringOf();
    const [epoch] = ring.open({ caller: systemCaller }).lastId.split('-');
    expect(ring.open({ caller: systemCaller, after: `${epoch}-7` }).next(10).missed).toEqual({ reason: 'restarted' });
  });

  it('learns how many it lost when the ring has gone past it, once, and goes on with the oldest that is left', () => {
    const reader = ringOf({ mostEvents: 4 }).open({ caller: systemCaller });
    for (let n = 1; n <= 10; n += 1) happen(n);
    const { events, missed } = reader.next(100);
    expect(missed).toEqual({ reason: 'overflow', count: 6 });
    expect(events.map(({ data }) => data.personId)).toEqual(['7', '8', '9', '10']);
    expect(reader.next(100)).toEqual({ events: [], missed: undefined });
  });

  it('receives only what its filter lets through', () => {
    const reader = ringOf().open({ caller: systemCaller, filter: ({ data }) => data.personId === '2' });
    for (const n of [1, 2, 3]) happen(n);
    expect(take(reader)).toEqual([2]);
  });

  it('receives nothing more of a home once its role there is gone, not even earlier events', async () => {
    const { caller, user } = await createUser(home, { role: 'view' });
    const reader = ringOf().open({ caller });
    happen(1);
    expect(take(reader)).toEqual([1]);
    happen(2);
    home.members.remove(systemCaller, { homeId: home.home.id, memberId: user.id });
    happen(3);
    expect(take(reader)).toEqual([]);
  });

  it('receives events of the homes that its token reaches and of no other', () => {
    const other = home.homes.create(systemCaller, { name: 'Cabin' });
    const reader = ringOf().open({ caller: tokenCaller({ [other.id]: 'view' }) });
    happen(1);
    happen(2, other.id);
    expect(take(reader)).toEqual([2]);
  });

  it('receives what its account has read in other browsers, and nothing of others', async () => {
    const [mine, theirs] = [await createUser(home, { name: 'Ann' }), await createUser(home, { name: 'Ben' })];
    const ring = ringOf();
    const readers = [mine.caller, theirs.caller, systemCaller].map((caller) => ring.open({ caller }));
    home.notifications.markRead(mine.caller, {});
    expect(readers.map((reader) => reader.next(10).events.map(({ type }) => type))).toEqual([
      ['notifications.read'],
      [],
      [],
    ]);
  });

  it('receives its account’s settings only', async () => {
    const [mine, theirs] = [await createUser(home, { name: 'Ann' }), await createUser(home, { name: 'Ben' })];
    const ring = ringOf();
    const readers = [mine.caller, theirs.caller, systemCaller].map((caller) => ring.open({ caller }));
    home.bus.emit('settings.changed', { userId: mine.user.id });
    expect(readers.map((reader) => reader.next(10).events.map(({ type }) => type))).toEqual([
      ['settings.changed'],
      [],
      [],
    ]);
  });

  it('receives of what belongs to no home the start of the relay, and as an admin the notifications', async () => {
    const { caller: guest } = await createUser(home, { name: 'Ann', role: 'view' });
    const { caller: admin } = await createUser(home, { name: 'Ben', role: 'admin' });
    const callers: Caller[] = [guest, admin, callerOf({ kind: 'anonymous' })];
    const ring = ringOf();
    const readers = callers.map((caller) => ring.open({ caller }));
    home.bus.emit('relay.started', { version: '1', at: 1 });
    await home.notifications.sendTest(systemCaller, 'Hello');
    expect(readers.map((reader) => reader.next(10).events.map(({ type }) => type))).toEqual([
      ['relay.started'],
      ['relay.started', 'notification.sent'],
      [],
    ]);
  });

  it('of a share link receives events of the accessories of its share', async () => {
    const [lamp, lock] = [home.named('Lamp'), home.named('Front Door')];
    const caller = callerOf({
      ...{ kind: 'share_link', shareHash: 'x', role: 'view', homeIds: new Set([home.home.id]) },
      accessoryIds: new Set([lamp.id]),
    });
    const reader = ringOf().open({ caller });
    happen(1);
    for (const { id } of [lock, lamp]) home.state.setReachable(id, false);
    expect(reader.next(10).events.map(({ accessoryId }) => accessoryId)).toEqual([lamp.id]);
  });
});

describe('the ring', () => {
  it('wakes its readers once a turn, and never makes one event wait for another', async () => {
    const reader = ringOf().open({ caller: systemCaller });
    const woken: number[] = [];
    reader.onReady(() => woken.push(take(reader).length));
    for (let n = 0; n < 50; n += 1) happen(n);
    expect(woken).toEqual([]);
    await setImmediate();
    expect(woken).toEqual([50]);
    for (let n = 0; n < 30; n += 1) happen(n);
    await setImmediate();
    expect(woken).toEqual([50, 30]);
  });

  it('wakes its readers for all that a device reports together, before anything else is read', async () => {
    const reader = ringOf().open({ caller: systemCaller });
    const woken: number[] = [];
    reader.onReady(() => woken.push(reader.next(100).events.length));

    for (const value of [1, 2, 3]) report(value, 'event');
    await Promise.resolve();
    expect(woken).toEqual([3]);
  });

  it('lets a command be answered before its readers get what it changed', async () => {
    const reader = ringOf().open({ caller: systemCaller });
    const woken: number[] = [];
    reader.onReady(() => woken.push(reader.next(100).events.length));

    report(1, 'write');
    await Promise.resolve();
    expect(woken).toEqual([]);
    await setImmediate();
    expect(woken).toEqual([1]);
  });

  it('gathers in a burst, but wakes at once for the first event of another accessory', async () => {
    const reader = ringOf().open({ caller: systemCaller });
    const woken: number[] = [];
    reader.onReady(() => woken.push(take(reader).length));
    for (let n = 0; n < 100; n += 1) {
      happen(n);
      await setImmediate();
    }
    expect(woken).toHaveLength(100);
    happen(0);
    happen(1);
    await setImmediate();
    expect(woken).toHaveLength(100);
    home.state.setReachable(home.named('Front Door').id, false);
    await setImmediate();
    expect(woken.slice(100)).toEqual([3]);
    happen(2);
    await setImmediate();
    expect(woken).toHaveLength(101);
    await home.clock.advance(25);
    expect(woken.slice(101)).toEqual([1]);
    await home.clock.advance(2_000);
    happen(3);
    await setImmediate();
    expect(woken.length).toBeGreaterThan(102);
  });

  it('wakes the others where one fails', async () => {
    const ring = ringOf();
    const [bad, good] = [ring.open({ caller: systemCaller }), ring.open({ caller: systemCaller })];
    let received = 0;
    bad.onReady(() => {
      throw new Error('no');
    });
    good.onReady(() => {
      received += 1;
    });
    happen(1);
    await setImmediate();
    expect(received).toBe(1);
  });

  it('wakes no closed reader', async () => {
    const reader = ringOf().open({ caller: systemCaller });
    reader.onReady(() => {
      throw new Error('still here');
    });
    reader.close();
    happen(1);
    await setImmediate();
    expect(reader.hasMore).toBe(true);
  });

  it('makes the text of an event once for all', () => {
    const ring = ringOf();
    const [one, two] = [ring.open({ caller: systemCaller }), ring.open({ caller: tokenCaller() })];
    happen(1);
    const [first, second] = [one.next(1).events[0], two.next(1).events[0]];
    expect(first).toBe(second);
    expect(JSON.parse(first?.json ?? '')).toMatchObject({ type: 'presence.changed', data: { personId: '1' } });
    expect(first?.json).toBe(second?.json);
  });

  it('keeps nothing before the first reader', () => {
    const ring = ringOf();
    happen(1);
    expect(ring.nextSeq).toBe(ring.oldestSeq);
  });

  it('keeps what happened for ten minutes', async () => {
    const ring = ringOf();
    const reader = ring.open({ caller: systemCaller });
    happen(1);
    await home.clock.advance(10 * 60_000);
    happen(2);
    expect(ring.oldestSeq).toBe(1);
    await home.clock.advance(1);
    happen(3);
    expect(reader.next(10).missed).toEqual({ reason: 'overflow', count: 1 });
  });

  it('keeps fewer events where their texts are long', () => {
    const ring = ringOf({ mostBytes: 10_000 });
    ring.open({ caller: systemCaller });
    const message = 'x'.repeat(2_000);
    for (let n = 0; n < 50; n += 1) {
      home.bus.emit('notification.sent', {
        ...{ notificationId: 'n', userId: null, homeId: home.home.id, automationId: null, title: null, message, at: n },
        buttons: 0,
      });
    }
    expect(ring.nextSeq - ring.oldestSeq).toBe(2);
  });

  it('loses nothing without reporting it, however events, readers and their pace mix', () => {
    const step = fc.oneof(
      fc.record({ happen: fc.integer({ min: 1, max: 9 }) }),
      fc.record({ take: fc.integer({ min: 1, max: 6 }) }),
      fc.constant({ comeBack: true }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 16 }), (steps, mostEvents) => {
        const ring = ringOf({ mostEvents });
        let reader = ring.open({ caller: systemCaller });
        let [reported, happened] = [0, 0];
        const takeSome = (max: number): void => {
          const { events, missed } = reader.next(max);
          if (missed) reported += missed.reason === 'overflow' ? missed.count : Number.NaN;
          for (const { data } of events) {
            reported += 1;
            expect(data.personId).toBe(String(reported));
          }
        };
        for (const one of steps) {
          if ('happen' in one) for (let n = 0; n < one.happen; n += 1) happen(++happened);
          else if ('take' in one) takeSome(one.take);
          else {
            const after = reader.lastId;
            reader.close();
            reader = ring.open({ caller: systemCaller, after });
          }
          expect(ring.nextSeq - ring.oldestSeq).toBeLessThanOrEqual(mostEvents);
        }
        while (reader.hasMore) takeSome(100);
        expect(reported).toBe(happened);
      }),
      { numRuns: 100 },
    );
  });
});
