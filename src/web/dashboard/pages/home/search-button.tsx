/** Opens the search, from the heading of the home page. */

import searchTexts from 'texts:search';
import { Search } from 'lucide-react';
import { openSearch } from '../../search/open-search.ts';
import { useTexts } from '../../texts/texts.ts';
import classes from './home.module.css';

export function SearchButton() {
  const t = useTexts(searchTexts);
  return (
    <button type="button" className={classes.tool} data-short title={t.hint} aria-keyshortcuts="/" onClick={openSearch}>
      <Search aria-hidden />
      <span>{t.search}</span>
    </button>
  );
}
