/** A search field with results, as a combobox: the arrow keys select, Enter opens. */

import commonTexts from 'texts:common';
import searchTexts from 'texts:search';
import { Modal } from '@mantine/core';
import { Search, X } from 'lucide-react';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useTexts } from '../../texts/texts.ts';
import { find } from './find.ts';
import classes from './search.module.css';
import { useSearchItems } from './search-items.ts';

/** Another word narrows a longer list. */
const MAX_SHOWN = 12;

export function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(searchTexts);
  const common = useTexts(commonTexts);
  const items = useSearchItems();
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const [, go] = useLocation();
  const listId = useId();
  const found = useMemo(() => find(items, query), [items, query]);
  const shown = found.slice(0, MAX_SHOWN);
  const open = (href: string) => {
    onClose();
    go(href);
  };
  const search = (text: string) => {
    setQuery(text);
    setActive(0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && shown.length > 0) {
      event.preventDefault();
      setActive((active + step + shown.length) % shown.length);
    } else if (event.key === 'Enter' && shown[active]) {
      event.preventDefault();
      open(shown[active].href);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={common.search}
      closeButtonProps={{ 'aria-label': common.close }}
      yOffset="8dvh"
      zIndex={400}
    >
      <SearchField
        query={query}
        onSearch={search}
        listId={listId}
        option={shown[active] && `${listId}-${active}`}
        onKeyDown={onKeyDown}
      />
      <p className={classes.count} role="status">
        {query.trim() === ''
          ? t.teach
          : found.length === 0
            ? t.nothing({ query: query.trim() })
            : t.found({ count: found.length })}
      </p>
      <Results id={listId} items={shown} active={active} onActive={setActive} onOpen={open} />
    </Modal>
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
        data-autofocus
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

interface ResultsProps {
  readonly id: string;
  readonly items: ReturnType<typeof useSearchItems>;
  readonly active: number;
  readonly onActive: (index: number) => void;
  readonly onOpen: (href: string) => void;
}

function Results({ id, items, active, onActive, onOpen }: ResultsProps) {
  const t = useTexts(searchTexts);
  return (
    <div id={id} role="listbox" aria-label={t.results} className={classes.results}>
      {items.map(({ key, href, name, detail, icon: Icon }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys
        <div
          key={key}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={classes.result}
          onMouseMove={() => onActive(index)}
          onClick={() => onOpen(href)}
        >
          <Icon aria-hidden />
          <span className={classes.words}>
            <span className={classes.name}>{name}</span>
            <span className={classes.detail}>{detail}</span>
          </span>
        </div>
      ))}
    </div>
  );
}
