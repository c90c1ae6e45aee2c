/**
 * How often each flow fired and when it last fired. Counts in memory and writes all counts together, at most once a
 * second, so that frequent firings do not wear out the disk. A crash loses at most one second of counts.
 */
import type { Clock } from '../../../kernel/clock.ts';
import { messageOf } from '../../../kernel/errors.ts';
import type { Logger } from '../../../kernel/logger.ts';
import type { Flow } from '../flow.ts';
import type { FlowStore } from './flow-store.ts';

const WRITE_INTERVAL_MS = 1_000;

export class FiringCounts {
  readonly #deps: { readonly store: Pick<FlowStore, 'saveCounts'>; readonly clock: Clock; readonly logger: Logger };
  readonly #find: (id: string) => Flow | undefined;
  readonly #unwritten = new Set<string>();
  #cancel: (() => void) | undefined;

  constructor(
    deps: { readonly store: Pick<FlowStore, 'saveCounts'>; readonly clock: Clock; readonly logger: Logger },
    find: (id: string) => Flow | undefined,
  ) {
    this.#deps = deps;
    this.#find = find;
  }

  /** The flow's counts have changed. */
  changed(id: string): void {
    this.#unwritten.add(id);
    this.#cancel ??= this.#deps.clock.after(WRITE_INTERVAL_MS, () => {
      this.#cancel = undefined;
      this.write();
    });
  }

  /** Writes pending counts; counts that cannot be written wait for the next firing. */
  write(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const counts = [...this.#unwritten].flatMap((id) => this.#find(id) ?? []);
    try {
      if (counts.length > 0) this.#deps.store.saveCounts(counts);
      this.#unwritten.clear();
    } catch (error) {
      this.#deps.logger.warn({ error: messageOf(error) }, 'Could not save how often automations fired');
    }
  }
}
