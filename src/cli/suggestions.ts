/** Suggestions for an unknown name: names with a similar spelling, and names that contain the text. */
import { nearest } from '../kernel/nearest.ts';

const MAX_SUGGESTIONS = 3;

/** The most likely first; empty if no name is close. */
export function suggestionsFor(text: string, names: Iterable<string>): readonly string[] {
  const known = [...new Set(names)];
  const wanted = fold(text);
  const near = nearest(text, known);
  const containing = wanted === '' ? [] : known.filter((name) => fold(name).includes(wanted));
  const words = wanted.split(' ').filter((word) => word.length > 2);
  const sharing = known.filter((name) =>
    words.some((word) =>
      fold(name)
        .split(/[\s/]+/)
        .includes(word),
    ),
  );
  const byLength = containing.toSorted((a, b) => a.length - b.length);
  return [...new Set([...(near === undefined ? [] : [near]), ...byLength, ...sharing])].slice(0, MAX_SUGGESTIONS);
}

/** ` Did you mean "Reading Lamp" or "Hall Lamp"?`; `otherwise` if no name is close. */
export function didYouMean(text: string, names: Iterable<string>, otherwise: string): string {
  const meant = suggestionsFor(text, names).map((name) => `"${name}"`);
  const last = meant.pop();
  if (last === undefined) return otherwise;
  return ` Did you mean ${meant.length > 0 ? `${meant.join(', ')} or ` : ''}${last}?`;
}

function fold(text: string): string {
  return text.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
