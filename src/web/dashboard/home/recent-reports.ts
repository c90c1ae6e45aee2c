/**
 * The values of the live events of the last seconds. A home requested before an event may arrive after it, and an
 * accessory may arrive after its first events: an event within this time is newer than the response. If it is not,
 * another event follows.
 */
import type { Value } from './home-document.ts';

const FRESH_MS = 10_000;

export interface ReportedValue {
  /** The characteristic's name in snake_case. */
  readonly type: string;
  readonly serviceId: string | undefined;
  readonly value: Value;
}

export interface ReportedReach {
  readonly isReachable: boolean;
  /** The time of the event. */
  readonly timestamp: string;
}

interface Dated<Content> {
  readonly content: Content;
  readonly atMs: number;
}

interface Reports {
  /** The last one of each characteristic. */
  readonly values: Map<string, Dated<ReportedValue>>;
  reach?: Dated<ReportedReach>;
}

export class RecentReports {
  readonly #reports = new Map<string, Reports>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  addValue(accessoryId: string, content: ReportedValue): void {
    const key = `${content.type} ${content.serviceId ?? ''}`;
    this.#of(accessoryId).values.set(key, { content, atMs: this.#now() });
  }

  addReach(accessoryId: string, content: ReportedReach): void {
    this.#of(accessoryId).reach = { content, atMs: this.#now() };
  }

  valuesOf(accessoryId: string): readonly ReportedValue[] {
    const dated = this.#reports.get(accessoryId)?.values.values() ?? [];
    return [...dated].filter((each) => this.#isFresh(each)).map(({ content }) => content);
  }

  reachOf(accessoryId: string): ReportedReach | undefined {
    const reach = this.#reports.get(accessoryId)?.reach;
    return reach && this.#isFresh(reach) ? reach.content : undefined;
  }

  forgetValues(accessoryId: string, isMeant: (value: ReportedValue) => boolean): void {
    const values = this.#reports.get(accessoryId)?.values;
    for (const [key, { content }] of values ?? []) if (isMeant(content)) values?.delete(key);
  }

  forgetAll(): void {
    this.#reports.clear();
  }

  forgetOld(): void {
    for (const [accessoryId, { values, reach }] of this.#reports) {
      const dated = [...values.values(), ...(reach ? [reach] : [])];
      if (!dated.some((each) => this.#isFresh(each))) this.#reports.delete(accessoryId);
    }
  }

  #of(accessoryId: string): Reports {
    const known = this.#reports.get(accessoryId);
    if (known) return known;
    const reports: Reports = { values: new Map() };
    this.#reports.set(accessoryId, reports);
    return reports;
  }

  #isFresh({ atMs }: Dated<unknown>): boolean {
    return this.#now() - atMs < FRESH_MS;
  }
}
