import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { parseIsoTime, systemClock } from '../../src/kernel/clock.ts';
import { HearthError, messageOf } from '../../src/kernel/errors.ts';
import { EventBus } from '../../src/kernel/event-bus.ts';
import { isUuid, newId, uuidV5 } from '../../src/kernel/ids.ts';
import { Lifecycle } from '../../src/kernel/lifecycle.ts';
import { type Logger, LogThrottle, silentLogger } from '../../src/kernel/logger.ts';
import { equalSecrets, randomToken, sha256Hex } from '../../src/kernel/secrets.ts';
import { TaskSlices } from '../../src/kernel/slices.ts';
import { VERSION } from '../../src/kernel/version.ts';
import { TestClock } from '../support/test-clock.ts';

interface Events {
  'thing.happened': { readonly n: number };
}

describe('the event bus', () => {
  it('calls listeners in the order they subscribed, until they unsubscribe', () => {
    const bus = new EventBus<Events>();
    const received: string[] = [];
    const end = bus.on('thing.happened', ({ n }) => received.push(`a${n}`));
    bus.on('thing.happened', ({ n }) => received.push(`b${n}`));
    bus.emit('thing.happened', { n: 1 });
    end();
    bus.emit('thing.happened', { n: 2 });
    expect(received).toEqual(['a1', 'b1', 'b2']);
  });

  it('lets a listener that throws do no harm, and logs it', () => {
    const error = vi.fn();
    const bus = new EventBus<Events>({ ...silentLogger, error } as Logger);
    const received = vi.fn();
    bus.on('thing.happened', () => {
      throw new Error('boom');
    });
    bus.on('thing.happened', received);
    bus.emit('thing.happened', { n: 1 });
    expect(received).toHaveBeenCalledOnce();
    expect(error).toHaveBeenCalledOnce();
  });

  it('lets the same function subscribe twice and end each subscription alone', () => {
    const bus = new EventBus<Events>();
    const listener = vi.fn();
    const end = bus.on('thing.happened', listener);
    bus.on('thing.happened', listener);
    end();
    bus.emit('thing.happened', { n: 1 });
    expect(listener).toHaveBeenCalledOnce();
  });
});

