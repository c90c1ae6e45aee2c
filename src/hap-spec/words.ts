/**
 * Finding a table row by any spelling of its name. Upper and lower case, `_`, `-`, `.` and blanks make no difference, so that
 * `power_state`, `powerState`, `PowerState` and `power-state` are one word.
 */

/** The form in which two spellings of one word are equal. */
export function foldWord(word: string): string {
  return word.replace(/[\s_.-]+/g, '').toLowerCase();
}

/** Builds the look-up for a table. @throws where two rows claim the same word, for that row could never be found. */
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
