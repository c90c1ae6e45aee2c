/**
 * What people read. Each part of the dashboard has its texts in a folder `texts` beside it, one file a language; English is what the
 * others are measured by: a sentence that is missing, or that takes other values, does not compile. A sentence with values is a function.
 */
import { numberFormat, pluralRules } from './intl.ts';
import { type Language, languageNow, useLanguage } from './language.ts';

/** The same keys with texts of the same kind. */
export type TextsLike<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : TextsLike<T[K]>;
};

export type TextsIn<T> = Readonly<Record<Language, TextsLike<T>>>;

/** One part's texts in every language. */
export function defineTexts<T>(
  texts: { readonly en: T } & Readonly<Record<Exclude<Language, 'en'>, TextsLike<T>>>,
): TextsIn<T> {
  return texts as TextsIn<T>;
}

/** In the language of the page, and again when that changes. */
export function useTexts<T>(texts: TextsIn<T>): TextsLike<T> {
  return texts[useLanguage()];
}

/** For what is said outside of components. */
export function textsNow<T>(texts: TextsIn<T>): TextsLike<T> {
  return texts[languageNow()];
}

type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** @returns a function that takes the form for a number and puts it in the place of `#`. */
export function pluralIn(language: Language): (count: number, forms: Forms) => string {
  return (count, forms) =>
    (forms[pluralRules(language, {}).select(count)] ?? forms.other).replace(
      '#',
      numberFormat(language, {}).format(count),
    );
}
