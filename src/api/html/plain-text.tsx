/**
 * Makes names from other people safe to show: apps name themselves, people name homes, and a name may be misleading.
 * Markup needs no handling here, since JSX escapes text.
 */
import type { Child } from 'hono/jsx';

/** Longer names do not identify anything better. */
const MAX_NAME_LENGTH = 100;

/**
 * Control and format characters, which hide, reorder or overlay the text beside them; also tags, private-use characters
 * and lone surrogates.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** More combining marks on one letter than any script uses would overlap the lines around it. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;

/** One line of at most `maxLength` characters without invisible ones; `fallback` if nothing is left. */
export function plainText(text: string, maxLength = MAX_NAME_LENGTH, fallback = 'unnamed'): string {
  // Cut first, with room for removed characters: ten megabytes need not be searched.
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

interface UntrustedTextProps {
  readonly text: string;
  /** The page's texts. */
  readonly texts: { readonly unnamed: string };
  readonly maxLength?: number;
}

/** A name from another person, isolated from the text around it, for any writing direction. */
export function UntrustedText({ text, texts, maxLength }: UntrustedTextProps): Child {
  return <bdi>{plainText(text, maxLength, texts.unnamed)}</bdi>;
}
