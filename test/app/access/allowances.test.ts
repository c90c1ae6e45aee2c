import { expect, it } from 'vitest';
import { Allowances } from '../../../src/app/access/allowances.ts';
import { TestClock } from '../../support/test-clock.ts';

const RARE = { burst: 3, perSecond: 0.5 };

it('an allowance is used up by its owner alone, reports when there is more, and fills up again', async () => {
  const clock = new TestClock();
  const allowances = new Allowances(clock, 'Too often.');
  for (let index = 0; index < 3; index += 1) allowances.take('ann', RARE);
  expect(() => allowances.take('ann', RARE)).toThrow(
    expect.objectContaining({ code: 'rate_limited', message: 'Too often.', details: { retryAfterSeconds: 2 } }),
  );
  expect(() => allowances.take('bob', RARE)).not.toThrow();
  await clock.advance(2_000);
  allowances.take('ann', RARE);
  expect(() => allowances.take('ann', RARE)).toThrow();
});

it('who comes from ever new addresses is forgotten first come first, and remembers nothing without end', () => {
  const allowances = new Allowances(new TestClock(), 'Too often.');
  const once = { burst: 1, perSecond: 0.001 };
  allowances.take('first', once);
  for (let index = 0; index < 5_000; index += 1) allowances.take(`address ${index}`, once);
  expect(() => allowances.take('first', once)).not.toThrow();
  expect(() => allowances.take('address 4999', once)).toThrow();
});
