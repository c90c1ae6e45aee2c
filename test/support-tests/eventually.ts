import { expect } from 'vitest';
import { PATIENCE_MS } from '../support/patience.ts';

/** `expect` of what `probe` returns sooner or later. */
export function eventually<T>(probe: () => T) {
  return expect.poll(probe, { timeout: PATIENCE_MS, interval: 10 });
}
