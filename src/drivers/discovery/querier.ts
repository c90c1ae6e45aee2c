/**
 * Decides when to ask what: the browsing question for all HAP servers, with back-off; records that are missing, three times;
 * records about to expire, once each time. Questions are gathered for a moment, joined into packets and sent at a bounded
 * rate, so that neither a large house nor a flood makes us flood the network.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { MissingRecord } from './appearance.ts';
import type { Question } from './dns-message.ts';
import { nameKey } from './dns-name.ts';
import { type KnownAnswer, LARGEST_MESSAGE_BYTES, questionBytes, writeQuery } from './dns-writer.ts';

export const HAP_SERVICE = '_hap._tcp.local';

export interface QuerierOptions {
  readonly clock: Clock;
  readonly send: (packet: Buffer) => void;
  /** Instances that need not answer the browsing question. */
  readonly knownAnswers: () => readonly KnownAnswer[];
}

interface Want {
  readonly question: Question;
  asked: number;
  dueAt: number;
}

/** RFC 6762 §5.2: the interval at least doubles, up to an hour; a minute finds a device whose announcement was lost. */
const FIRST_INTERVAL_MS = 1_000;
const LONGEST_INTERVAL_MS = 60_000;
/** Records missing from one packet are often in the next: wait for it before asking. */
const GATHER_MS = 100;
/** After these delays from the first miss a missing record is asked for: three tries within three seconds. */
const TRY_DELAYS_MS = [GATHER_MS, 1_000, 2_400];
/** What was asked for in vain is asked for again only after this time. */
const GIVE_UP_MS = 60_000;
/** Together at most 16 packets a second, each of about 30 questions. */
const FLUSH_INTERVAL_MS = 250;
const PACKETS_PER_FLUSH = 4;
const MOST_OWNERS = 4_096;
const MOST_QUEUED = 2_048;

export class Querier {
  readonly #options: QuerierOptions;
  /** Missing records by whom they are missing from. */
  readonly #wants = new Map<string, Map<string, Want>>();
  readonly #queue = new Map<string, Question>();
  #interval = FIRST_INTERVAL_MS;
  #lastFlushAt = Number.NEGATIVE_INFINITY;
  #cancelBrowse: (() => void) | undefined;
  #cancelFlush: (() => void) | undefined;
  #flushAt = Number.POSITIVE_INFINITY;
  #running = false;

  constructor(options: QuerierOptions) {
    this.#options = options;
  }

  /** Begins browsing, or begins it anew: after a change of the network nobody's knowledge can be relied upon. */
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

  /** Asks the browsing question now and of everyone, known answers or not. */
  browseNow(): void {
    if (this.#running) this.#options.send(writeQuery([{ name: HAP_SERVICE, type: 'PTR' }]));
  }

  /** Asks these once, soon. */
  ask(questions: readonly Question[]): void {
    for (const question of questions) {
      if (this.#queue.size < MOST_QUEUED) this.#queue.set(`${question.type} ${nameKey(question.name)}`, question);
    }
    if (questions.length > 0) this.#flushIn(GATHER_MS);
  }

  /** What is missing of `owner` now; replaces what was. An empty list forgets it. */
  want(owner: string, missing: readonly MissingRecord[]): void {
    if (missing.length === 0) {
      this.#wants.delete(owner);
      return;
    }
    const before = this.#wants.get(owner);
    if (!before && this.#wants.size >= MOST_OWNERS) return;
    const now = this.#options.clock.monotonic();
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
    this.#options.send(writeQuery([{ name: HAP_SERVICE, type: 'PTR' }], { knownAnswers }));
    this.#cancelBrowse = this.#options.clock.after(this.#interval, () => this.#browse(this.#options.knownAnswers()));
    this.#interval = Math.min(this.#interval * 2, LONGEST_INTERVAL_MS);
  }

  #flushIn(delayMs: number): void {
    if (!this.#running) return;
    const now = this.#options.clock.monotonic();
    const at = Math.max(now + delayMs, this.#lastFlushAt + FLUSH_INTERVAL_MS);
    if (at >= this.#flushAt) return;
    this.#cancelFlush?.();
    this.#flushAt = at;
    this.#cancelFlush = this.#options.clock.after(at - now, () => {
      this.#cancelFlush = undefined;
      this.#flushAt = Number.POSITIVE_INFINITY;
      this.#flush();
    });
  }

  #flush(): void {
    const now = this.#options.clock.monotonic();
    this.#lastFlushAt = now;
    this.#queueWants(now);
    for (let packets = 0; packets < PACKETS_PER_FLUSH && this.#queue.size > 0; packets += 1) {
      this.#options.send(writeQuery(this.#takeQuestions()));
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
      // Asked in vain, and long ago: whoever is heard again will be missed anew.
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
    if (this.#queue.size < MOST_QUEUED) {
      this.#queue.set(`${want.question.type} ${nameKey(want.question.name)}`, want.question);
    }
  }

  /** As many questions as fit one packet. */
  #takeQuestions(): readonly Question[] {
    const questions: Question[] = [];
    let bytes = 0;
    for (const [key, question] of this.#queue) {
      bytes += questionBytes(question);
      if (questions.length > 0 && bytes > LARGEST_MESSAGE_BYTES) break;
      questions.push(question);
      this.#queue.delete(key);
    }
    return questions;
  }
}
