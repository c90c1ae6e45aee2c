/** The latest change of an accessory: "Unlocked, 5 minutes ago · Anna". Nothing if none is known. */
import { hasActor, useActivityWords } from '../../activity/activity-words.ts';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useRecentActivity } from './use-recent-activity.ts';

export function LastActivity({ accessoryId }: { readonly accessoryId: string }) {
  const { did, by } = useActivityWords();
  const [latest] = useRecentActivity(accessoryId);
  if (!latest) return null;
  return (
    <span>
      {did(latest)}, <TimeAgo at={latest.at} />
      {hasActor(latest) && <> · {by(latest.actor)}</>}
    </span>
  );
}
