/** The order in which requests begin when there are more of them than the event loop has time for. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { RequestTurns } from '../../src/api/request-turns.ts';

/** Longer than requests may take in one turn of the event loop. */
const LONG_MS = 12;

function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('the turns of requests', () => {
  it('a request begins at once while there is time', () => {
    const turns = new RequestTurns();
    const begun: string[] = [];
    for (const name of ['a', 'b', 'c']) turns.take('10.0.0.1', () => begun.push(name));
    expect(begun).toEqual(['a', 'b', 'c']);
    expect(turns.wait('10.0.0.1')).toBeUndefined();
  });

  it('an address with a hundred requests and one with a single request take turns', async () => {
    const turns = new RequestTurns();
    const begun: string[] = [];
    turns.take('flood', () => work(LONG_MS));
    for (let n = 0; n < 100; n += 1) turns.take('flood', () => begun.push('flood'));
    turns.take('other', () => begun.push('other'));
    expect(begun).toEqual([]);
    while (begun.length < 101) await nextTurn();
    expect(begun.indexOf('other')).toBe(1);
  });

  it('other work of the event loop has its turn between requests that take long', async () => {
    const turns = new RequestTurns();
    const begun: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      turns.take('flood', () => {
        work(LONG_MS);
        begun.push(n);
      });
    }
    const seen: number[] = [];
    while (begun.length < 5) {
      seen.push(begun.length);
      await nextTurn();
    }
    expect(seen).toEqual(expect.arrayContaining([1, 2, 3, 4]));
    expect(begun).toEqual([0, 1, 2, 3, 4]);
  });

  it('what is costly in the middle of a request waits for its turn too', async () => {
    const turns = new RequestTurns();
    turns.take('flood', () => work(LONG_MS));
    const order: string[] = [];
    turns.take('flood', () => order.push('request'));
    await turns.wait('flood')?.then(() => order.push('costly part'));
    expect(order).toEqual(['request', 'costly part']);
  });
});
