/**
 * The texts of the dashboard. Each part has a folder `texts` beside it, with one file for each language. English is the
 * reference: a missing text, or one with other parameters, does not compile. A text with values is a function.
 */
import { numberFormat, pluralRules } from './intl.ts';
import { type Language, languageNow, useLanguage } from './language.ts';

/** The same keys with texts of the same type. */
export type TextsLike<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : TextsLike<T[K]>;
};

export type TextsIn<T> = Readonly<Record<Language, TextsLike<T>>>;

/** The texts of one part in every language. */
export function defineTexts<T>(
  texts: { readonly en: T } & Readonly<Record<Exclude<Language, 'en'>, TextsLike<T>>>,
): TextsIn<T> {
  return texts as TextsIn<T>;
}

/** The texts in the page's language; re-renders when the language changes. */
export function useTexts<T>(texts: TextsIn<T>): TextsLike<T> {
  return texts[useLanguage()];
}

/** For use outside of components. */
export function textsNow<T>(texts: TextsIn<T>): TextsLike<T> {
  return texts[languageNow()];
}

type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** @returns a function that selects the plural form for a number and replaces `#` with it. */
export function pluralIn(language: Language): (count: number, forms: Forms) => string {
  return (count, forms) =>
    (forms[pluralRules(language, {}).select(count)] ?? forms.other).replace(
      '#',
      numberFormat(language, {}).format(count),
    );
}
