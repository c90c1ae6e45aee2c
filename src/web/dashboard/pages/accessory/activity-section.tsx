/** What happened last, and who did it: to an accessory, in a room. */
import accessoryTexts from 'texts:accessory';
import { Link } from 'wouter';
import { hasActor, useActivityWords } from '../../activity/activity-words.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { Section } from '../../ui/page.tsx';
import type { ActivityItem } from '../activity/documents.ts';
import { pagesOfEntry } from '../activity/entry-pages.ts';
import { type Line, latestLines } from '../activity/fold.ts';
import { MaybeLink } from '../activity/maybe-link.tsx';
import { usePageOf } from '../activity/use-page-of.ts';
import { type ActivityView, presentActivityView } from '../activity/view.ts';
import classes from './accessory-page.module.css';
import { useRecentActivity } from './use-recent-activity.ts';

const SHOWN = 5;

export function ActivitySection({ accessoryId }: { readonly accessoryId: string }) {
  return <LatestActivity entries={useRecentActivity(accessoryId)} filter={{ accessoryId }} />;
}

interface LatestProps {
  /** Newest first. */
  readonly entries: readonly ActivityItem[];
  /** Of the page with all of them. */
  readonly filter: Partial<ActivityView>;
  /** They are about several things. */
  readonly isNamed?: boolean;
}

/** Nothing is shown without entries. */
export function LatestActivity({ entries, filter, isNamed = false }: LatestProps) {
  const t = useTexts(accessoryTexts);
  const { day } = useFormat();
  const pageOf = usePageOf(entries);
  const lines = latestLines(entries, SHOWN, day);
  if (lines.length === 0) return null;
  const all = presentActivityView({ roomId: '', accessoryId: '', actor: '', ...filter });
  const link = (
    <Link href={`/activity${all}`} className={classes.sectionLink ?? ''}>
      {t.allActivity}
    </Link>
  );
  return (
    <Section title={t.activity} actions={link}>
      <ol className={`h-bare ${classes.activity}`} aria-label={t.activity}>
        {lines.map((line) => (
          <ActivityLine key={line.entry.id} line={line} pageOf={pageOf} isNamed={isNamed} />
        ))}
      </ol>
    </Section>
  );
}

interface ActivityLineProps extends Required<Pick<LatestProps, 'isNamed'>> {
  readonly line: Line;
  readonly pageOf: ReturnType<typeof usePageOf>;
}

function ActivityLine({ line: { entry, count, since }, pageOf, isNamed }: ActivityLineProps) {
  const t = useTexts(accessoryTexts);
  const format = useFormat();
  const { did, by } = useActivityWords();
  const pages = pagesOfEntry(pageOf, entry);
  return (
    <li className={classes.event}>
      <span className="h-words">
        {isNamed && (
          <>
            <MaybeLink href={pages.subject} className={classes.subject}>
              {entry.subject.name}
            </MaybeLink>
            {' · '}
          </>
        )}
        {did(entry)}
        {hasActor(entry) && (
          <span className={classes.actor}>
            {' · '}
            <MaybeLink href={pages.actor} className={classes.actorLink}>
              {by(entry.actor)}
            </MaybeLink>
          </span>
        )}
        {count > 1 && <span className={classes.actor}> · {t.times({ count, since: format.time(since) })}</span>}
      </span>
      <time dateTime={entry.at} title={format.dateTime(entry.at)} className={classes.when}>
        {format.recent(entry.at)}
      </time>
    </li>
  );
}
