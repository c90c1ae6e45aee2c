/** What the search finds. */
import searchTexts from 'texts:search';
import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useTexts } from '../../texts/texts.ts';
import { mayLeave } from '../../ui/leave-guard.ts';
import { find } from './find.ts';
import type { SearchResultsProps } from './result-keys.ts';
import classes from './search.module.css';
import { type SearchItem, useSearchItems } from './search-items.ts';

/** Another word narrows a longer list. */
const MAX_SHOWN = 12;

export function SearchResults({ id, query, keys, isEntered, onSelect, onClose }: SearchResultsProps) {
  const t = useTexts(searchTexts);
  const items = useSearchItems();
  const [selected, setSelected] = useState({ query, index: 0 });
  const [, go] = useLocation();
  const found = useMemo(() => find(items, query), [items, query]);
  const shown = found.slice(0, MAX_SHOWN);
  // Another query begins at its first result.
  const active = selected.query === query && selected.index < shown.length ? selected.index : 0;
  const select = (index: number) => setSelected({ query, index });
  const open = async ({ href, isDocument = false, run }: SearchItem): Promise<void> => {
    onClose();
    if (!(await mayLeave())) return;
    if (href !== undefined && isDocument) location.assign(href);
    else if (href !== undefined) go(href);
    run?.();
  };
  const openActive = () => {
    const item = shown[active];
    if (item) void open(item);
  };
  const option = shown.length > 0 ? `${id}-${active}` : undefined;
  useEffect(() => onSelect(option), [option, onSelect]);
  useEffect(() => {
    keys.current = {
      step: (by) => shown.length > 0 && select((active + by + shown.length) % shown.length),
      open: openActive,
    };
    if (isEntered.current) openActive();
    isEntered.current = false;
  });
  return (
    <>
      <p className={classes.count} role="status">
        {query.trim() === ''
          ? t.teach
          : found.length === 0
            ? t.nothing({ query: query.trim() })
            : t.found({ count: found.length })}
      </p>
      <div id={id} role="listbox" aria-label={t.results} className={classes.results}>
        {shown.map((item, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys
          <div
            key={item.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={classes.result}
            onMouseMove={() => select(index)}
            onClick={() => void open(item)}
          >
            <item.icon aria-hidden />
            <span className={classes.words}>
              <span className={classes.name}>{item.name}</span>
              <span className={classes.detail}>{item.detail}</span>
            </span>
          </div>
        ))}
      </div>
    </>
  );
}
