import { isMainThread } from 'node:worker_threads';

/**
 * Runs what makes files under a umask. A thread, as in a mutation run, can set none: there it is the one of the system.
 */
export function underUmask<T>(umask: number, act: () => T): T {
  if (!isMainThread) return act();
  const before = process.umask(umask);
  try {
    return act();
  } finally {
    process.umask(before);
  }
}
