/**
 * Counts attempts at secrets that can be guessed (passwords, passcodes, codes), for every entry point. Stored in the
 * database, so a restart resets nothing. Uses the relay's clock; a clock set forward or back never locks a caller out
 * for longer than the rule itself.
 *
 * While the disk is full, attempts count in memory: no caller is locked out by it, and no caller gets more guesses.
 * `saveUnsaved` writes them to the database once there is room.
 *
 * Concurrent attempts must not all pass before the first one counts. So `spend` counts an attempt before any costly
 * computation. A correct attempt takes it back (`refund`) or resets the count (`clear`).
 */
import type { Clock } from '../../kernel/clock.ts';
import { HearthError, isDiskFailure } from '../../kernel/errors.ts';
import { sha256Hex } from '../../kernel/secrets.ts';
import type { AttemptStore } from './attempt-store.ts';

export type AttemptRule = WindowRule | DelayRule;

/** At most `limit` failed attempts in any `windowMs`. */
interface WindowRule {
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
}

/** After `free` failed attempts in an hour each next one has to wait, twice as long each time. */
interface DelayRule {
  readonly name: string;
  readonly free: number;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

/** An attempt that counts as failed for now. */
export interface SpentAttempt {
  /** The attempt succeeded: it does not count. Earlier failures still do. */
  refund(): void;
}

/** No rule has a longer window. */
const MAX_WINDOW_MS = 60 * 60_000;
/** An attacker with many addresses must not fill the disk. */
const MAX_ROWS = 20_000;
const PRUNE_EVERY = 500;
/** Keys whose attempts are in memory alone; the oldest makes room. */
const MAX_UNSAVED_KEYS = 5_000;
/** More than any rule looks at. */
const MAX_UNSAVED_TRIES = 100;

export class Attempts {
  readonly #store: AttemptStore;
  readonly #clock: Clock;
  /** By row: all attempts of a key that could not be saved; they replace those in the database. */
  readonly #unsaved = new Map<string, readonly number[]>();
  #inserted = 0;

  constructor({ store, clock }: { store: AttemptStore; clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /** @param key the text that the rule counts by. @throws `rate_limited` with the seconds to wait */
  require(rule: AttemptRule, key: string): void {
    const now = this.#clock.now();
    const failed = this.#since(rowKey(rule, key), now - windowOf(rule), now);
    const waitMs = 'limit' in rule ? waitOfWindow(rule, failed, now) : waitOfDelay(rule, failed, now);
    if (waitMs <= 0) return;
    const retryAfterSeconds = Math.ceil(waitMs / 1000);
    throw new HearthError('rate_limited', `Too many tries. Wait ${inWords(retryAfterSeconds)} and try again.`, {
      retryAfterSeconds,
    });
  }

  /** Counts a failed attempt. */
  fail(rule: AttemptRule, key: string): void {
    this.#insert(rowKey(rule, key), this.#clock.now());
  }

  /** `require` and `fail` in one. @throws `rate_limited` */
  spend(rule: AttemptRule, key: string): SpentAttempt {
    this.require(rule, key);
    const row = rowKey(rule, key);
    const at = this.#clock.now();
    this.#insert(row, at);
    const without = (times: readonly number[]) => {
      const index = times.indexOf(at);
      return index < 0 ? times : times.toSpliced(index, 1);
    };
    return { refund: () => this.#write(row, without, () => this.#store.deleteOne(row, at)) };
  }

  /** Resets the count. */
  clear(rule: AttemptRule, key: string): void {
    const row = rowKey(rule, key);
    const none = () => [];
    this.#write(row, none, () => this.#store.deleteAll(row));
  }

  /** Deletes rows that no rule counts any more. Called every night. */
  prune(): void {
    this.#store.prune(this.#clock.now() - MAX_WINDOW_MS, MAX_ROWS);
  }

  /** Part of `AccessUpkeep`. */
  saveUnsaved(): void {
    for (const [row, times] of this.#unsaved) {
      this.#store.replace(row, times);
      this.#unsaved.delete(row);
    }
  }

  /**
   * The times of a key's failed attempts since a moment, oldest first. Times in the future (the clock was set back)
   * become `now`, so that they count as long as any other and no longer.
   */
  #since(row: string, from: number, now: number): readonly number[] {
    const times = this.#unsaved.get(row) ?? this.#store.list(row);
    const moved = times.map((at) => Math.min(at, now));
    if ((times.at(-1) ?? 0) > now) {
      this.#write(
        row,
        () => moved,
        () => this.#store.replace(row, moved),
      );
    }
    return moved.filter((at) => at > from);
  }

  #insert(row: string, at: number): void {
    this.#write(
      row,
      (times) => [...times, at].sort((a, b) => a - b),
      () => {
        this.#store.insert(row, at);
        this.#inserted += 1;
        if (this.#inserted % PRUNE_EVERY === 0) this.prune();
      },
    );
  }

  /** Writes to the database. Writes to memory if that fails, or if the key is in memory already. */
  #write(row: string, change: (times: readonly number[]) => readonly number[], save: () => void): void {
    const unsaved = this.#unsaved.get(row);
    if (!unsaved) {
      try {
        save();
        return;
      } catch (error) {
        if (!isDiskFailure(error)) throw error;
      }
    }
    this.#unsaved.delete(row);
    this.#unsaved.set(row, change(unsaved ?? this.#store.list(row)).slice(-MAX_UNSAVED_TRIES));
    const [oldest] = this.#unsaved.keys();
    if (this.#unsaved.size > MAX_UNSAVED_KEYS && oldest !== undefined) this.#unsaved.delete(oldest);
  }
}

/** Hashed: the keys have one length, and a reader of the file can't learn which address was tried. */
function rowKey({ name }: AttemptRule, key: string): string {
  return `${name}:${sha256Hex(key)}`;
}

function windowOf(rule: AttemptRule): number {
  return 'limit' in rule ? Math.min(rule.windowMs, MAX_WINDOW_MS) : MAX_WINDOW_MS;
}

function waitOfWindow(rule: WindowRule, failed: readonly number[], now: number): number {
  // The attempt whose expiry makes room for the next.
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
 * The key that counts attempts from a network address: an IPv4 address, or the /64 of an IPv6 address, because one
 * computer has any number of addresses in its /64.
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
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':');
}
