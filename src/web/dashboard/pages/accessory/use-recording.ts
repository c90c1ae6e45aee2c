import { graphql } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useHome } from '../../home/use-home.ts';

const RecordingQuery = graphql(`
  query Recording($homeId: String!) {
    historyStorageStats(homeId: $homeId) {
      enabled
    }
  }
`);

/** Whether the home records its history and its activity. */
export function useRecording() {
  const { id: homeId } = useHome();
  return useApiQuery(RecordingQuery, { homeId }, { subjects: ['history'] });
}
