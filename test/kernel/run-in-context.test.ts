import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { runInContext } from '../../src/kernel/run-in-context.ts';

it('gives each run its own value, and switches the storage off after the last alone', async () => {
  const storage = new AsyncLocalStorage<string>();
  const disable = vi.spyOn(storage, 'disable');
  const read = async (turns: number) => {
    for (let passed = 0; passed < turns; passed += 1) await turn();
    return storage.getStore();
  };
  const long = runInContext(storage, 'long', () => read(5));
  expect(await runInContext(storage, 'short', () => read(1))).toBe('short');
  expect(disable).not.toHaveBeenCalled();
  expect(await long).toBe('long');
  expect(disable).toHaveBeenCalledOnce();
});

it('switches it off after a failure too, and on again for the next run', async () => {
  const storage = new AsyncLocalStorage<string>();
  const disable = vi.spyOn(storage, 'disable');
  await expect(runInContext(storage, 'one', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(disable).toHaveBeenCalledOnce();
  expect(await runInContext(storage, 'two', async () => storage.getStore())).toBe('two');
});
