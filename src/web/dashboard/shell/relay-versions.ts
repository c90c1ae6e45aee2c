/** Which version runs, which one ran before it, and which one is out; for people who manage a home. */
import { useCallback } from 'react';
import { dashboardSetting, useManagesHome, useUpdateSettings } from '../account/account.ts';
import { graphql, type ResultOf } from '../api/graphql.ts';
import { useApiQuery } from '../api/query.ts';

const VersionsQuery = graphql(`
  query RelayVersions {
    relay {
      version
      status {
        previousVersion
        newVersion
      }
    }
  }
`);

/** No event reports a new version: the relay asks once a day. */
const EVERY_MS = 3_600_000;
/** The key of the account's settings with the version whose news the person has seen. */
export const SEEN_VERSION = 'seenVersion';

interface RelayVersions {
  readonly version: string;
  readonly previousVersion: string | null;
  readonly newVersion: string | null;
}

/** @returns `undefined` until the relay has answered, and for other people */
export function useRelayVersions(): RelayVersions | undefined {
  const enabled = useManagesHome();
  const { data } = useApiQuery(VersionsQuery, {}, { subjects: ['relay'], everyMs: EVERY_MS, enabled });
  return data && versionsIn(data);
}

function versionsIn({ relay: { version, status } }: ResultOf<typeof VersionsQuery>): RelayVersions | undefined {
  return status ? { version, ...status } : undefined;
}

/** @returns stores that the person has seen what is new in this version */
export function useSeeVersion(): (version: string) => void {
  const { mutate } = useUpdateSettings();
  return useCallback((version) => mutate({ data: dashboardSetting(SEEN_VERSION, version) }), [mutate]);
}
