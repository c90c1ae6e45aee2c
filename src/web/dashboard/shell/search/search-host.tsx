/** Shows the search over every page, also with the key `/` outside of text fields. */
import { closeSearch, openSearch, useIsSearchOpen } from '../../search/open-search.ts';
import { useShortcut } from '../shortcut.ts';
import { SearchDialog } from './search-dialog.tsx';

export function SearchHost() {
  const isOpen = useIsSearchOpen();
  useShortcut('/', openSearch);
  return isOpen && <SearchDialog onClose={closeSearch} />;
}
