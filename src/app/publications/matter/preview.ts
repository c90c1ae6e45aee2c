/** What a publication would look like over Matter. */
import type { PublicationPreviewItem } from '../../../contract/publications.ts';
import type { KindPreview } from '../publication-kind.ts';
import type { MatterPart } from './describe-thing.ts';
import type { DescribedForMatter } from './matter-publication.ts';
import type { EndpointRecord } from './matter-store.ts';

/** More than that, and Alexa finds some of them only. */
const MAX_FOR_ALEXA = 60;
const UNCERTIFIED = 'It speaks Matter (uncertified): controllers ask before they add it.';
const NEW_NOTE = 'Controllers will treat this as a new device.';

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
    if (!('parts' in one)) return { ...base, publishedAs: null, bridge: null, reason: one.reason, note: null };
    const { parts, publishedAs } = one;
    const notes = [
      parts.length > 1 ? `Controllers show it as ${parts.length} devices.` : null,
      known && !parts.some(({ part }) => known.has(keyOf(key, part))) ? NEW_NOTE : null,
    ];
    const note = notes.filter((sentence) => sentence !== null).join(' ') || null;
    return { ...base, publishedAs, bridge: name, reason: null, note };
  });
  const accessories = described.reduce((sum, one) => sum + partsOf(one).length, 0);
  const keys = new Set(described.flatMap((one) => (partsOf(one).length > 0 ? [one.thing.key] : [])));
  const leaving = seen.filter((one) => partsOf(one).length > 0 && !keys.has(one.thing.key)).length;
  return { items, bridges: [{ name, accessories }], warnings: warningsOf(accessories, leaving) };
}

function warningsOf(endpoints: number, leaving: number): readonly string[] {
  const warnings = [UNCERTIFIED];
  if (endpoints === 0) warnings.push('Nothing of this can be published. Apple Home adds no empty bridge.');
  if (endpoints > MAX_FOR_ALEXA) {
    warnings.push(`Alexa finds at most ${MAX_FOR_ALEXA} devices of a bridge, and this one would have ${endpoints}.`);
  }
  if (leaving > 0) {
    warnings.push(`What leaves the selection (${leaving}) leaves the controllers, with its rooms and routines there.`);
  }
  return warnings;
}

function partsOf({ described }: DescribedForMatter): readonly MatterPart[] {
  return 'parts' in described ? described.parts : [];
}

function keyOf(thing: string, part: string): string {
  return `${thing} ${part}`;
}
