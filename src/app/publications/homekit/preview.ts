/** What a publication would look like in HomeKit. */
import type { PublicationPreviewItem } from '../../../contract/publications.ts';
import type { KindPreview } from '../publication-kind.ts';
import { bridgeName } from './bridge-template.ts';
import type { DescribedThing } from './homekit-publication.ts';
import { type IdTable, MAX_THINGS, type WantedThing } from './id-table.ts';
import { isTemplate } from './template.ts';

const ALONE_NOTE = 'It is added to Apple Home by itself, with a code of its own.';
const NEW_NOTE = 'Apple Home will treat this as a new accessory.';

interface PreviewDeps {
  /** The name of the publication. */
  readonly name: string;
  readonly described: readonly DescribedThing[];
  /** What controllers know of the saved selection. */
  readonly seen: readonly DescribedThing[];
  readonly table: IdTable;
  /** Whether a controller knows it already. */
  readonly hasControllers: boolean;
}

export function previewHomeKit({ name, described, seen, table, hasControllers }: PreviewDeps): KindPreview {
  const wanted = wantedOf(described);
  const places = table.plan(wanted);
  const counts = new Map<string, number>([[name, 0]]);
  const items = described.map(({ thing, described: template }): PublicationPreviewItem => {
    const { id, kind, key, room } = thing;
    const base = { id, kind, name: thing.name, room };
    const number = places.get(key);
    if (!isTemplate(template) || number === undefined) {
      const reason = isTemplate(template) ? null : template.reason;
      return { ...base, publishedAs: null, bridge: null, reason, note: null };
    }
    const bridge = number === null ? thing.name : bridgeName(name, number);
    counts.set(bridge, (counts.get(bridge) ?? 0) + 1);
    const isNew = hasControllers && table.bridgeOf(key) === undefined;
    const notes = [template.note, number === null ? ALONE_NOTE : null, isNew ? NEW_NOTE : null];
    const note = notes.filter((one) => one !== null).join(' ') || null;
    return { ...base, publishedAs: template.publishedAs, bridge, reason: null, note };
  });
  const bridges = [...counts].map(([bridge, accessories]) => ({ name: bridge, accessories }));
  const keys = new Set(wanted.map(({ key }) => key));
  const leaving = wantedOf(seen).filter(({ key }) => !keys.has(key)).length;
  return { items, bridges, warnings: warningsOf(items, bridges, leaving) };
}

function wantedOf(described: readonly DescribedThing[]): readonly WantedThing[] {
  return described.flatMap(({ thing, described: template }) =>
    isTemplate(template) ? [{ key: thing.key, template }] : [],
  );
}

function warningsOf(
  items: readonly PublicationPreviewItem[],
  bridges: KindPreview['bridges'],
  leaving: number,
): readonly string[] {
  const published = items.filter(({ reason }) => reason === null);
  const warnings: string[] = [];
  if (published.length === 0) warnings.push('Nothing of this can be published. The bridge would be empty.');
  if (leaving > 0) {
    warnings.push(`What leaves the selection (${leaving}) leaves Apple Home, with its rooms and automations there.`);
  }
  if (bridges.some(({ accessories }) => accessories >= MAX_THINGS)) {
    warnings.push(
      `A bridge has at most ${MAX_THINGS} accessories. Each bridge is added to Apple Home with a code of its own.`,
    );
  }
  return warnings;
}
