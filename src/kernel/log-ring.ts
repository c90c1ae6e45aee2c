/**
 * The last lines of the log, in memory, for those who look at it without a terminal. It keeps each line as it was logged, secrets already taken
 * out, and reads it only when somebody asks. It writes nothing anywhere and knows nobody's rights.
 */
export type LineLevel = 'debug' | 'info' | 'warn' | 'error';

/** From the least to the most urgent. */
export const LINE_LEVELS: readonly LineLevel[] = ['debug', 'info', 'warn', 'error'];

export interface LogLine {
  /** One more than that of the line before. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly level: LineLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface LogQuery {
  /** Only lines behind this one. */
  readonly after?: number | undefined;
  /** This level and those more urgent. */
  readonly level?: LineLevel | undefined;
  /** The newest so many. */
  readonly limit: number;
}

/** An evening of an ordinary house, a minute of one that is looked into closely. */
const MOST_LINES = 2_000;
/** Characters of all lines together. */
const MOST_CHARACTERS = 1_000_000;
/** What is longer is a stack or a document: its sentence is kept without its fields. */
const LONGEST_LINE = 8_192;
/** pino's own numbers. */
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

  /** Takes one line as the log wrote it: a JSON object. What pino calls a destination. */
  write(json: string): void {
    const kept = { seq: this.#nextSeq, json: json.length > LONGEST_LINE ? shorten(json) : json };
    this.#nextSeq += 1;
    this.#lines.push(kept);
    this.#characters += kept.json.length;
    while (this.#lines.length > MOST_LINES || this.#characters > MOST_CHARACTERS) {
      this.#characters -= this.#lines.shift()?.json.length ?? 0;
    }
    for (const listener of this.#listeners) listener();
  }

  /** Called for each line, from within the logging of it: it must be quick and log nothing. @returns what ends it */
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
  const cut = typeof msg === 'string' ? msg.slice(0, LONGEST_LINE / 4) : '';
  return JSON.stringify({ level, time, msg: cut, shortened: true });
}
