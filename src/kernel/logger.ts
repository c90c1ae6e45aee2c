import { createRequire } from 'node:module';
import { type DestinationStream, pino } from 'pino';
import type { Clock } from './clock.ts';
import { type LineLevel, LogRing } from './log-ring.ts';

/** The subset of pino that the code uses: fields first, then one sentence. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** A logger that adds these fields to every line. */
  child(fields: object): Logger;
}

export type LogLevel = LineLevel | 'silent';

/** A log whose level can change at run time, for it and all its children. */
export interface Log {
  readonly logger: Logger;
  /** The last lines. */
  readonly ring: LogRing;
  level: LogLevel;
}

/** Fields that are never logged, in any object. */
const REDACTED = ['token', 'code', 'pin', 'authorization'];
const RANKS: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 };

/**
 * Logs to stdout: readable lines on a terminal, otherwise one JSON object per line.
 * @param options.destination replaces stdout.
 */
export function createLog(options: {
  level: LogLevel;
  format: 'pretty' | 'json';
  destination?: DestinationStream;
}): Log {
  const ring = new LogRing();
  const destination =
    options.format === 'pretty' ? prettyStream() : (options.destination ?? pino.destination({ sync: true }));
  const streams = pino.multistream([
    { level: 'debug', stream: destination },
    { level: 'debug', stream: ring },
  ]);
  const settings = { level: 'debug', base: null, redact: REDACTED } as const;
  const timestamp = options.format === 'json' ? { timestamp: pino.stdTimeFunctions.isoTime } : {};
  const log = { ring, level: options.level };
  return Object.assign(log, { logger: new GatedLogger(pino({ ...settings, ...timestamp }, streams), log) });
}

/** Loaded for people at a terminal only: a service writes JSON. */
function prettyStream(): DestinationStream {
  const require = createRequire(import.meta.url);
  const pretty: typeof import('pino-pretty') = require('pino-pretty');
  return pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', sync: true });
}

/** pino's children keep the level of their creation; this logger checks the level at every line. */
class GatedLogger implements Logger {
  readonly #pino: Logger;
  readonly #gate: { readonly level: LogLevel };

  constructor(logger: Logger, gate: { readonly level: LogLevel }) {
    this.#pino = logger;
    this.#gate = gate;
  }

  debug(fields: object, message: string): void {
    if (this.#lets('debug')) this.#pino.debug(fields, message);
  }

  info(fields: object, message: string): void {
    if (this.#lets('info')) this.#pino.info(fields, message);
  }

  warn(fields: object, message: string): void {
    if (this.#lets('warn')) this.#pino.warn(fields, message);
  }

  error(fields: object, message: string): void {
    if (this.#lets('error')) this.#pino.error(fields, message);
  }

  child(fields: object): Logger {
    return new GatedLogger(this.#pino.child(fields), this.#gate);
  }

  #lets(level: LogLevel): boolean {
    return RANKS[level] >= RANKS[this.#gate.level];
  }
}

export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLogger,
};

/**
 * Logs one line per key and interval, and counts the others: a device that is offline for days costs at most a line per
 * ten minutes. Unused keys are dropped after an interval, so memory stays bounded.
 */
export class LogThrottle {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #seen = new Map<string, { at: number; suppressed: number }>();

  constructor(clock: Clock, intervalMs = 600_000) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
  }

  /** Calls `log` unless this key was logged recently, with a count of the lines suppressed since then, if any. */
  once(key: string, log: (skipped: { readonly suppressed?: number }) => void): void {
    const now = this.#clock.monotonic();
    const entry = this.#seen.get(key);
    if (entry && now - entry.at < this.#intervalMs) {
      entry.suppressed += 1;
      return;
    }
    for (const [other, { at }] of this.#seen) {
      if (other !== key && now - at >= 2 * this.#intervalMs) this.#seen.delete(other);
    }
    this.#seen.set(key, { at: now, suppressed: 0 });
    log(entry && entry.suppressed > 0 ? { suppressed: entry.suppressed } : {});
  }
}
