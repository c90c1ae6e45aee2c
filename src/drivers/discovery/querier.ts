/**
 * Schedules queries: the browsing question for all HAP servers, with back-off; missing records, three times; records
 * that are about to expire, once per refresh point. Questions are collected briefly, merged into packets and sent at a
 * bounded rate. Neither a large home nor a flood of packets makes the relay flood the network.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { MissingRecord } from './appearance.ts';
import type { DnsQuestion } from './dns-message.ts';
import { nameKey } from './dns-name.ts';
import { type KnownAnswer, MAX_MESSAGE_BYTES, questionBytes, writeQuery } from './dns-writer.ts';

export const HAP_SERVICE = '_hap._tcp.local';

export interface QuerierDeps {
  readonly clock: Clock;
  readonly send: (packet: Buffer) => void;
  /** Known answers to the browsing question. */
  readonly knownAnswers: () => readonly KnownAnswer[];
}

interface Want {
  readonly question: DnsQuestion;
  asked: number;
  dueAt: number;
}

/**
 * RFC 6762 §5.2: the interval at least doubles, up to an hour. One minute also finds a device whose announcement was
 * lost.
 */
const FIRST_INTERVAL_MS = 1_000;
const MAX_INTERVAL_MS = 60_000;
/** Records missing from one packet often arrive in the next: wait before asking. */
const GATHER_MS = 100;
/** Delays from the first miss at which a missing record is queried: three tries within three seconds. */
const TRY_DELAYS_MS = [GATHER_MS, 1_000, 2_400];
/** A question without an answer is repeated only after this time. */
const GIVE_UP_MS = 60_000;
/** At most 16 packets per second in total, each with about 30 questions. */
const FLUSH_INTERVAL_MS = 250;
const PACKETS_PER_FLUSH = 4;
const MAX_OWNERS = 4_096;
const MAX_QUEUED = 2_048;

export class Querier {
  readonly #deps: QuerierDeps;
  /** Missing records by the owner that needs them. */
  readonly #wants = new Map<string, Map<string, Want>>();
  readonly #queue = new Map<string, DnsQuestion>();
  #interval = FIRST_INTERVAL_MS;
  #lastFlushAt = Number.NEGATIVE_INFINITY;
  #cancelBrowse: (() => void) | undefined;
  #cancelFlush: (() => void) | undefined;
  #flushAt = Number.POSITIVE_INFINITY;
  #running = false;

  constructor(deps: QuerierDeps) {
    this.#deps = deps;
  }

  /** Starts or restarts browsing, without known answers: after a network change they may be out of date. */
  restart(): void {
    this.#running = true;
    this.#interval = FIRST_INTERVAL_MS;
    this.#browse([]);
  }

  stop(): void {
    this.#running = false;
    this.#cancelBrowse?.();
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    this.#flushAt = Number.POSITIVE_INFINITY;
    this.#wants.clear();
    this.#queue.clear();
  }

  /** Sends the browsing question now, without known answers. */
  browseNow(): void {
    if (this.#running) this.#deps.send(writeQuery([{ name: HAP_SERVICE, type: 'PTR' }]));
  }

  /** Asks these questions once, soon. */
  ask(questions: readonly DnsQuestion[]): void {
    for (const question of questions) {
      if (this.#queue.size < MAX_QUEUED) this.#queue.set(`${question.type} ${nameKey(question.name)}`, question);
    }
    if (questions.length > 0) this.#flushIn(GATHER_MS);
  }

  /** Replaces the missing records of `owner`. An empty list removes it. */
  want(owner: string, missing: readonly MissingRecord[]): void {
    if (missing.length === 0) {
      this.#wants.delete(owner);
      return;
    }
    const before = this.#wants.get(owner);
    if (!before && this.#wants.size >= MAX_OWNERS) return;
    const now = this.#deps.clock.monotonic();
    const wants = new Map<string, Want>();
    for (const { key, question } of missing) {
      const known = before?.get(key);
      const spent = known !== undefined && known.asked === TRY_DELAYS_MS.length && known.dueAt <= now;
      const want = known && !spent ? known : { question, asked: 0, dueAt: now + GATHER_MS };
      wants.set(key, want);
      if (want.asked < TRY_DELAYS_MS.length) this.#flushIn(want.dueAt - now);
    }
    this.#wants.set(owner, wants);
  }

  #browse(knownAnswers: readonly KnownAnswer[]): void {
    this.#cancelBrowse?.();
    this.#deps.send(writeQuery([{ name: HAP_SERVICE, type: 'PTR' }], { knownAnswers }));
    this.#cancelBrowse = this.#deps.clock.after(this.#interval, () => this.#browse(this.#deps.knownAnswers()));
    this.#interval = Math.min(this.#interval * 2, MAX_INTERVAL_MS);
  }

  #flushIn(delayMs: number): void {
    if (!this.#running) return;
    const now = this.#deps.clock.monotonic();
    const at = Math.max(now + delayMs, this.#lastFlushAt + FLUSH_INTERVAL_MS);
    if (at >= this.#flushAt) return;
    this.#cancelFlush?.();
    this.#flushAt = at;
    this.#cancelFlush = this.#deps.clock.after(at - now, () => {
      this.#cancelFlush = undefined;
      this.#flushAt = Number.POSITIVE_INFINITY;
      this.#flush();
    });
  }

  #flush(): void {
    const now = this.#deps.clock.monotonic();
    this.#lastFlushAt = now;
    this.#queueWants(now);
    for (let packets = 0; packets < PACKETS_PER_FLUSH && this.#queue.size > 0; packets += 1) {
      this.#deps.send(writeQuery(this.#takeQuestions()));
    }
    if (this.#queue.size > 0) this.#flushIn(FLUSH_INTERVAL_MS);
  }

  #queueWants(now: number): void {
    let next = Number.POSITIVE_INFINITY;
    for (const [owner, wants] of this.#wants) {
      for (const want of wants.values()) {
        if (want.asked < TRY_DELAYS_MS.length && want.dueAt <= now) this.#queueWant(want, now);
        next = Math.min(next, want.asked < TRY_DELAYS_MS.length ? want.dueAt : Number.POSITIVE_INFINITY);
      }
      // All tries failed long ago: if the device is received again, the records are missing again.
      if ([...wants.values()].every(({ asked, dueAt }) => asked === TRY_DELAYS_MS.length && dueAt <= now)) {
        this.#wants.delete(owner);
      }
    }
    if (next < Number.POSITIVE_INFINITY) this.#flushIn(next - now);
  }

  #queueWant(want: Want, now: number): void {
    const passed = TRY_DELAYS_MS[want.asked] as number;
    want.asked += 1;
    const next = TRY_DELAYS_MS[want.asked];
    want.dueAt = now + (next === undefined ? GIVE_UP_MS : next - passed);
    if (this.#queue.size < MAX_QUEUED) {
      this.#queue.set(`${want.question.type} ${nameKey(want.question.name)}`, want.question);
    }
  }

  /** Takes as many questions as fit in one packet. */
  #takeQuestions(): readonly DnsQuestion[] {
    const questions: DnsQuestion[] = [];
    let bytes = 0;
    for (const [key, question] of this.#queue) {
      bytes += questionBytes(question);
      if (questions.length > 0 && bytes > MAX_MESSAGE_BYTES) break;
      questions.push(question);
      this.#queue.delete(key);
    }
    return questions;
  }
}
