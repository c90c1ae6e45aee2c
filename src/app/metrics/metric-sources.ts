/**
 * All metrics of the relay, as an operation. Modules register how their metrics are read. Nothing is collected before a
 * request, and nothing is kept. It depends on no module and no format: the home's metrics are in `collect-metrics.ts`,
 * and the API formats them.
 */
import type { Access } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { MetricFamily } from './metric-family.ts';

export type ReadMetrics = () => Iterable<MetricFamily>;

export class MetricSources {
  readonly #access: Access;
  readonly #sources: ReadMetrics[] = [];

  constructor({ access }: { readonly access: Access }) {
    this.#access = access;
  }

  /** Registers further metrics, in output order. Their names must be unique. */
  add(read: ReadMetrics): void {
    this.#sources.push(read);
  }

  /**
   * The metrics of the relay. Requires an admin of any home: the metrics aggregate all homes and name none.
   * @throws `insufficient_permissions`
   */
  read(caller: Caller): readonly MetricFamily[] {
    this.#access.authorizeAny(caller, 'manage');
    return this.#sources.flatMap((read) => [...read()]);
  }
}
