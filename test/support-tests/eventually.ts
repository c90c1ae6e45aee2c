import { expect } from 'vitest';

/** Only tells life from death: on a busy machine everything may take long. */
const LIVENESS_MS = 10_000;

/** `expect` of what `probe` returns sooner or later. */
export function eventually<T>(probe: () => T) {
  return expect.poll(probe, { timeout: LIVENESS_MS, interval: 10 });
}
