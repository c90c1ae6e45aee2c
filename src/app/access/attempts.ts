/**
 * Counts tries of whatever can be guessed (passwords, passcodes, codes), in one place for every door. Kept in the database: a restart
 * forgives nothing. By our clock; one that is set forward or back never locks anybody out for longer than the rule itself says.
 *
 * Tries that run at the same time must not all pass before the first is counted: `spend` counts a try before anything costly is
 * computed, and whoever turns out to be right takes it back (`refund`) or wipes the slate (`clear`).
 */
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { sha256Hex } from '../../kernel/secrets.ts';
import type { AttemptStore } from './attempt-store.ts';

export type AttemptRule = WindowRule | DelayRule;

/** At most `limit` failed tries in any `windowMs`. */
interface WindowRule {
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
}

/** After `free` failed tries in an hour each next one has to wait, twice as long each time. */
interface DelayRule {
  readonly name: string;
  readonly free: number;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

/** A try that was counted as failed for now. */
export interface SpentAttempt {
  /** It was right after all: it does not count. What failed before still does. */
  refund(): void;
}

/** No rule counts for longer. */
const LONGEST_WINDOW_MS = 60 * 60_000;
/** Somebody who tries from everywhere at once must not fill the disk. */
const MAX_ROWS = 20_000;
const PRUNE_EVERY = 500;

export class Attempts {
  readonly #store: AttemptStore;
  readonly #clock: Clock;
  #inserted = 0;

  constructor({ store, clock }: { store: AttemptStore; clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /** @param key what the rule counts for, any text. @throws `rate_limited` with the seconds to wait */
  require(rule: AttemptRule, key: string): void {
    const now = this.#clock.now();
    const failed = this.#store.since(rowKey(rule, key), now - windowOf(rule), now);
    const waitMs = 'limit' in rule ? waitOfWindow(rule, failed, now) : waitOfDelay(rule, failed, now);
    if (waitMs <= 0) return;
    const retryAfterSeconds = Math.ceil(waitMs / 1000);
    throw new HearthError('rate_limited', `Too many tries. Wait ${inWords(retryAfterSeconds)} and try again.`, {
      retryAfterSeconds,
    });
  }

  /** Counts a failed try. */
  fail(rule: AttemptRule, key: string): void {
    this.#insert(rowKey(rule, key), this.#clock.now());
  }

  /** `require` and `fail` in one. @throws `rate_limited` */
  spend(rule: AttemptRule, key: string): SpentAttempt {
    this.require(rule, key);
    const row = rowKey(rule, key);
    const at = this.#clock.now();
    this.#insert(row, at);
    return { refund: () => this.#store.deleteOne(row, at) };
  }

  /** Forgets what failed. */
  clear(rule: AttemptRule, key: string): void {
    this.#store.deleteAll(rowKey(rule, key));
  }

  /** Deletes what counts no more. Called every night. */
  prune(): void {
    this.#store.prune(this.#clock.now() - LONGEST_WINDOW_MS, MAX_ROWS);
  }

  #insert(row: string, at: number): void {
    this.#store.insert(row, at);
    this.#inserted += 1;
    if (this.#inserted % PRUNE_EVERY === 0) this.prune();
  }
}

/** Hashed: the keys are of one length, and tell nobody who reads the file whose address was tried. */
function rowKey({ name }: AttemptRule, key: string): string {
  return `${name}:${sha256Hex(key)}`;
}

function windowOf(rule: AttemptRule): number {
  return 'limit' in rule ? Math.min(rule.windowMs, LONGEST_WINDOW_MS) : LONGEST_WINDOW_MS;
}

function waitOfWindow(rule: WindowRule, failed: readonly number[], now: number): number {
  // The one whose end makes room for the next.
  const oldest = failed.at(-rule.limit);
  return oldest === undefined ? 0 : oldest + windowOf(rule) - now;
}

function waitOfDelay({ free, firstDelayMs, maxDelayMs }: DelayRule, failed: readonly number[], now: number): number {
  const last = failed.at(-1);
  if (last === undefined || failed.length < free) return 0;
  return last + Math.min(firstDelayMs * 2 ** (failed.length - free), maxDelayMs) - now;
}

function inWords(seconds: number): string {
  if (seconds === 1) return 'a second';
  return seconds <= 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

/**
 * What tries from a network address are counted for: an IPv4 address, or the /64 of an IPv6 address, of which a single computer
 * has as many addresses as it likes.
 */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return 'local';
  const plain = address.replace(/%.*$/, '').toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  return plain.includes(':') ? `${firstGroups(plain)}::/64` : plain;
}

/** The first four of the eight groups, without leading zeros. */
function firstGroups(address: string): string {
  const [head = '', tail = ''] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const zeros = address.includes('::') ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : [];
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':');
}
