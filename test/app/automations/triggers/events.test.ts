import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AutomationEvents } from '../../../../src/app/automations/automation-events.ts';
import { NO_CAUSE } from '../../../../src/app/automations/scope.ts';
import { AccessoryEvents } from '../../../../src/app/automations/triggers/accessory-events.ts';
import type { Trigger } from '../../../../src/app/automations/triggers/index.ts';
import { nextOf, summarizeTrigger, watchTrigger } from '../../../../src/app/automations/triggers/index.ts';
import { startSystemEvents } from '../../../../src/app/automations/triggers/system-events.ts';
import type { Json, JsonObject } from '../../../../src/kernel/json.ts';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import { systemCaller } from '../../../support/test-home.ts';
import { countListeners, createTriggerFixture, MOTION, type TriggerFixture, type Unnamed } from './trigger-fixture.ts';

const CAUSE = { chain: [{ automationId: 'a', name: 'First' }] };

let fixture: TriggerFixture;
beforeEach(() => {
  fixture = createTriggerFixture();
});
afterEach(() => fixture.close());

function emit(eventType: string, eventData: Json = {}, homeId = fixture.home.id): void {
  fixture.triggerDeps.events.emit({ homeId, eventType, eventData, cause: CAUSE });
}

describe('an event trigger', () => {
  it('hands on the event with its data and its cause', () => {
    const { fired } = fixture.watch({ type: 'event', eventType: 'party' });
    emit('party', { guests: 3 });
    emit('Party', {});
    emit('party', {}, 'another home');
    expect(fired.map(({ data, cause }) => [data, cause])).toEqual([
      [{ event_type: 'party', event_data: { guests: 3 } }, CAUSE],
    ]);
  });

  it.each<[string, JsonObject, Json, boolean]>([
    ['more than is wanted', { a: 1 }, { a: 1, b: 2 }, true],
    ['another value', { a: 1 }, { a: 2 }, false],
    ['what is not there', { a: 1 }, { b: 1 }, false],
    ['objects within', { a: { b: true } }, { a: { b: 1, c: 2 } }, true],
    ['lists, which must be equal', { a: [1, 2] }, { a: [1, 2, 3] }, false],
    ['equal lists', { a: [1, 2] }, { a: [1, 2] }, true],
    ['a list for an object', { a: {} }, { a: [] }, true],
    ['no object at all', { a: 1 }, 'a', false],
    ['nothing, where nothing is wanted', {}, null, true],
    ['what every object has from JavaScript', { constructor: {} }, {}, false],
    ['null that is not there', { a: null }, {}, false],
  ])('compares %s', (_, eventData, data, isMeant) => {
    const { fired } = fixture.watch({ type: 'event', eventType: 'x', eventData });
    emit('x', data);
    expect(fired).toHaveLength(isMeant ? 1 : 0);
  });

  it('is met by any event that holds all that is wanted, and more', () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
    // A key of this name is never looked at.
    const isPlain = (value: object): boolean => !JSON.stringify(value).includes('__proto__');
    fc.assert(
      fc.property(json.filter(isPlain), json, (wanted, more) => {
        const { fired, stop } = fixture.watch({ type: 'event', eventType: 'x', eventData: wanted as JsonObject });
        emit('x', JSON.parse(JSON.stringify({ ...more, ...wanted })) as Json);
        stop();
        expect(fired).toHaveLength(1);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a webhook trigger', () => {
  it('hands on the payload', () => {
    const { fired } = fixture.watch({ type: 'webhook', webhookId: 'abc' });
    emit('webhook.abc', { door: 'open' });
    emit('webhook.abcd', {});
    expect(fired.map(({ data }) => data)).toEqual([{ webhook_payload: { door: 'open' } }]);
  });
});

describe('automation events', () => {
  it('leave nothing behind, and one listener harms no other', () => {
    const error = vi.fn();
    const events = new AutomationEvents({ ...silentLogger, error });
    const received: string[] = [];
    const stops = [
      events.on('h', 'x', () => {
        throw new Error('broken');
      }),
      events.on('h', 'x', () => {
        received.push('second');
        stops[2]?.();
      }),
      events.on('h', 'x', () => received.push('third')),
    ];
    events.emit({ homeId: 'h', eventType: 'x', eventData: {}, cause: NO_CAUSE });
    expect([received, error.mock.calls.length]).toEqual([['second'], 1]);
    for (const stop of stops) stop();
    events.emit({ homeId: 'h', eventType: 'x', eventData: {}, cause: NO_CAUSE });
    expect(received).toEqual(['second']);
    // A listener that comes after the last one went receives events like any other.
    events.on('h', 'x', () => received.push('new'));
    events.emit({ homeId: 'h', eventType: 'x', eventData: {}, cause: NO_CAUSE });
    expect(received).toEqual(['second', 'new']);
  });
});

describe('events of accessories', () => {
  it('reach the triggers of their accessory only, with one subscription of each kind to the bus for all of them', () => {
    const listeners = countListeners(fixture);
    const events = new AccessoryEvents({ bus: fixture.bus });
    const calls = vi.fn();
    const stops = fixture.state.accessories().map(({ id }) => events.on(id, { changed: calls }));
    expect(listeners()).toBe(4);
    fixture.report(MOTION, '9', true);
    expect(calls).toHaveBeenCalledTimes(1);
    for (const stop of [...stops, ...stops]) stop();
    expect(listeners()).toBe(0);
  });

  it('go on to the others where one fails or is ended by the one before it', () => {
    const error = vi.fn();
    const events = new AccessoryEvents({ bus: fixture.bus, logger: { ...silentLogger, error } });
    const { id } = fixture.named('Motion');
    const received: string[] = [];
    events.on(id, {
      changed() {
        stopThird();
        throw new Error('broken');
      },
    });
    events.on(id, { changed: () => received.push('second') });
    const stopThird = events.on(id, { changed: () => received.push('third') });
    fixture.report(MOTION, '9', true);
    expect([received, error.mock.calls.length]).toEqual([['second'], 1]);
  });

  it('cost next to nothing with a thousand triggers on other accessories', () => {
    const events = new AccessoryEvents({ bus: fixture.bus });
    const others = vi.fn();
    for (let index = 0; index < 1_000; index += 1) events.on(`other-${index}`, { changed: others });
    for (let index = 0; index < 1_000; index += 1) fixture.report(MOTION, '9', index % 2 === 0);
    expect(others).not.toHaveBeenCalled();
  });
});

describe('system events', () => {
  const start = () => startSystemEvents({ ...fixture.triggerDeps, timerOf: fixture.timerOf });

  it('report that the relay is connected when the daemon has started, when it is cut off and when it is back', () => {
    const on = fixture.watch({ type: 'system', event: 'relay_connected' }, 'on');
    const off = fixture.watch({ type: 'system', event: 'relay_disconnected' }, 'off');
    const stop = start();
    expect(on.fired.map(({ data }) => data)).toEqual([{ event_type: 'system.relay_connected', event_data: {} }]);
    fixture.registry.setConnected(fixture.home.id, false);
    fixture.registry.setConnected(fixture.home.id, true);
    expect([on.fired.length, off.fired.length]).toEqual([2, 1]);
    stop();
    fixture.registry.setConnected(fixture.home.id, false);
    expect(off.fired).toHaveLength(1);
  });

  it('take a paused home for one that is cut off', () => {
    const { fired } = fixture.watch({ type: 'system', event: 'relay_disconnected' });
    const stop = start();
    fixture.homes.update(systemCaller, fixture.home.id, { paused: true });
    fixture.homes.update(systemCaller, fixture.home.id, { name: 'Renamed' });
    expect(fired).toHaveLength(1);
    stop();
  });

  it('report what virtual timers do', async () => {
    const { id } = fixture.virtuals.create(systemCaller, {
      homeId: fixture.home.id,
      name: 'Eggs',
      type: 'timer',
      durationMs: 60_000,
    });
    const stop = start();
    const words = ['started', 'finished', 'paused', 'resumed', 'cancelled'];
    const received: unknown[] = [];
    for (const word of words) {
      fixture.triggerDeps.events.on(fixture.home.id, `timer.${word}`, ({ eventData }) =>
        received.push([word, eventData]),
      );
    }
    const operate = (operation: string) => fixture.virtuals.operate(systemCaller, id, operation);
    for (const operation of ['start', 'pause', 'resume', 'cancel', 'start', 'finish', 'start', 'cancel', 'start']) {
      await operate(operation);
      await fixture.clock.advance(1_000);
    }
    await fixture.clock.advance(60_000);
    const data = { accessoryId: id, name: 'Eggs' };
    const order = ['started', 'paused', 'resumed', 'cancelled', 'started', 'finished', 'started', 'cancelled'];
    expect(received).toEqual([...order, 'started', 'finished'].map((word) => [word, data]));
    stop();
  });

  it('distinguish virtual timers that ended after a restart from cancelled ones', () => {
    const create = (name: string, minutes: number) => {
      const fields = { homeId: fixture.home.id, name, type: 'timer', durationMs: minutes * 60_000 } as const;
      const { id } = fixture.virtuals.create(systemCaller, fields);
      // Each has been through once before.
      for (const operation of ['start', 'finish', 'start']) fixture.virtuals.operate(systemCaller, id, operation);
      return id;
    };
    const [short, long, longer] = [create('Short', 1), create('Long', 60), create('Longer', 90)];
    // A daemon that begins: virtual accessories are there, and not yet read.
    fixture.virtualDriver.stop();
    for (const id of [short, long, longer]) {
      fixture.registry.setReachable(fixture.state.accessory(id)?.address.source ?? '', false);
    }
    fixture.clock.jumpWallClock(120_000);
    const received: string[] = [];
    for (const word of ['started', 'finished', 'cancelled']) {
      fixture.triggerDeps.events.on(fixture.home.id, `timer.${word}`, ({ eventData }) => {
        received.push(`${(eventData as { name: string }).name} ${word}`);
      });
    }
    const stop = start();
    fixture.virtualDriver.start();
    fixture.virtuals.operate(systemCaller, long, 'cancel');
    fixture.virtuals.operate(systemCaller, longer, 'finish');
    expect(received).toEqual(['Short finished', 'Long cancelled', 'Longer finished']);
    stop();
  });
});

describe('every kind', () => {
  const target = { accessoryId: 'gone', characteristicType: 'power_state' };
  const all: readonly Unnamed[] = [
    { type: 'state', ...target },
    { type: 'numeric_state', ...target, above: 1 },
    { type: 'time', at: '07:00', weekdays: [1, 5] },
    { type: 'time_pattern', minutes: '/5' },
    { type: 'sun', event: 'sunset', offset: { minutes: -30 } },
    { type: 'webhook', webhookId: 'abc' },
    { type: 'event', eventType: 'party' },
    { type: 'system', event: 'automation_reloaded' },
    { type: 'template', expression: '{{ 1 == 1 }}' },
    { type: 'device_availability', accessoryId: 'gone', to: 'unavailable' },
    { type: 'presence', event: 'lastDeparture' },
    { type: 'location', latitude: 1, longitude: 2, radius: 100, notifyOnEntry: true, notifyOnExit: true },
    { type: 'timer', fireDate: '2026-02-01T07:00:00Z' },
    { type: 'calendar', components: { hour: 7, minute: 0 } },
    { type: 'duration', seconds: 90 },
  ];
  const trigger = (unnamed: Unnamed, enabled = true): Trigger => ({ id: 't', enabled, ...unnamed }) as Trigger;

  it('describes in one line what it is about', () => {
    expect(all.map((one) => summarizeTrigger(trigger(one), fixture.state))).toEqual([
      'Power state of an accessory that is gone changes',
      'Power state of an accessory that is gone goes above 1',
      'At 07:00 on Monday, Friday',
      'Whenever the clock shows minutes /5',
      '30 minutes before sunset',
      'When its webhook is called',
      'On the event party',
      'When an automation of the home was saved',
      '{{ 1 == 1 }} becomes true',
      "an accessory that is gone can't be reached for 5 minutes",
      'The last of all leaves home',
      'Anyone enters or leaves the 100 m around 1, 2',
      'Once, at 2026-02-01T07:00:00Z',
      'Whenever the calendar shows hour 7, minute 0',
      '1 minute 30 seconds later',
    ]);
  });

  it('watches nothing and is never due while it is off', () => {
    const listeners = countListeners(fixture);
    const fire = vi.fn();
    for (const [index, one] of all.entries()) {
      watchTrigger(trigger(one, false), {
        key: `k${index}`,
        homeId: fixture.home.id,
        since: fixture.clock.now(),
        triggerDeps: fixture.triggerDeps,
        fire,
        missed: fire,
      });
      expect(nextOf(trigger(one, false), { homeId: fixture.home.id, state: fixture.state }, 0)).toBeNull();
    }
    expect(listeners()).toBe(0);
    expect(fire).not.toHaveBeenCalled();
  });

  it('leaves nothing behind when it is ended', async () => {
    const pending = fixture.clock.pendingTimers;
    const listeners = countListeners(fixture);
    const watches = all.map((one, index) => fixture.watch(one, `k${index}`));
    expect(listeners()).toBeGreaterThan(0);
    await fixture.clock.advance(1_000);
    for (const { stop } of watches) stop();
    expect(listeners()).toBe(0);
    expect(fixture.clock.pendingTimers).toBeLessThanOrEqual(pending);
  });
});
