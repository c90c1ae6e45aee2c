/** What happened last to locks, doors, motion sensors and alarms. */
import { graphql, present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useHome } from '../../home/use-home.ts';
import { LatestActivity } from '../accessory/activity-section.tsx';
import { RECENT_LIMIT } from '../accessory/use-recent-activity.ts';
import { useRecording } from '../accessory/use-recording.ts';
import { ActivityEntryFragment } from '../activity/documents.ts';
import { SideCards } from '../rooms/side-cards.tsx';

/** The API filters by one kind at a time. */
const SecurityQuery = graphql(
  `
    query SecurityActivity($homeId: String!, $limit: Int) {
      locks: activity(homeId: $homeId, kind: "lock", limit: $limit) {
        ...ActivityEntry
      }
      doors: activity(homeId: $homeId, kind: "door", limit: $limit) {
        ...ActivityEntry
      }
      motion: activity(homeId: $homeId, kind: "motion", limit: $limit) {
        ...ActivityEntry
      }
      alarms: activity(homeId: $homeId, kind: "security", limit: $limit) {
        ...ActivityEntry
      }
      hazards: activity(homeId: $homeId, kind: "hazard", limit: $limit) {
        ...ActivityEntry
      }
    }
  `,
  [ActivityEntryFragment],
);

/** @param ids of the accessories of the category */
export function SecurityActivity({ ids }: { readonly ids: readonly string[] }) {
  const { id: homeId } = useHome();
  const isRecorded = useRecording().data?.historyStorageStats?.enabled ?? false;
  const { data } = useApiQuery(SecurityQuery, { homeId, limit: RECENT_LIMIT }, { subjects: ['activity'] });
  const members = new Set(ids);
  const entries = Object.values(data ?? {})
    .flatMap(present)
    .filter(({ subject }) => members.has(subject.id))
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
  if (!isRecorded || entries.length === 0) return null;
  return <SideCards cards={[<LatestActivity key="activity" entries={entries} filter={{}} isNamed />]} />;
}
