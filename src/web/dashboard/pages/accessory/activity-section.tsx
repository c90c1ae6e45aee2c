/** What happened to the accessory last, and who did it. */
import accessoryTexts from 'texts:accessory';
import { Link } from 'wouter';
import { hasActor, useActivityWords } from '../../activity/activity-words.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { Section } from '../../ui/page.tsx';
import { type Line, latestLines } from '../activity/fold.ts';
import { presentActivityView } from '../activity/view.ts';
import classes from './accessory-page.module.css';
import { useRecentActivity } from './use-recent-activity.ts';

const SHOWN = 5;

/** Nothing is shown before the answer, and if nothing is known. */
export function ActivitySection({ accessoryId }: { readonly accessoryId: string }) {
  const t = useTexts(accessoryTexts);
  const { day } = useFormat();
  const lines = latestLines(useRecentActivity(accessoryId), SHOWN, day);
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
          <ActivityLine key={line.entry.id} line={line} />
        ))}
      </ol>
    </Section>
  );
}

function ActivityLine({ line: { entry, count, since } }: { readonly line: Line }) {
  const t = useTexts(accessoryTexts);
  const format = useFormat();
  const { did, by } = useActivityWords();
  return (
    <li className={classes.event}>
      <span className="h-words">
        {did(entry)}
        {hasActor(entry) && <span className={classes.actor}> · {by(entry.actor)}</span>}
        {count > 1 && <span className={classes.actor}> · {t.times({ count, since: format.time(since) })}</span>}
      </span>
      <time dateTime={entry.at} title={format.dateTime(entry.at)} className={classes.when}>
        {format.recent(entry.at)}
      </time>
    </li>
  );
}
