/**
 * Multicast answers that wait for their time (RFC 6762 §6): other hosts may send the same answer, and more questions
 * may follow. No record is sent twice within a second, however many questions ask for it. The queue is bounded by the
 * number of our records.
 */
import type { Clock } from '../../kernel/clock.ts';
import { knows } from './answers.ts';
import type { DnsRecord } from './dns-message.ts';
import type { OwnRecord } from './dns-writer.ts';

export interface AnswerQueueDeps {
  readonly clock: Clock;
  readonly send: (answers: readonly OwnRecord[]) => void;
}

interface Waiting {
  dueAt: number;
  /** The hosts that asked. When none of them needs the answer any more, it is not sent. */
  readonly askers: Set<string>;
}

/** RFC 6762 §6. */
const RECENTLY_SENT_MS = 1_000;
/** RFC 6762 §6: a host that probes for a name must learn quickly that it is taken. */
const DEFENDED_LATELY_MS = 250;
const MAX_ASKERS = 256;
/** Timers may fire a little early. */
const SLACK_MS = 1;

export class AnswerQueue {
  readonly #deps: AnswerQueueDeps;
  readonly #waiting = new Map<OwnRecord, Waiting>();
  readonly #sentAt = new Map<OwnRecord, number>();
  #cancel: (() => void) | undefined;

  constructor(deps: AnswerQueueDeps) {
    this.#deps = deps;
  }

  /** @param defends the answer informs a prober that the name is taken */
  add(records: readonly OwnRecord[], asker: string, delayMs: number, defends = false): void {
    const now = this.#deps.clock.monotonic();
    const lately = defends ? DEFENDED_LATELY_MS : RECENTLY_SENT_MS;
    for (const record of records) {
      const dueAt = Math.max(now + delayMs, (this.#sentAt.get(record) ?? Number.NEGATIVE_INFINITY) + lately);
      const waiting = this.#waiting.get(record);
      if (!waiting) {
        this.#waiting.set(record, { dueAt, askers: new Set([asker]) });
        continue;
      }
      waiting.dueAt = Math.min(waiting.dueAt, dueAt);
      if (waiting.askers.size < MAX_ASKERS) waiting.askers.add(asker);
    }
    this.#flush();
  }

  /** The asker already knows these records (RFC 6762 §7.2). */
  withdraw(known: readonly DnsRecord[], asker: string): void {
    for (const [record, { askers }] of [...this.#waiting]) {
      if (!known.some((other) => knows(other, record))) continue;
      // Above the limit, askers are not tracked separately, so the answer is sent.
      if (askers.size < MAX_ASKERS) askers.delete(asker);
      if (askers.size === 0) this.#waiting.delete(record);
    }
  }

  /** The records have just been multicast, for any reason. */
  noteSent(records: readonly OwnRecord[]): void {
    const now = this.#deps.clock.monotonic();
    for (const record of records) {
      this.#sentAt.set(record, now);
      this.#waiting.delete(record);
    }
  }

  /** Whether the record was multicast within the last quarter of its TTL (RFC 6762 §5.4). */
  isFresh(record: OwnRecord): boolean {
    const sentAt = this.#sentAt.get(record);
    return sentAt !== undefined && this.#deps.clock.monotonic() - sentAt < (record.ttlSeconds * 1_000) / 4;
  }

  clear(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#waiting.clear();
    this.#sentAt.clear();
  }

  /** Sends all due answers in one message, and schedules the rest. */
  #flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const now = this.#deps.clock.monotonic();
    const due = [...this.#waiting].filter(([, { dueAt }]) => dueAt <= now + SLACK_MS).map(([record]) => record);
    if (due.length > 0) {
      this.noteSent(due);
      this.#deps.send(due);
    }
    const next = Math.min(...[...this.#waiting.values()].map(({ dueAt }) => dueAt));
    if (next < Number.POSITIVE_INFINITY) this.#cancel = this.#deps.clock.after(next - now, () => this.#flush());
  }
}
