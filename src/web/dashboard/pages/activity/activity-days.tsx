import activityTexts from 'texts:activity';
import { Link } from 'wouter';
import { hasActor, useActivityWords } from '../../activity/activity-words.ts';
import { homeStore } from '../../home/home-store.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Section } from '../../ui/page.tsx';
import { useRoomName } from '../rooms/room-name.ts';
import classes from './activity.module.css';
import type { ActivityItem } from './documents.ts';
import { foldByDay, type Line } from './fold.ts';
import { SubjectIcon } from './subject-icon.tsx';

export function ActivityDays({ entries }: { readonly entries: readonly ActivityItem[] }) {
  const dayName = useDayName();
  return foldByDay(entries).map(({ start, lines }) => (
    <Section key={start} title={dayName(start)}>
      <ol className={classes.list}>
        {lines.map((line) => (
          <LineRow key={line.entry.id} line={line} />
        ))}
      </ol>
    </Section>
  ));
}

function LineRow({ line: { entry, count, since } }: { readonly line: Line }) {
  const t = useTexts(activityTexts);
  const format = useFormat();
  const { did, by } = useActivityWords();
  const roomName = useRoomName();
  const room = entry.roomName === null ? null : roomName({ name: entry.roomName, isDefault: true });
  const { actor } = entry;
  const isPerson = hasActor(entry) && actor.name !== null && (actor.kind === 'user' || actor.kind === 'person');
  const notes = [room, hasActor(entry) && by(actor)].filter((note) => typeof note === 'string');
  return (
    <li className={classes.line} data-kind={entry.kind}>
      <SubjectIcon subject={entry.subject} />
      <time dateTime={entry.at} title={format.dateTime(entry.at)} className={classes.time}>
        {format.time(entry.at)}
      </time>
      <div className={classes.what}>
        <p>
          <SubjectName subject={entry.subject} />
          <span className={classes.dot}> · </span>
          <span className={classes.did}>{did(entry)}</span>
          {count > 1 && <span className={classes.count}>{t.times({ count, since: format.time(since) })}</span>}
        </p>
        {notes.length > 0 && (
          <small className={classes.notes}>
            {isPerson && <Avatar name={actor.name ?? ''} isSmall />}
            {notes.join(' · ')}
          </small>
        )}
      </div>
    </li>
  );
}

/** Links to accessories that still exist. */
function SubjectName({ subject: { type, id, name } }: Pick<ActivityItem, 'subject'>) {
  const isThere = type === 'accessory' && homeStore.accessory(id) !== undefined;
  return isThere ? (
    <Link href={`/accessories/${encodeURIComponent(id)}`} className={classes.name ?? ''}>
      {name}
    </Link>
  ) : (
    <bdi className={classes.name}>{name}</bdi>
  );
}

function useDayName(): (start: number) => string {
  const t = useTexts(activityTexts);
  const format = useFormat();
  const today = new Date().setHours(0, 0, 0, 0);
  const yesterday = new Date(today).setDate(new Date(today).getDate() - 1);
  return (start) => (start === today ? t.today : start === yesterday ? t.yesterday : format.date(start));
}
