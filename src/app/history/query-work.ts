/**
 * Limits how long queries occupy the event loop. SQLite answers synchronously, so a query reads in slices of at most
 * `SLICE_ROWS` rows, and the event loop turns once between any two slices of any queries. A long query also takes one
 * of a few slots, so that many of them neither hold much memory nor starve short ones.
 */
import { HearthError } from '../../kernel/errors.ts';

/**
 * Read and processed in about 2 ms on a desktop and 10 ms on a Raspberry Pi 4: the acceptable delay of a tap on a
 * switch.
 */
export const SLICE_ROWS = 2_000;

/** A query over more rows than this is long: a day of a value every five seconds is 17,280 rows. */
const LONG_QUERY_ROWS = 20_000;

/** Maximum number of concurrent long queries. */
const LONG_QUERIES = 4;

/** Maximum number of waiting long queries; further ones are rejected with `rate_limited`. */
const WAITING_LONG_QUERIES = 64;

/** A year of samples every second: more than the size limit lets a series grow to. */
const MAX_ROWS = 32_000_000;

interface ShortTurn {
  readonly begun: number;
  give(): void;
}

/**
 * Schedules event-loop turns and slots for long queries; one per relay. Short queries run one after the other, in
 * order: interleaved, very many of them would all miss the deadline. Long queries share every other turn evenly.
 */
export class QueryLine {
  readonly #short: ShortTurn[] = [];
  readonly #long: (() => void)[] = [];
  #isLongNext = false;
  #begun = 0;
  #places = LONG_QUERIES;
  readonly #waiting: (() => void)[] = [];

  /** @returns the position of a new query among the short ones */
  begin(): number {
    this.#begun += 1;
    return this.#begun;
  }

  /** Resolves in an event-loop turn that no other query gets. @param begun for a short query, the result of `begin` */
  turn(begun?: number): Promise<void> {
    return new Promise((give) => {
      if (!this.#hasWork()) setImmediate(() => this.#giveTurn());
      if (begun === undefined) {
        this.#long.push(give);
        return;
      }
      const later = this.#short.findIndex((other) => other.begun > begun);
      this.#short.splice(later < 0 ? this.#short.length : later, 0, { begun, give });
    });
  }

  /** @throws `rate_limited` too many queries wait already */
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
    // The longest waiting query takes the slot; no other can come between.
    if (next) next();
    else this.#places += 1;
  }

  #giveTurn(): void {
    const isLong = this.#long.length > 0 && (this.#isLongNext || this.#short.length === 0);
    this.#isLongNext = !isLong;
    const give = isLong ? this.#long.shift() : this.#short.shift()?.give;
    // Scheduled before the turn is given: an immediate set while immediates run fires in the next turn of the loop.
    if (this.#hasWork()) setImmediate(() => this.#giveTurn());
    give?.();
  }

  #hasWork(): boolean {
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
   * Await after each page of rows. Yields to the event loop when the slice is used up.
   * @throws `invalid_request` far too many rows, or the client has disconnected · `rate_limited`
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
    if (this.#signal?.aborted) throw new HearthError('invalid_request', 'The client has closed the connection.');
  }

  /** Must always be called, also after an error. */
  end(): void {
    if (!this.#hasPlace) return;
    this.#hasPlace = false;
    this.#line.givePlaceBack();
  }
}
