/** What happened to the accessory last, and who did it. */
import accessoryTexts from 'texts:accessory';
import { Link } from 'wouter';
import { hasActor, useActivityWords } from '../../activity/activity-words.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { Section } from '../../ui/page.tsx';
import { type Line, latestLines } from '../activity/fold.ts';
import { MaybeLink } from '../activity/maybe-link.tsx';
import { usePageOf } from '../activity/use-page-of.ts';
import { presentActivityView } from '../activity/view.ts';
import classes from './accessory-page.module.css';
import { useRecentActivity } from './use-recent-activity.ts';

const SHOWN = 5;

/** Nothing is shown before the answer, and if nothing is known. */
export function ActivitySection({ accessoryId }: { readonly accessoryId: string }) {
  const t = useTexts(accessoryTexts);
  const { day } = useFormat();
  const entries = useRecentActivity(accessoryId);
  const pageOf = usePageOf(entries);
  const lines = latestLines(entries, SHOWN, day);
  if (lines.length === 0) return null;
  const all = presentActivityView({ roomId: '', accessoryId, actor: '' });
  const link = (
    <Link href={`/activity${all}`} className={classes.sectionLink ?? ''}>
      {t.allActivity}
    </Link>
  );
  return (
    <Section title={t.activity} actions={link}>
      <ol className={`h-bare ${classes.activity}`} aria-label={t.activity}>
        {lines.map((line) => (
          <ActivityLine key={line.entry.id} line={line} pageOf={pageOf} />
        ))}
      </ol>
    </Section>
  );
}

interface ActivityLineProps {
  readonly line: Line;
  readonly pageOf: ReturnType<typeof usePageOf>;
}

function ActivityLine({ line: { entry, count, since }, pageOf }: ActivityLineProps) {
  const t = useTexts(accessoryTexts);
  const format = useFormat();
  const { did, by } = useActivityWords();
  return (
    <li className={classes.event}>
      <span className="h-words">
        {did(entry)}
        {hasActor(entry) && (
          <span className={classes.actor}>
            {' · '}
            <MaybeLink href={pageOf(entry.actor.kind, entry.actor)} className={classes.actorLink}>
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
