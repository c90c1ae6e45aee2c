/** What a row of the security checklist is. */

/** A file below `test/` and the titles in it, of tests or of a group of them, as they are written there. */
type Shown = readonly [file: string, ...titles: string[]];
export type Rows = Readonly<Record<number, readonly [check: string, ...shown: Shown[]]>>;
