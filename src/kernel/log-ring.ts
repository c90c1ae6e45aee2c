/**
 * The last log lines, in memory, for users without a terminal. It stores each line as logged, after redaction, and
 * parses it only when read. It writes nothing to disk and checks no permissions.
 */
export type LineLevel = 'debug' | 'info' | 'warn' | 'error';

/** In ascending severity. */
export const LINE_LEVELS: readonly LineLevel[] = ['debug', 'info', 'warn', 'error'];

export interface LogLine {
  /** The previous line's number plus one. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly level: LineLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface LogQuery {
  /** Only lines after this one. */
  readonly after?: number | undefined;
  /** This level and more severe ones. */
  readonly level?: LineLevel | undefined;
  /** The maximum number of lines; the newest are returned. */
  readonly limit: number;
}

/** An evening of an ordinary home, or a minute at debug level. */
const MAX_LINES = 2_000;
/** The total number of characters of all lines. */
const MAX_CHARACTERS = 1_000_000;
/** A longer line contains a stack or a document: the ring keeps its message without its fields. */
const MAX_LINE_LENGTH = 8_192;
/** pino's level numbers. */
const LEVEL_NUMBERS: Readonly<Record<number, LineLevel>> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error' };

interface Kept {
  readonly seq: number;
  readonly json: string;
}

export class LogRing {
  readonly #lines: Kept[] = [];
  readonly #listeners = new Set<() => void>();
  #characters = 0;
  #nextSeq = 1;

  /** The number of the newest line; 0 before the first. */
  get lastSeq(): number {
    return this.#nextSeq - 1;
  }

  /** Adds one line as the logger wrote it: a JSON object. This is a pino destination. */
  write(json: string): void {
    const kept = { seq: this.#nextSeq, json: json.length > MAX_LINE_LENGTH ? shorten(json) : json };
    this.#nextSeq += 1;
    this.#lines.push(kept);
    this.#characters += kept.json.length;
    while (this.#lines.length > MAX_LINES || this.#characters > MAX_CHARACTERS) {
      this.#characters -= this.#lines.shift()?.json.length ?? 0;
    }
    for (const listener of this.#listeners) listener();
  }

  /**
   * Called synchronously for each line: the listener must be quick and must not log. @returns a function that ends the
   * subscription
   */
  onLine(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Oldest first. */
  read({ after = 0, level = 'debug', limit }: LogQuery): readonly LogLine[] {
    const least = LINE_LEVELS.indexOf(level);
    const found: LogLine[] = [];
    for (let index = this.#lines.length - 1; index >= 0 && found.length < limit; index -= 1) {
      const kept = this.#lines[index];
      if (!kept || kept.seq <= after) break;
      const line = parse(kept);
      if (LINE_LEVELS.indexOf(line.level) >= least) found.push(line);
    }
    return found.reverse();
  }
}

function parse({ seq, json }: Kept): LogLine {
  const { level, time, msg, ...fields } = JSON.parse(json) as Record<string, unknown>;
  return {
    seq,
    at: typeof time === 'number' ? time : Date.parse(String(time)),
    level: LEVEL_NUMBERS[Number(level)] ?? 'info',
    message: typeof msg === 'string' ? msg : '',
    fields,
  };
}

function shorten(json: string): string {
  const { level, time, msg } = JSON.parse(json) as Record<string, unknown>;
  const cut = typeof msg === 'string' ? msg.slice(0, MAX_LINE_LENGTH / 4) : '';
  return JSON.stringify({ level, time, msg: cut, shortened: true });
}
