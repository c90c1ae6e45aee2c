/**
 * Shows the search over every page, also with the key `/` outside of text fields. The search itself is loaded on
 * demand.
 */
import { lazy, Suspense, useEffect } from 'react';
import { closeSearch, openSearch, useIsSearchOpen } from '../../search/open-search.ts';

const SearchDialog = lazy(async () => ({ default: (await import('./search-dialog.tsx')).SearchDialog }));

export function SearchHost() {
  const isOpen = useIsSearchOpen();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
      event.preventDefault();
      openSearch();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  if (!isOpen) return null;
  return (
    <Suspense>
      <SearchDialog onClose={closeSearch} />
    </Suspense>
  );
}

/** A dialog handles its own keys. */
function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable || target.closest('input, textarea, select, [role="combobox"], [role="dialog"]') !== null
  );
}
