import { describe, expect, it } from 'vitest';
import { Coalescer } from '../../src/kernel/coalesce.ts';
import { Switched } from '../../src/kernel/switched.ts';
import { TestClock } from '../support/test-clock.ts';

describe('what changes often', () => {
  it('is reported at once, then once an interval for each, the last change never lost', async () => {
    const clock = new TestClock();
    const reported: string[] = [];
    const changes = new Coalescer<string>(clock, 1_000, (key) => reported.push(key));
    for (const key of ['a', 'a', 'b', 'a']) changes.changed(key);
    expect(reported).toEqual(['a', 'b']);
    await clock.advance(1_000);
    expect(reported).toEqual(['a', 'b', 'a']);
    await clock.advance(5_000);
    changes.changed('b');
    changes.changed('b');
    changes.stop();
    await clock.advance(5_000);
    expect(reported).toEqual(['a', 'b', 'a', 'b']);
  });
});

describe('a part that is wanted or not', () => {
  it('runs while it is, one change after the other, and not at all once it was stopped', async () => {
    const acts: string[] = [];
    let isWanted = false;
    const part = {
      async start() {
        acts.push('start');
      },
      async stop() {
        acts.push('stop');
      },
    };
    const switched = new Switched(part, () => isWanted);
    await switched.start();
    isWanted = true;
    await switched.follow();
    isWanted = false;
    void switched.follow();
    isWanted = true;
    await switched.follow();
    await switched.stop();
    await switched.follow();
    expect(acts).toEqual(['start', 'stop']);
  });

  it('is tried again after it failed to start', async () => {
    let fails = true;
    const starts: boolean[] = [];
    const part = {
      start() {
        starts.push(fails);
        if (fails) throw new Error('no network');
      },
      stop() {},
    };
    const switched = new Switched(part, () => true);
    await expect(switched.start()).rejects.toThrow('no network');
    fails = false;
    await switched.follow();
    expect(starts).toEqual([true, false]);
  });
});
