/** What is done to several things at once. */
import { describe, expect, it } from 'vitest';
import { doToEach, failuresByReason } from '../../../src/web/dashboard/ui/several.ts';

describe('several things', () => {
  it('are done one after another, those that fail are kept with their reason, and what was done is taken back', async () => {
    const log: string[] = [];
    const outcome = await doToEach(['A', 'B', 'C'], async (name) => {
      if (name === 'B') throw new Error('B is locked');
      log.push(`off ${name}`);
      return async () => log.push(`on ${name}`);
    });
    expect(outcome).toMatchObject({ done: 2, failures: [{ one: 'B', error: new Error('B is locked') }] });
    await outcome.undo?.();
    expect(log).toEqual(['off A', 'off C', 'on A', 'on C']);
    const none = await doToEach(['B'], () => Promise.reject(new Error('B is locked')));
    expect(none).toMatchObject({ done: 0, failures: [{ one: 'B' }], undo: undefined });
  });

  it('name what could not be taken back', async () => {
    const outcome = await doToEach(['A', 'B'], async (name) => async () => {
      if (name === 'A') throw new Error('A is gone');
    });
    expect(await outcome.undo?.()).toMatchObject({ done: 1, failures: [{ one: 'A', error: new Error('A is gone') }] });
  });

  it('that failed are named by their reason', () => {
    const failures = [
      { one: 'A', error: 'locked' },
      { one: 'B', error: 'gone' },
      { one: 'C', error: 'locked' },
    ];
    expect([...failuresByReason(failures, (one) => one.toLowerCase(), String)]).toEqual([
      ['locked', ['a', 'c']],
      ['gone', ['b']],
    ]);
  });
});
