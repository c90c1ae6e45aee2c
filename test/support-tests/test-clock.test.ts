import { expect, it } from 'vitest';
import { TestClock } from '../support/test-clock.ts';

it('moves on for the least delay, so that code which waits for the rest of a time comes to its end', async () => {
  const clock = new TestClock();
  await clock.advance(100_000.3);
  const before = clock.monotonic();
  const times: number[] = [];
  clock.after(7e-12, () => times.push(clock.monotonic()));
  await clock.advance(10);
  expect(times).toHaveLength(1);
  expect(times[0]).toBeGreaterThan(before);
});
