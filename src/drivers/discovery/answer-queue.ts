/**
 * Multicast answers that wait for their moment (RFC 6762 §6): others may have the same one, more questions may follow, and no record
 * is said twice within a second, however often it is asked for. Bounded by the number of records that we have.
 */
import type { Clock } from '../../kernel/clock.ts';
import { knows } from './answers.ts';
import type { DnsRecord } from './dns-message.ts';
import type { OwnRecord } from './dns-writer.ts';

export interface AnswerQueueOptions {
  readonly clock: Clock;
  readonly send: (answers: readonly OwnRecord[]) => void;
}

interface Waiting {
  dueAt: number;
  /** Who asked; as soon as none of them needs it any more, it is not sent. */
  readonly askers: Set<string>;
}

/** RFC 6762 §6. */
const SAID_LATELY_MS = 1_000;
/** RFC 6762 §6: whoever is about to take a name must hear at once that it is taken. */
const DEFENDED_LATELY_MS = 250;
const MOST_ASKERS = 256;
/** Timers may fire a little early. */
const SLACK_MS = 1;

export class AnswerQueue {
  readonly #options: AnswerQueueOptions;
  readonly #waiting = new Map<OwnRecord, Waiting>();
  readonly #saidAt = new Map<OwnRecord, number>();
  #cancel: (() => void) | undefined;

  constructor(options: AnswerQueueOptions) {
    this.#options = options;
  }

  /** @param defends the answer tells a prober that a name is taken. */
  add(records: readonly OwnRecord[], asker: string, delayMs: number, defends = false): void {
    const now = this.#options.clock.monotonic();
    const lately = defends ? DEFENDED_LATELY_MS : SAID_LATELY_MS;
    for (const record of records) {
      const dueAt = Math.max(now + delayMs, (this.#saidAt.get(record) ?? Number.NEGATIVE_INFINITY) + lately);
      const waiting = this.#waiting.get(record);
      if (!waiting) {
        this.#waiting.set(record, { dueAt, askers: new Set([asker]) });
        continue;
      }
      waiting.dueAt = Math.min(waiting.dueAt, dueAt);
      if (waiting.askers.size < MOST_ASKERS) waiting.askers.add(asker);
    }
    this.#flush();
  }

  /** The asker turns out to know these already (RFC 6762 §7.2). */
  withdraw(known: readonly DnsRecord[], asker: string): void {
    for (const [record, { askers }] of [...this.#waiting]) {
      if (!known.some((other) => knows(other, record))) continue;
      // Where some askers are no longer told apart, all of them are answered.
      if (askers.size < MOST_ASKERS) askers.delete(asker);
      if (askers.size === 0) this.#waiting.delete(record);
    }
  }

  /** They have been sent to everybody, for whatever reason. */
  noteSaid(records: readonly OwnRecord[]): void {
    const now = this.#options.clock.monotonic();
    for (const record of records) {
      this.#saidAt.set(record, now);
      this.#waiting.delete(record);
    }
  }

  /** Whether everybody heard it within a quarter of its time to live (RFC 6762 §5.4). */
  isFresh(record: OwnRecord): boolean {
    const saidAt = this.#saidAt.get(record);
    return saidAt !== undefined && this.#options.clock.monotonic() - saidAt < (record.ttlSeconds * 1_000) / 4;
  }

  clear(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#waiting.clear();
    this.#saidAt.clear();
  }

  /** Sends what is due, all in one, and comes back for the rest. */
  #flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const now = this.#options.clock.monotonic();
    const due = [...this.#waiting].filter(([, { dueAt }]) => dueAt <= now + SLACK_MS).map(([record]) => record);
    if (due.length > 0) {
      this.noteSaid(due);
      this.#options.send(due);
    }
    const next = Math.min(...[...this.#waiting.values()].map(({ dueAt }) => dueAt));
    if (next < Number.POSITIVE_INFINITY) this.#cancel = this.#options.clock.after(next - now, () => this.#flush());
  }
}
