import { expect, it } from 'vitest';
import { freeStartMemory } from '../../src/cli/free-start-memory.ts';
import { TestClock } from '../support/test-clock.ts';

it('frees what the start left behind once, when the home is read', async () => {
  const clock = new TestClock();
  let freed = 0;
  freeStartMemory(clock, () => {
    freed += 1;
  });
  await clock.advance(29_000);
  expect(freed).toBe(0);
  await clock.advance(3_600_000);
  expect(freed).toBe(1);
});

it('frees nothing in a daemon that stops before that', async () => {
  const clock = new TestClock();
  let freed = 0;
  const cancel = freeStartMemory(clock, () => {
    freed += 1;
  });
  cancel();
  await clock.advance(60_000);
  expect(freed).toBe(0);
});

it('does nothing where Node was started without the flag of the service', () => {
  const clock = new TestClock();
  freeStartMemory(clock, undefined)();
  expect(clock.pendingTimers).toBe(0);
});
