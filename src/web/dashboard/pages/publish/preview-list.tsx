/** What a publication publishes, as what, and what it can't publish and why. */

import publishTexts from 'texts:publish';
import { useState } from 'react';
import { textOf, useTexts } from '../../texts/texts.ts';
import { Note } from '../../ui/entries.tsx';
import { sortPreview } from './publication.ts';
import classes from './publish.module.css';
import type { Preview } from './publish-documents.ts';
import { remarksText } from './remark-words.ts';

/** The rest of a large home is shown on request. */
const SHOWN_FIRST = 30;

type Item = Preview['items'][number];

export function PreviewList({ preview }: { readonly preview: Preview }) {
  const t = useTexts(publishTexts);
  const { published, refused } = sortPreview(preview);
  const { bridges, warnings, remarks } = preview;
  return (
    <div className={classes.preview}>
      <p className={classes.summary}>
        {t.preview.summary({ count: published.length })} {t.preview.bridges({ count: bridges.length })}
      </p>
      {bridges.length > 1 && (
        <ul className={classes.counts}>
          {bridges.map(({ name, accessories }) => (
            <li key={name}>
              <bdi>{name}</bdi>: {t.preview.onBridge({ count: accessories })}
            </li>
          ))}
        </ul>
      )}
      {warnings.map((warning, index) => (
        <Note key={warning}>{remarksText(remarks.slice(index, index + 1), t.remarks, warning)}</Note>
      ))}
      <ItemList title={t.preview.refused({ count: refused.length })} items={refused} />
      <ItemList title={t.preview.published} items={published} />
    </div>
  );
}

function ItemList({ title, items }: { readonly title: string; readonly items: readonly Item[] }) {
  const t = useTexts(publishTexts);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, SHOWN_FIRST);
  if (items.length === 0) return null;
  return (
    <div>
      <h4 className={classes.listTitle}>{title}</h4>
      <ul className={classes.items} aria-label={title}>
        {shown.map((item) => (
          <PreviewEntry key={`${item.kind} ${item.id}`} item={item} />
        ))}
      </ul>
      {shown.length < items.length && (
        <button type="button" className={classes.more} onClick={() => setWhole(true)}>
          {t.preview.all({ count: items.length })}
        </button>
      )}
    </div>
  );
}

function PreviewEntry({ item: { name, room, publishedAs, reason, note, remarks } }: { readonly item: Item }) {
  const t = useTexts(publishTexts);
  const why = reason ?? note;
  return (
    <li className={classes.item}>
      <span className={classes.itemName}>
        <bdi>{name}</bdi>
        {room !== null && (
          <span className={classes.room}>
            {' · '}
            <bdi>{room}</bdi>
          </span>
        )}
      </span>
      {publishedAs !== null && <span className={classes.as}>{textOf(t.as, publishedAs) ?? publishedAs}</span>}
      {why !== null && <span className={classes.why}>{remarksText(remarks, t.remarks, why)}</span>}
    </li>
  );
}
