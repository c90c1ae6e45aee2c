import { expect, it } from 'vitest';
import { loadOnce } from '../../src/kernel/load-once.ts';

it('loads once, however many ask at the same time and later', async () => {
  let loads = 0;
  const get = loadOnce(async () => {
    loads += 1;
    return { loads };
  });
  expect(loads).toBe(0);
  const [first, second] = await Promise.all([get(), get()]);
  expect(first).toBe(second);
  expect(await get()).toBe(first);
  expect(loads).toBe(1);
});

it('reports a failure to all who wait, and loads again for the next caller', async () => {
  let loads = 0;
  const get = loadOnce(async () => {
    loads += 1;
    if (loads === 1) throw new Error('replaced');
    return loads;
  });
  const waiting = await Promise.allSettled([get(), get()]);
  expect(waiting.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await get()).toBe(2);
});
