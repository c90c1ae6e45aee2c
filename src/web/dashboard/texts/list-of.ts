/** "A, B and C" in the page's language, for use outside of components. */
import { languageNow, localeOf } from './language.ts';

export function listOf(names: readonly string[]): string {
  return new Intl.ListFormat(localeOf(languageNow())).format(names);
}
