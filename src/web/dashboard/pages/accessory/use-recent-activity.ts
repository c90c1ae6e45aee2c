import { present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useHome } from '../../home/use-home.ts';
import { type ActivityItem, ActivityQuery } from '../activity/documents.ts';

/** Enough for some lines, even if a sensor repeated itself. */
export const RECENT_LIMIT = 40;

/** What happened to an accessory, newest first; nothing before the answer. All parts of a sheet share one request. */
export function useRecentActivity(accessoryId: string): readonly ActivityItem[] {
  const { id: homeId } = useHome();
  const { data } = useApiQuery(ActivityQuery, { homeId, accessoryId, limit: RECENT_LIMIT }, { subjects: ['activity'] });
  return present(data?.activity);
}