describe('the system clock', () => {
  it('does not fire a delay beyond 32 bits at once', () => {
    vi.useFakeTimers();
    try {
      const fired = vi.fn();
      const days = 24 * 60 * 60_000;
      systemClock.after(30 * days, fired);
      vi.advanceTimersByTime(29.9 * days);
      expect(fired).not.toHaveBeenCalled();
      vi.advanceTimersByTime(0.2 * days);
      expect(fired).toHaveBeenCalledOnce();
    } finally {
      vi.useRealTimers();
    }
  });

  it('cancels, in a later stretch of a long delay too', () => {
    vi.useFakeTimers();
    try {
      const fired = vi.fn();
      const cancel = systemClock.after(2 ** 32, fired);
      vi.advanceTimersByTime(2 ** 31 + 5);
      cancel();
      vi.advanceTimersByTime(2 ** 32);
      expect(fired).not.toHaveBeenCalled();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('times as text', () => {
  it.each([
    ['2028-02-29', Date.UTC(2028, 1, 29)],
    ['2030-06-01T12:00:00Z', Date.UTC(2030, 5, 1, 12)],
    ['2030-06-01T12:00:00+02:00', Date.UTC(2030, 5, 1, 10)],
    ['2030-02-31', Number.NaN],
    ['2027-02-29T00:00:00Z', Number.NaN],
    ['2030-04-31T00:00:00+02:00', Number.NaN],
    ['2030-13-01', Number.NaN],
    ['2030-06-01T25:00:00Z', Number.NaN],
    ['June 1, 2030', Number.NaN],
    ['', Number.NaN],
  ])('%j is %d', (text, time) => {
    expect(parseIsoTime(text)).toBe(time);
  });
});

describe('ids', () => {
  it('derives the UUID v5 of RFC 9562', () => {
    // The RFC's own example (appendix A.4): namespace DNS, name www.example.com.
    expect(uuidV5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
      '2ed6657d-e927-568b-95e1-2665a8aea6a2',
    );
  });

  it('knows its own ids as UUIDs, in any case, and nothing else', () => {
    expect(isUuid(newId())).toBe(true);
    expect(isUuid(newId().toUpperCase())).toBe(true);
    expect(isUuid(`${newId()}0`)).toBe(false);
    expect(isUuid('')).toBe(false);
  });
});

describe('secrets', () => {
  it('makes tokens of 43 base64url characters from 256 bits', () => {
    expect(randomToken(32)).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it('hashes as SHA-256 does', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('compares any two texts as === does', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => equalSecrets(a, b) === (a === b) && equalSecrets(a, a)));
  });
});

describe('the lifecycle', () => {
  it('stops in reverse what it started, even if a part fails to stop', async () => {
    const order: string[] = [];
    const part = (name: string, fails = false) => ({
      start: () => void order.push(`+${name}`),
      stop: () => {
        order.push(`-${name}`);
        if (fails) throw new Error('no');
      },
    });
    const lifecycle = new Lifecycle(silentLogger);
    await lifecycle.start('a', part('a'));
    await lifecycle.start('b', part('b', true));
    await lifecycle.start('c', part('c'));
    await lifecycle.stop();
    await lifecycle.stop();
    expect(order).toEqual(['+a', '+b', '+c', '-c', '-b', '-a']);
  });

  it('undoes what had started when a later part fails', async () => {
    const stop = vi.fn();
    const lifecycle = new Lifecycle(silentLogger);
    await lifecycle.start('a', { start() {}, stop });
    await expect(lifecycle.start('b', { start: () => Promise.reject(new Error('no')), stop() {} })).rejects.toThrow(
      'no',
    );
    await lifecycle.stop();
    expect(stop).toHaveBeenCalledOnce();
  });
});

describe('the log throttle', () => {
  it('logs one line per key and ten minutes, and counts the suppressed ones', async () => {
    const clock = new TestClock();
    const throttle = new LogThrottle(clock);
    const lines: object[] = [];
    const log = (key: string): void => throttle.once(key, (skipped) => lines.push({ key, ...skipped }));
    // A device that fails every second for an hour.
    for (let second = 0; second < 3_600; second += 1) {
      log('lamp');
      await clock.advance(1_000);
    }
    log('fan');
    expect(lines).toHaveLength(7);
    expect(lines[0]).toEqual({ key: 'lamp' });
    expect(lines[1]).toEqual({ key: 'lamp', suppressed: 599 });
    expect(lines.at(-1)).toEqual({ key: 'fan' });
  });
});

describe('errors', () => {
  it('carry a code, a sentence and details', () => {
    const error = new HearthError('rate_limited', 'Wait.', { retryAfterSeconds: 3 });
    expect(error).toMatchObject({ name: 'HearthError', code: 'rate_limited', message: 'Wait.' });
    expect(error.details.retryAfterSeconds).toBe(3);
    expect(messageOf('text')).toBe('text');
    expect(messageOf(error)).toBe('Wait.');
  });
});

describe('the version', () => {
  it('is the one of package.json', () => {
    expect(VERSION).toMatch(/^\d+\.\d+\.\d+/);
  });
});

describe('tasks in slices', () => {
  const busy = (ms: number): void => {
    for (const end = performance.now() + ms; performance.now() < end; );
  };

  it('runs a short one at once, and those after a slice in later turns, in order', async () => {
    const slices = new TaskSlices();
    const done: string[] = [];
    slices.run(() => {
      done.push('a');
      busy(10);
    });
    slices.run(() => {
      done.push('b');
      busy(10);
    });
    slices.run(() => done.push('c'));
    done.push('returned');
    setImmediate(() => done.push('turn'));
    await vi.waitFor(() => expect(done).toHaveLength(5));
    expect(done).toEqual(['a', 'returned', 'b', 'turn', 'c']);
  });

  it('drops a task that has not run', async () => {
    const slices = new TaskSlices();
    slices.run(() => busy(10));
    const dropped = vi.fn();
    const drop = slices.run(dropped);
    const last = vi.fn();
    slices.run(last);
    drop();
    await vi.waitFor(() => expect(last).toHaveBeenCalledOnce());
    expect(dropped).not.toHaveBeenCalled();
  });
});
