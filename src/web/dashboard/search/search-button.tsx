/** Opens the search, from a page's heading. */

import searchTexts from 'texts:search';
import { Search } from 'lucide-react';
import { useTexts } from '../texts/texts.ts';
import { openSearch } from './open-search.ts';
import classes from './search-button.module.css';

export function SearchButton() {
  const t = useTexts(searchTexts);
  return (
    <button type="button" className={classes.button} title={t.hint} aria-keyshortcuts="/" onClick={openSearch}>
      <Search aria-hidden />
      <span>{t.search}</span>
    </button>
  );
}
