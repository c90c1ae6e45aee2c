/** The latest change of an accessory: "Unlocked, 5 minutes ago · Anna". Nothing if none is known. */
import { graphql, present } from '../api/graphql.ts';
import { useApiQuery } from '../api/query.ts';
import { TimeAgo } from '../ui/time-ago.tsx';
import { hasActor, useActivityWords } from './activity-words.ts';

const LatestActivityQuery = graphql(`
  query LatestActivity($accessoryId: String!) {
    activity(accessoryId: $accessoryId, limit: 1) {
      at
      kind
      characteristic
      value
      actor {
        kind
        name
      }
    }
  }
`);

export function LastActivity({ accessoryId }: { readonly accessoryId: string }) {
  const { did, by } = useActivityWords();
  const query = useApiQuery(LatestActivityQuery, { accessoryId }, { subjects: ['activity'] });
  const [latest] = present(query.data?.activity);
  if (!latest) return null;
  return (
    <span>
      {did(latest)}, <TimeAgo at={latest.at} />
      {hasActor(latest) && <> · {by(latest.actor)}</>}
    </span>
  );
}
