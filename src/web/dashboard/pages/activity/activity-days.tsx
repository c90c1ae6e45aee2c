import activityTexts from 'texts:activity';
import { hasActor, useActivityWords } from '../../activity/activity-words.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Section } from '../../ui/page.tsx';
import { useRoomName } from '../rooms/room-name.ts';
import classes from './activity.module.css';
import type { ActivityItem } from './documents.ts';
import { pagesOfEntry } from './entry-pages.ts';
import { foldByDay, type Line } from './fold.ts';
import { MaybeLink } from './maybe-link.tsx';
import { SubjectIcon } from './subject-icon.tsx';
import { usePageOf } from './use-page-of.ts';

const DAY_MS = 86_400_000;

export function ActivityDays({ entries }: { readonly entries: readonly ActivityItem[] }) {
  const format = useFormat();
  const dayName = useDayName();
  const pageOf = usePageOf(entries);
  return foldByDay(entries, format.day).map(({ day, lines }) => (
    <Section key={day} title={dayName(day)}>
      <ol className={classes.list}>
        {lines.map((line) => (
          <LineRow key={line.entry.id} line={line} pageOf={pageOf} />
        ))}
      </ol>
    </Section>
  ));
}

interface LineRowProps {
  readonly line: Line;
  readonly pageOf: ReturnType<typeof usePageOf>;
}

function LineRow({ line: { entry, count, since }, pageOf }: LineRowProps) {
  const t = useTexts(activityTexts);
  const format = useFormat();
  const { did, by } = useActivityWords();
  const roomName = useRoomName();
  const room = entry.roomName === null ? null : roomName({ name: entry.roomName, isDefault: true });
  const { actor } = entry;
  const pages = pagesOfEntry(pageOf, entry);
  const isPerson = hasActor(entry) && actor.name !== null && (actor.kind === 'user' || actor.kind === 'person');
  return (
    <li className={classes.line} data-kind={entry.kind}>
      <SubjectIcon subject={entry.subject} />
      <time dateTime={entry.at} title={format.dateTime(entry.at)} className={classes.time}>
        {format.time(entry.at)}
      </time>
      <div className={classes.what}>
        <p>
          <MaybeLink href={pages.subject} className={classes.name}>
            {entry.subject.name}
          </MaybeLink>
          <span className={classes.dot}> · </span>
          <span className={classes.did}>{did(entry)}</span>
          {count > 1 && <span className={classes.count}>{t.times({ count, since: format.time(since) })}</span>}
        </p>
        {(room !== null || hasActor(entry)) && (
          <small className={classes.notes}>
            {isPerson && <Avatar name={actor.name ?? ''} isSmall />}
            <span>
              {room}
              {room !== null && hasActor(entry) && ' · '}
              {hasActor(entry) && (
                <MaybeLink href={pages.actor} className={classes.actor}>
                  {by(actor)}
                </MaybeLink>
              )}
            </span>
          </small>
        )}
      </div>
    </li>
  );
}

function useDayName(): (day: number) => string {
  const t = useTexts(activityTexts);
  const format = useFormat();
  const today = format.day(Date.now());
  return (day) => (day === today ? t.today : day === today - 1 ? t.yesterday : format.date(day * DAY_MS, 'UTC'));
}
