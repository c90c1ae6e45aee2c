/**
 * Names that somebody else chose, made fit to be shown: apps name themselves, people name homes, and a name may be there to mislead.
 * Markup needs nothing here, since whatever JSX is given as text stays text.
 */
import type { Child } from 'hono/jsx';

/** Longer names say nothing more about what is meant. */
const MAX_NAME_LENGTH = 100;

/** Control and format characters, which hide, reorder or overlay what stands beside them; tags, private ones and halves of pairs too. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** More marks on one letter than any script puts there would grow over the lines around it. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;

/** One line of at most `maxLength` characters with nothing unseen in it; `fallback` where nothing is left. */
export function plainText(text: string, maxLength = MAX_NAME_LENGTH, fallback = 'unnamed'): string {
  // Cut first, with room for what goes: ten megabytes need not be searched.
  const line = text
    .slice(0, maxLength * 8)
    .replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(UNSEEN, '')
    .replace(PILED_MARKS, '$1')
    .trim();
  if (line === '') return fallback;
  const characters = [...line];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : line;
}

interface ForeignProps {
  readonly text: string;
  /** Of the page. */
  readonly texts: { readonly unnamed: string };
  readonly maxLength?: number;
}

/** A name that somebody else chose, kept apart from the text around it whatever direction it is written in. */
export function Foreign({ text, texts, maxLength }: ForeignProps): Child {
  return <bdi>{plainText(text, maxLength, texts.unnamed)}</bdi>;
}
