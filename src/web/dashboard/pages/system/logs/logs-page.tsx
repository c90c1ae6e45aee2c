/** The tail of the log, live. */

import systemTexts from 'texts:system';
import type { Catalogues } from 'texts:types';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { exactTime } from '../../../texts/exact-time.ts';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { copyText } from '../../../ui/copy.ts';
import { EmptyState, ErrorNotice, Loading } from '../../../ui/page.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { SystemFrame } from '../system-frame.tsx';
import { useLog } from './follow-log.ts';
import {
  asText,
  fieldsText,
  foldRepeats,
  LEVELS,
  type LogEntry,
  type LogLevel,
  type LogLine,
  linesShown,
} from './log-lines.ts';
import classes from './logs-page.module.css';

export function LogsPage() {
  const t = useTexts(systemTexts).logs;
  const { lines, error, isLive } = useLog();
  return (
    <SystemFrame lead={t.lead}>
      {error !== undefined && <ErrorNotice error={error} />}
      {lines ? <Tail lines={lines} isLive={isLive} /> : error === undefined && <Loading />}
    </SystemFrame>
  );
}

function Tail({ lines, isLive }: { readonly lines: readonly LogLine[]; readonly isLive: boolean }) {
  const t = useTexts(systemTexts).logs;
  const [level, setLevel] = useState<LogLevel>('info');
  const [search, setSearch] = useState('');
  const [pausedAt, setPausedAt] = useState<number>();
  const newest = lines.at(-1)?.seq ?? 0;
  const visible = pausedAt === undefined ? lines : lines.filter(({ seq }) => seq <= pausedAt);
  const shown = linesShown(visible, level, search);
  return (
    <>
      <div className={classes.tools}>
        <NativeSelect
          label={t.level}
          value={level}
          data={LEVELS.map((value) => ({ value, label: t.levels[value] }))}
          onChange={({ currentTarget }) => setLevel(currentTarget.value as LogLevel)}
          className={classes.choice ?? ''}
        />
        <TextInput
          type="search"
          label={t.search}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
          className={classes.search ?? ''}
        />
        <div className={classes.buttons}>
          <Button variant="default" onClick={() => setPausedAt(pausedAt === undefined ? newest : undefined)}>
            {pausedAt === undefined ? t.pause : t.resume}
          </Button>
          <Button variant="default" onClick={() => void copy(shown, t)}>
            {t.copy}
          </Button>
          <Button variant="default" onClick={() => download(shown, t.fileName)}>
            {t.download}
          </Button>
        </div>
      </div>
      <p className={classes.note} role="status">
        {pausedAt !== undefined ? (
          t.paused({ count: newest - pausedAt })
        ) : isLive ? (
          <>
            {t.quiet} <Link href="/settings/relay#log">{t.toSettings}</Link>
          </>
        ) : (
          t.lost
        )}
      </p>
      {shown.length === 0 ? <EmptyState title={t.empty}>{t.emptyText}</EmptyState> : <Lines lines={shown} />}
    </>
  );
}

/** Scrolls with new lines at the end, and keeps the position elsewhere. */
function Lines({ lines }: { readonly lines: readonly LogLine[] }) {
  const t = useTexts(systemTexts).logs;
  const list = useRef<HTMLOListElement>(null);
  const isAtEnd = useRef(true);
  const last = lines.at(-1)?.seq;
  useEffect(() => {
    if (isAtEnd.current) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [last]);
  return (
    <ol
      ref={list}
      className={classes.lines}
      aria-label={t.region}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be scrollable by keyboard too.
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24;
      }}
    >
      {foldRepeats(lines).map((entry) => {
        const [line, ...repeats] = entry;
        return (
          <li key={line.seq} className={classes.line} data-level={line.level}>
            <Clock at={line.at} />
            <span className={classes.level}>{t.levelNames[line.level as LogLevel] ?? line.level}</span>
            <div className={classes.text}>
              {line.message} <span className={classes.fields}>{fieldsText(line.fields)}</span>
              {repeats.length > 0 && <Repeats entry={entry} />}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** How often one message was logged; opened, when, and with which fields if they differ. */
function Repeats({ entry }: { readonly entry: LogEntry }) {
  const t = useTexts(systemTexts).logs;
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  const shown = fieldsText(entry[0].fields);
  const last = exactTime(entry.at(-1)?.at ?? '', format);
  return (
    <details className={classes.repeats} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t.repeated({ count: entry.length, last })}</summary>
      {isOpen && (
        <ol className={classes.times}>
          {entry.map(({ seq, at, fields }) => (
            <li key={seq}>
              <Clock at={at} /> {fieldsText(fields) !== shown && fieldsText(fields)}
            </li>
          ))}
        </ol>
      )}
    </details>
  );
}

function Clock({ at }: { readonly at: string }) {
  const format = useFormat();
  return (
    <time dateTime={at} title={format.dateTime(at)} className={classes.time}>
      {exactTime(at, format)}
    </time>
  );
}

type LogTexts = Catalogues['system']['logs'];

async function copy(lines: readonly LogLine[], t: LogTexts): Promise<void> {
  const done = await copyText(asText(lines));
  showToast(done ? { text: t.copied } : { text: t.notCopied, tone: 'bad' });
}

function download(lines: readonly LogLine[], name: string): void {
  const url = URL.createObjectURL(new Blob([`${asText(lines)}\n`], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name}.txt`;
  link.click();
  URL.revokeObjectURL(url);
}
