import type { Clock } from './clock.ts';

export interface WallTimer {
  /** It is due; it has been forgotten before this is called. */
  due(now: number): void;
  /** For what lasts a while, not until a moment: the wall clock was set back, and its deadline moved along to this. */
  moved?(dueAt: number): void;
}

export declare class WallTimers {
  constructor(parts: { clock: Clock });
  /** The wall time, after whatever has become of the clock since the last look has been dealt with. */
  now(): number;
  /** @returns the function that cancels it */
  set(dueAt: number, timer: WallTimer): () => void;
  /** The wall clock was set, or the computer slept: by how much it differs from what had to be expected. Within a second of it. */
  onJump(listener: (byMs: number) => void): () => void;
  /** Looks at once: what is due, is dealt with before anything else is done. @returns the wall time */
  look(): number;
  stop(): void;
}
