import { CliError, EXIT, usageError } from './exit-codes.ts';

/** What to say where not exactly one thing is meant. */
interface Wording<T> {
  /** What it is: "token". */
  readonly noun: string;
  /** The whole sentence where there is none, with what shows those that there are. */
  readonly none: string;
  /** `not_found` where left out. */
  readonly code?: string;
  /** What tells it apart from those of the same name, and can be typed. */
  readonly lineOf: (match: T) => string;
}

/**
 * The only one of those that have the name which somebody typed.
 * @throws `CliError` there is none, or there are several: then how to write each
 */
export function requireOne<T>(matches: readonly T[], text: string, { noun, none, code, lineOf }: Wording<T>): T {
  const [match, ...others] = matches;
  if (match === undefined) throw new CliError(EXIT.notFound, code ?? 'not_found', none);
  if (others.length === 0) return match;
  const lines = matches.map((one) => `  ${lineOf(one)}`);
  throw usageError([`"${text}" is the name of more than one ${noun}. Write one of:`, ...lines].join('\n'));
}
