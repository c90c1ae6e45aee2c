/** What a publication would look like in HomeKit. */
import type { PublicationPreviewItem, PublicationRemark } from '../../../contract/publications.ts';
import type { KindPreview } from '../publication-kind.ts';
import { remark, sentenceOf, sentencesOf } from '../remarks.ts';
import { bridgeName } from './bridge-template.ts';
import type { DescribedThing } from './homekit-publication.ts';
import { type IdTable, MAX_THINGS, type WantedThing } from './id-table.ts';
import { isTemplate } from './template.ts';

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
      const remarks = isTemplate(template) ? [] : [template.reason];
      return { ...base, publishedAs: null, bridge: null, reason: sentencesOf(remarks), note: null, remarks };
    }
    const bridge = number === null ? thing.name : bridgeName(name, number);
    counts.set(bridge, (counts.get(bridge) ?? 0) + 1);
    const isNew = hasControllers && table.bridgeOf(key) === undefined;
    const remarks = [
      ...(template.note ? [template.note] : []),
      ...(number === null ? [remark('alone_in_apple_home')] : []),
      ...(isNew ? [remark('new_in_apple_home')] : []),
    ];
    return { ...base, publishedAs: template.publishedAs, bridge, reason: null, note: sentencesOf(remarks), remarks };
  });
  const bridges = [...counts].map(([bridge, accessories]) => ({ name: bridge, accessories }));
  const keys = new Set(wanted.map(({ key }) => key));
  const leaving = wantedOf(seen).filter(({ key }) => !keys.has(key)).length;
  const remarks = remarksOf(items, bridges, leaving);
  return { items, bridges, warnings: remarks.map(sentenceOf), remarks };
}

function wantedOf(described: readonly DescribedThing[]): readonly WantedThing[] {
  return described.flatMap(({ thing, described: template }) =>
    isTemplate(template) ? [{ key: thing.key, template }] : [],
  );
}

function remarksOf(
  items: readonly PublicationPreviewItem[],
  bridges: KindPreview['bridges'],
  leaving: number,
): readonly PublicationRemark[] {
  const published = items.filter(({ reason }) => reason === null);
  const isFull = bridges.some(({ accessories }) => accessories >= MAX_THINGS);
  return [
    ...(published.length === 0 ? [remark('apple_home_empty')] : []),
    ...(leaving > 0 ? [remark('leaves_apple_home', { count: leaving })] : []),
    ...(isFull ? [remark('bridge_full', { limit: MAX_THINGS })] : []),
  ];
}
