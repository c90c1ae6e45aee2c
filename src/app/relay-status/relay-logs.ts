/** The last lines of the log, as an operation. Log calls themselves decide on content and secrecy. */
import type { HomeState } from '../../home/home-state.ts';
import { HearthError } from '../../kernel/errors.ts';
import { LINE_LEVELS, type LineLevel, type LogLine, type LogRing } from '../../kernel/log-ring.ts';
import type { Access } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';

export interface LogRequest {
  /** The `seq` of the caller's last line. */
  readonly after?: number | null | undefined;
  /** The minimum level. Default: all. */
  readonly level?: string | null | undefined;
  readonly limit?: number | null | undefined;
}

const DEFAULT_LINES = 200;
const MAX_LINES = 1_000;

export class RelayLogs {
  readonly #deps: { readonly logs: LogRing; readonly state: HomeState; readonly access: Access };

  constructor(deps: { readonly logs: LogRing; readonly state: HomeState; readonly access: Access }) {
    this.#deps = deps;
  }

  /**
   * The newest lines, oldest first. Requires a signed-in owner of every home, or the system: lines may name things of
   * any home.
   * @param request `limit` 1–1000, 200 if left out.
   * @returns times in milliseconds since the epoch.
   * @throws `insufficient_permissions` · `invalid_value` naming the field
   */
  read(caller: Caller, { after, level, limit }: LogRequest = {}): readonly LogLine[] {
    const { access, state, logs } = this.#deps;
    access.authorizeRelay(caller, state.homes());
    return logs.read({
      after: whole(after ?? 0, 'after', 0, Number.MAX_SAFE_INTEGER),
      level: parseLevel(level ?? 'debug'),
      limit: whole(limit ?? DEFAULT_LINES, 'limit', 1, MAX_LINES),
    });
  }
}

function parseLevel(text: string): LineLevel {
  const level = LINE_LEVELS.find((one) => one === text.toLowerCase());
  if (level) return level;
  throw new HearthError('invalid_value', `Invalid value for level: give one of ${LINE_LEVELS.join(', ')}.`, {
    field: 'level',
  });
}

function whole(value: number, field: string, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new HearthError('invalid_value', `Invalid value for ${field}: give a whole number from ${least} to ${most}.`, {
    field,
  });
}
