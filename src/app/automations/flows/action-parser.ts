/** The form of the parsers of actions. */
import type { Steps } from '../../../kernel/slices.ts';
import type { Action, ActionOf, ActionType } from '../flow.ts';
import type { Fields } from '../parsing/fields.ts';
import type { Parsing } from '../parsing/parsing.ts';

type Own<T> = T extends unknown
  ? Omit<T, 'id' | 'type' | 'alias' | 'enabled' | 'onError' | 'maxRetries' | 'retryDelayMs'>
  : never;

/** Parses nested actions; may pause before each. */
export type ParseNested = (input: readonly unknown[], path: string) => Steps<readonly Action[]>;

/** A parser for each of these kinds. */
export type ActionParsers<T extends ActionType> = {
  readonly [K in T]: (
    fields: Fields,
    parsing: Parsing,
    nested: ParseNested,
  ) => Own<ActionOf<K>> | Steps<Own<ActionOf<K>>>;
};
