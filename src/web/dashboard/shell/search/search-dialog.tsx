/**
 * The search: a field that takes the first key, and results, which are loaded on demand. It is a combobox: the arrow
 * keys select, Enter opens.
 */
import commonTexts from 'texts:common';
import searchTexts from 'texts:search';
import { Search, X } from 'lucide-react';
import { type KeyboardEvent, Suspense, useId, useLayoutEffect, useRef, useState } from 'react';
import { useTexts } from '../../texts/texts.ts';
import { lazyPart } from '../../ui/load-part.ts';
import type { ResultKeys } from './result-keys.ts';
import classes from './search.module.css';

const SearchResults = lazyPart(() => import('./search-results.tsx'), 'SearchResults');

export function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(searchTexts);
  const common = useTexts(commonTexts);
  const dialog = useRef<HTMLDialogElement>(null);
  const [query, setQuery] = useState('');
  const [option, setOption] = useState<string>();
  const listId = useId();
  /** `undefined` until the results are loaded. */
  const keys = useRef<ResultKeys>(undefined);
  /** Enter was pressed before that. */
  const isEntered = useRef(false);
  // Before the next key arrives, so that the field takes it.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const close = () => {
    // Gives the focus back to where it was.
    dialog.current?.close();
    // Its event comes later, when the search may be open again.
    onClose();
  };
  const search = (text: string) => {
    isEntered.current = false;
    setQuery(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key];
    if (step === undefined && event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    // Chromium would only clear the field.
    if (event.key === 'Escape') return close();
    if (!keys.current) isEntered.current = event.key === 'Enter';
    else if (step) keys.current.step(step);
    else keys.current.open();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes it by Escape
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-label={common.search}
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && close()}
    >
      <div className={classes.body}>
        <div className={classes.head}>
          <SearchField query={query} onSearch={search} listId={listId} option={option} onKeyDown={onKeyDown} />
          <button type="button" className={classes.close} aria-label={common.close} onClick={close}>
            <X aria-hidden />
          </button>
        </div>
        <Suspense fallback={<p className={classes.count}>{query.trim() === '' ? t.teach : common.loading}</p>}>
          <SearchResults
            id={listId}
            query={query}
            keys={keys}
            isEntered={isEntered}
            onSelect={setOption}
            onClose={close}
          />
        </Suspense>
      </div>
    </dialog>
  );
}

interface SearchFieldProps {
  readonly query: string;
  readonly onSearch: (query: string) => void;
  readonly listId: string;
  /** The id of the selected result. */
  readonly option: string | undefined;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function SearchField({ query, onSearch, listId, option, onKeyDown }: SearchFieldProps) {
  const t = useTexts(searchTexts);
  const input = useRef<HTMLInputElement>(null);
  const clear = () => {
    onSearch('');
    input.current?.focus();
  };
  return (
    <div className={classes.field}>
      <Search aria-hidden />
      <input
        ref={input}
        // biome-ignore lint/a11y/noAutofocus: the dialog is opened in order to type
        autoFocus
        className={classes.input}
        type="search"
        role="combobox"
        aria-label={t.label}
        placeholder={t.label}
        aria-expanded={option !== undefined}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={option}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={({ currentTarget }) => onSearch(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {query !== '' && (
        <button type="button" className={classes.clear} aria-label={t.clear} onClick={clear}>
          <X aria-hidden />
        </button>
      )}
    </div>
  );
}
