/**
 * Finds the writer of a characteristic: each write is registered before it is sent, and each change is looked up. A
 * device responds to a write and reports the effect within a moment. Later changes, and changes of characteristics that
 * the write did not touch, have no writer. Memory only.
 */
import type { HapId } from '../../home/model.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { WriteTarget } from './write-plan.ts';

/** How long after a settled write a change is attributed to it. Polled or slow devices report late. */
export const AFTERMATH_MS = 5_000;

interface Written<Writer> {
  readonly writer: Writer;
  /** Monotonic; `null` while the write is in progress. */
  settledAt: number | null;
}

/** @typeParam Writer what caused a write */
export class RecentWrites<Writer> {
  readonly #clock: Clock;
  readonly #written = new Map<string, Written<Writer>>();

  constructor(deps: { clock: Clock }) {
    this.#clock = deps.clock;
  }

  /**
   * A write is about to start. It replaces the writers before it.
   * @param writer `undefined`: the characteristics have no writer from now on.
   * @returns the callback for when the write has settled
   */
  begin(writes: readonly WriteTarget[], writer: Writer | undefined): () => void {
    if (writer === undefined) {
      for (const { accessoryId, serviceIid, iid } of writes) {
        this.#written.delete(keyOf(accessoryId, iid));
        this.#written.delete(keyOf(accessoryId, SERVICE + serviceIid));
      }
      return () => {};
    }
    const written: Written<Writer> = { writer, settledAt: null };
    for (const { accessoryId, serviceIid, iid } of writes) {
      this.#written.set(keyOf(accessoryId, iid), written);
      this.#written.set(keyOf(accessoryId, SERVICE + serviceIid), written);
    }
    return () => {
      written.settledAt = this.#clock.monotonic();
    };
  }

  /** The writer of a characteristic whose write is in progress, or settled less than `withinMs` ago. */
  of(accessoryId: string, iid: HapId, withinMs = AFTERMATH_MS): Writer | undefined {
    return this.#find(keyOf(accessoryId, iid), withinMs);
  }

  /** As `of`, for any characteristic of a service. */
  ofService(accessoryId: string, serviceIid: HapId, withinMs = AFTERMATH_MS): Writer | undefined {
    return this.#find(keyOf(accessoryId, SERVICE + serviceIid), withinMs);
  }

  /** A characteristic has no writer any more. */
  forget(accessoryId: string, iid: HapId): void {
    this.#written.delete(keyOf(accessoryId, iid));
  }

  #find(key: string, withinMs: number): Writer | undefined {
    const written = this.#written.get(key);
    if (!written) return undefined;
    const isRecent = written.settledAt === null || written.settledAt + withinMs >= this.#clock.monotonic();
    return isRecent ? written.writer : undefined;
  }
}

/** Services and characteristics of an accessory share one series of iids. */
const SERVICE = 's';

function keyOf(accessoryId: string, part: string): string {
  return `${accessoryId} ${part}`;
}
