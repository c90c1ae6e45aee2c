/**
 * How long queries share one thread with the house. SQLite answers synchronously, so a query reads in slices of at most
 * `SLICE_ROWS` rows, and between any two slices, of whichever queries, the event loop turns once. A query that goes on for
 * long also takes one of few places, so that many of them neither hold much memory nor starve the short ones.
 */
import { HearthError } from '../../kernel/errors.ts';

/** Read and worked on in about 2 ms on a desktop and 10 ms on a Raspberry Pi 4: what a tap on a switch may have to wait. */
export const SLICE_ROWS = 2_000;

/** A query over more rows than this is a long one: a day of a value every five seconds is 17,280. */
const LONG_QUERY_ROWS = 20_000;

/** Long queries that are worked on at once. */
const LONG_QUERIES = 4;

/** Beyond these, who asks for another long one is told to come back. */
const WAITING_LONG_QUERIES = 64;

/** A year of samples every second: more than the size cap lets a series grow to. */
const MAX_ROWS = 32_000_000;

interface ShortTurn {
  readonly begun: number;
  give(): void;
}

/**
 * Hands out turns of the event loop, and places for long queries. One for the whole relay. Short queries come one after the other, as they
 * began: side by side, very many of them would all be late together, and nobody would be answered before the deadline. What is long has every
 * other turn, and shares it evenly.
 */
export class QueryLine {
  readonly #short: ShortTurn[] = [];
  readonly #long: (() => void)[] = [];
  #isLongNext = false;
  #begun = 0;
  #places = LONG_QUERIES;
  readonly #waiting: (() => void)[] = [];

  /** @returns the place of a query that begins among the short ones */
  begin(): number {
    this.#begun += 1;
    return this.#begun;
  }

  /**
   * Resolves in a turn of the event loop that no other query gets.
   * @param begun of a short query, what `begin` gave it
   */
  turn(begun?: number): Promise<void> {
    return new Promise((give) => {
      if (!this.#isAnybodyHere()) setImmediate(() => this.#giveTurn());
      if (begun === undefined) {
        this.#long.push(give);
        return;
      }
      const later = this.#short.findIndex((other) => other.begun > begun);
      this.#short.splice(later < 0 ? this.#short.length : later, 0, { begun, give });
    });
  }

  /** @throws `rate_limited` too many wait already */
  async takePlace(): Promise<void> {
    if (this.#places > 0) {
      this.#places -= 1;
      return;
    }
    if (this.#waiting.length >= WAITING_LONG_QUERIES) {
      throw new HearthError('rate_limited', 'Too many long history queries at once. Try again in a minute.');
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  givePlaceBack(): void {
    const next = this.#waiting.shift();
    // Whoever waits longest has the place now, and nobody came between.
    if (next) next();
    else this.#places += 1;
  }

  #giveTurn(): void {
    const isLong = this.#long.length > 0 && (this.#isLongNext || this.#short.length === 0);
    this.#isLongNext = !isLong;
    const give = isLong ? this.#long.shift() : this.#short.shift()?.give;
    // Set before the turn is given: an immediate set while immediates run comes in the next turn of the loop.
    if (this.#isAnybodyHere()) setImmediate(() => this.#giveTurn());
    give?.();
  }

  #isAnybodyHere(): boolean {
    return this.#short.length > 0 || this.#long.length > 0;
  }
}

/** The work of one query, from its first row to its last. */
export class QueryWork {
  readonly #line: QueryLine;
  readonly #signal: AbortSignal | undefined;
  readonly #begun: number;
  #rows = 0;
  #rowsOfSlice = 0;
  #hasPlace = false;

  constructor(line: QueryLine, signal: AbortSignal | undefined) {
    this.#line = line;
    this.#signal = signal;
    this.#begun = line.begin();
  }

  /**
   * To be awaited after each page of rows. Lets the event loop turn when the slice is used up.
   * @throws `invalid_request` far too many rows, or nobody waits for the answer any more · `rate_limited`
   */
  async did(rows: number): Promise<void> {
    this.#rows += rows;
    this.#rowsOfSlice += rows;
    if (this.#rowsOfSlice < SLICE_ROWS) return;
    this.#rowsOfSlice = 0;
    if (this.#rows > MAX_ROWS) {
      throw new HearthError(
        'invalid_request',
        'This is too much to read at once: ask for a shorter time or fewer series.',
      );
    }
    if (this.#rows > LONG_QUERY_ROWS && !this.#hasPlace) {
      await this.#line.takePlace();
      this.#hasPlace = true;
    }
    await this.#line.turn(this.#hasPlace ? undefined : this.#begun);
    if (this.#signal?.aborted) throw new HearthError('invalid_request', 'Nobody waits for the answer any more.');
  }

  /** Always to be called, whatever became of the query. */
  end(): void {
    if (!this.#hasPlace) return;
    this.#hasPlace = false;
    this.#line.givePlaceBack();
  }
}
