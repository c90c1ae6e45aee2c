/** The latest change of an accessory: "Unlocked, 5 minutes ago · Anna". Nothing if none is known. */
import { hasActor, useActivityWords } from '../../activity/activity-words.ts';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { pagesOfEntry } from '../activity/entry-pages.ts';
import { MaybeLink } from '../activity/maybe-link.tsx';
import { usePageOf } from '../activity/use-page-of.ts';
import classes from './accessory-page.module.css';
import { useRecentActivity } from './use-recent-activity.ts';

export function LastActivity({ accessoryId }: { readonly accessoryId: string }) {
  const { did, by } = useActivityWords();
  const entries = useRecentActivity(accessoryId);
  const pageOf = usePageOf(entries);
  const [latest] = entries;
  if (!latest) return null;
  return (
    <span>
      {did(latest)}, <TimeAgo at={latest.at} />
      {hasActor(latest) && (
        <>
          {' · '}
          <MaybeLink href={pagesOfEntry(pageOf, latest).actor} className={classes.actorLink}>
            {by(latest.actor)}
          </MaybeLink>
        </>
      )}
    </span>
  );
}
