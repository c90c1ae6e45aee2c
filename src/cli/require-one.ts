import { CliError, EXIT, usageError } from './exit-codes.ts';
import { didYouMean } from './suggestions.ts';

/** The texts for no match or several matches. */
interface Wording<T> {
  /** The kind of item: "token". */
  readonly noun: string;
  /** The sentence for no match: `There is no token "x".` */
  readonly none: string;
  /** The sentence that names the command with the list of items. */
  readonly shownBy: string;
  /** Names of the existing items, for suggestions. */
  readonly names: readonly (string | null)[];
  /** `not_found` if omitted. */
  readonly code?: string;
  /** What distinguishes an item from others of the same name and can be typed. */
  readonly lineOf: (match: T) => string;
}

/**
 * Returns the only match of a typed name.
 * @throws `CliError` there is no match, or there are several: then it lists how to write each
 */
export function requireOne<T>(matches: readonly T[], text: string, wording: Wording<T>): T {
  const { noun, none, shownBy, names, code, lineOf } = wording;
  const [match, ...others] = matches;
  if (match === undefined) {
    const help = didYouMean(
      text,
      names.filter((name) => name !== null),
      ` ${shownBy}`,
    );
    throw new CliError(EXIT.notFound, code ?? 'not_found', `${none}${help}`);
  }
  if (others.length === 0) return match;
  const lines = matches.map((one) => `  ${lineOf(one)}`);
  throw usageError([`"${text}" matches more than one ${noun}. Use one of:`, ...lines].join('\n'));
}
