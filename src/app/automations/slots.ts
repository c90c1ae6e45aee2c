import type { WallTimers } from '../../kernel/wall-timers.ts';
import type { Database } from '../../storage/database.ts';

export interface SlotWatch {
  /** The first moment after `after` at which it is due; `null`: never again. Milliseconds. */
  plan(after: number): number | null;
  /** It is due. Called in the transaction that marks the slot as fired: what it stores is stored with it. */
  fire(slotAt: number): void;
  /** It was due longer ago than the grace period. */
  missed(slotAt: number): void;
}

export declare class Slots {
  constructor(parts: { database: Database | null; timers: WallTimers; graceMs: number });
  /** @returns the function that ends it; what it has fired stays known under its key. */
  watch(key: string, watch: SlotWatch): () => void;
  /** Plans everything anew: a home's zone or place has changed. */
  replan(): void;
  /** Forgets the slots of every other key. */
  retain(keys: ReadonlySet<string>): void;
}
