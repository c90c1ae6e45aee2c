/**
 * The texts of the pages that the relay renders, from the catalogues in `src/texts`. Where a message takes a text, it
 * takes markup as well, and is then markup itself: names of other people, commands and links are passed in escaped.
 */

import type { Catalogues } from 'texts:types';
import type { Child } from 'hono/jsx';
import { LANGUAGES, type Language } from '../texts/languages.ts';
import { bindCatalogue } from '../texts/message.ts';
import { RELAY_CATALOGUES } from '../texts/relay-catalogues.ts';

type Name = keyof typeof RELAY_CATALOGUES;

export type TextsOf<N extends Name> = { readonly language: Language } & RenderedTexts<Catalogues[N]>;

type RenderedTexts<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (values: infer Values) => string
      ? <Given extends MarkupTexts<Values>>(
          values: Given,
        ) => Given[keyof Given] extends string | number ? string : Child
      : RenderedTexts<T[K]>;
};

type MarkupTexts<Values> = {
  readonly [K in keyof Values]: Values[K] extends string
    ? Child
    : Values[K] extends (text: string) => string
      ? (text: string) => Child
      : Values[K];
};

export function textsIn<N extends Name>(name: N): Readonly<Record<Language, TextsOf<N>>> {
  const all = (Object.keys(LANGUAGES) as Language[]).map((language) => [
    language,
    { language, ...bindCatalogue(RELAY_CATALOGUES[name][language], language) },
  ]);
  return Object.fromEntries(all) as Record<Language, TextsOf<N>>;
}
