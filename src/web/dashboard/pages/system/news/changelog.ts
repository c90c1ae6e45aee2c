/** CHANGELOG.md as plain data, and the part of it that is new to someone. */

export type ChangelogInline =
  | string
  | { readonly kind: 'code' | 'strong' | 'em'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string };

export type ChangelogBlock =
  | { readonly kind: 'heading'; readonly text: readonly ChangelogInline[] }
  | { readonly kind: 'paragraph'; readonly text: readonly ChangelogInline[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly ChangelogInline[])[] };

export interface ChangelogVersion {
  /** `1.2.0` */
  readonly version: string;
  /** The heading: `1.2.0 (2027-01-31)`. */
  readonly title: string;
  readonly blocks: readonly ChangelogBlock[];
}

/** A part of a version, with its heading. */
export interface ChangelogSection {
  readonly heading: readonly ChangelogInline[] | undefined;
  readonly blocks: readonly ChangelogBlock[];
  /** More than what is read in a moment: shown once opened. */
  readonly isLong: boolean;
}

const MAX_OPEN_ITEMS = 12;

export function sectionsOf({ blocks }: Pick<ChangelogVersion, 'blocks'>): readonly ChangelogSection[] {
  const sections: { heading: ChangelogSection['heading']; blocks: ChangelogBlock[] }[] = [];
  for (const block of blocks) {
    const last = sections.at(-1);
    if (block.kind === 'heading') sections.push({ heading: block.text, blocks: [] });
    else if (last) last.blocks.push(block);
    else sections.push({ heading: undefined, blocks: [block] });
  }
  return sections.map((section) => ({
    ...section,
    isLong: section.heading !== undefined && countItems(section.blocks) > MAX_OPEN_ITEMS,
  }));
}

function countItems(blocks: readonly ChangelogBlock[]): number {
  return blocks.reduce((count, block) => count + (block.kind === 'list' ? block.items.length : 1), 0);
}

interface SplitChangelog {
  readonly fresh: readonly ChangelogVersion[];
  readonly earlier: readonly ChangelogVersion[];
}

/**
 * Newest first, as in the file. Without a known version, or if nothing came after it, the newest version is the new
 * part.
 * @param since the version that the person has seen, or that ran before
 */
export function splitChangelog(versions: readonly ChangelogVersion[], since: string | null): SplitChangelog {
  const newer = since === null ? 0 : versions.filter(({ version }) => isLater(version, since)).length;
  const count = Math.max(newer, 1);
  return { fresh: versions.slice(0, count), earlier: versions.slice(count) };
}

/** The version since which the running one is new to a person; `undefined` if it is not. */
export function upgradedSince(running: string, previous: string | null, seen: unknown): string | undefined {
  const since = typeof seen === 'string' && isVersion(seen) ? seen : previous;
  return since !== null && isLater(running, since) ? since : undefined;
}

const VERSION = /^(\d+)\.(\d+)\.(\d+)(-.+)?$/;

function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/** A pre-release comes before its release; two of one release are not compared. */
export function isLater(version: string, than: string): boolean {
  const [, ...one] = VERSION.exec(version) ?? [];
  const [, ...other] = VERSION.exec(than) ?? [];
  if (one.length === 0 || other.length === 0) return false;
  for (let at = 0; at < 3; at += 1) {
    const difference = Number(one[at]) - Number(other[at]);
    if (difference !== 0) return difference > 0;
  }
  return one[3] === undefined && other[3] !== undefined;
}
