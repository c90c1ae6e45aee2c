/** What a publication would look like over Matter. */
import type { PublicationPreviewItem, PublicationRemark } from '../../../contract/publications.ts';
import type { KindPreview } from '../publication-kind.ts';
import { remark, sentenceOf, sentencesOf } from '../remarks.ts';
import type { MatterPart } from './describe-thing.ts';
import type { DescribedForMatter } from './matter-publication.ts';
import type { EndpointRecord } from './matter-store.ts';

/** More than that, and Alexa finds some of them only. */
const MAX_FOR_ALEXA = 60;

interface PreviewDeps {
  /** The name of the publication. */
  readonly name: string;
  readonly described: readonly DescribedForMatter[];
  /** What controllers know of the saved selection. */
  readonly seen: readonly DescribedForMatter[];
  /** Everything that ever had a number; `undefined` while no controller knows the bridge. */
  readonly endpoints: readonly EndpointRecord[] | undefined;
}

export function previewMatter({ name, described, seen, endpoints }: PreviewDeps): KindPreview {
  const known = endpoints && new Set(endpoints.map(({ thing, part }) => keyOf(thing, part)));
  const items = described.map(({ thing, described: one }): PublicationPreviewItem => {
    const { id, kind, key, room } = thing;
    const base = { id, kind, name: thing.name, room };
    if (!('parts' in one)) {
      const reason = sentenceOf(one.reason);
      return { ...base, publishedAs: null, bridge: null, reason, note: null, remarks: [one.reason] };
    }
    const { parts, publishedAs } = one;
    const isNew = known && !parts.some(({ part }) => known.has(keyOf(key, part)));
    const remarks = [
      ...(parts.length > 1 ? [remark('matter_devices', { count: parts.length })] : []),
      ...(isNew ? [remark('new_in_matter')] : []),
    ];
    return { ...base, publishedAs, bridge: name, reason: null, note: sentencesOf(remarks), remarks };
  });
  const accessories = described.reduce((sum, one) => sum + partsOf(one).length, 0);
  const keys = new Set(described.flatMap((one) => (partsOf(one).length > 0 ? [one.thing.key] : [])));
  const leaving = seen.filter((one) => partsOf(one).length > 0 && !keys.has(one.thing.key)).length;
  const remarks = remarksOf(accessories, leaving);
  return { items, bridges: [{ name, accessories }], warnings: remarks.map(sentenceOf), remarks };
}

function remarksOf(endpoints: number, leaving: number): readonly PublicationRemark[] {
  const isOverLimit = endpoints > MAX_FOR_ALEXA;
  return [
    remark('matter_uncertified'),
    ...(endpoints === 0 ? [remark('matter_empty')] : []),
    ...(isOverLimit ? [remark('alexa_limit', { count: endpoints, limit: MAX_FOR_ALEXA })] : []),
    ...(leaving > 0 ? [remark('leaves_matter', { count: leaving })] : []),
  ];
}

function partsOf({ described }: DescribedForMatter): readonly MatterPart[] {
  return 'parts' in described ? described.parts : [];
}

function keyOf(thing: string, part: string): string {
  return `${thing} ${part}`;
}
