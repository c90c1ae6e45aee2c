/**
 * Finds a table row by any spelling of its name. Upper and lower case, `_`, `-`, `.` and blanks make no difference, so
 * that `power_state`, `powerState`, `PowerState` and `power-state` are equal.
 */

/** A table row with a literal type and name. */
export interface NamedType<Type extends string = string, Name extends string = string> {
  readonly type: Type;
  readonly name: Name;
}

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** Canonical types by name in camelCase: `{ lightbulb: '43' }`. */
export function typesByName<Row extends NamedType>(rows: readonly Row[]) {
  const entries = rows.map(({ name, type }) => [
    name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    type,
  ]);
  return Object.fromEntries(entries) as {
    readonly [Name in Row['name'] as CamelCase<Name>]: Extract<Row, { readonly name: Name }>['type'];
  };
}

/** Normalizes a word, so that all its spellings are equal. */
export function foldWord(word: string): string {
  return word.replace(/[\s_.-]+/g, '').toLowerCase();
}

/** Builds the lookup for a table. @throws if two rows have the same word, because the second could never be found. */
export function indexWords<T extends { type: string }>(
  rows: readonly T[],
  wordsOf: (row: T) => readonly string[],
): ReadonlyMap<string, T> {
  const index = new Map<string, T>();
  for (const row of rows) {
    for (const word of wordsOf(row).map(foldWord)) {
      const other = index.get(word);
      if (other && other !== row) throw new Error(`HAP types ${other.type} and ${row.type} are both called "${word}"`);
      index.set(word, row);
    }
  }
  return index;
}
