/** Who did what in the home, and when. The URL contains the filters. */
import activityTexts from 'texts:activity';
import { Button, Group } from '@mantine/core';
import { Footprints } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { present } from '../../api/graphql.ts';
import { useApiMutation, useApiQuery } from '../../api/query.ts';
import { useHome, useRights } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { Answer, EmptyState, Page } from '../../ui/page.tsx';
import { ActivityDays } from './activity-days.tsx';
import { ActivityFilters } from './activity-filters.tsx';
import { ActivityFactsQuery, ActivityQuery, type ListedActor, StartHistory } from './documents.ts';
import { ExportButton } from './export-button.tsx';
import { type ActivityView, isFiltered, parseActivityView, presentActivityView, variablesOf } from './view.ts';

const PAGE_LENGTH = 100;
/** The API's limit. */
const MAX_ENTRIES = 500;

export function ActivityPage() {
  const t = useTexts(activityTexts);
  const { id: homeId } = useHome();
  const facts = useApiQuery(ActivityFactsQuery, { homeId }, { subjects: ['history'] });
  return (
    <Answer query={facts}>
      {({ activityActors, historyStorageStats }) => (
        <Activity actors={present(activityActors)} isRecorded={historyStorageStats?.enabled ?? false} title={t.title} />
      )}
    </Answer>
  );
}

interface ActivityProps {
  readonly title: string;
  readonly actors: readonly ListedActor[];
  readonly isRecorded: boolean;
}

function Activity({ title, actors, isRecorded }: ActivityProps) {
  const t = useTexts(activityTexts);
  const { id: homeId } = useHome();
  const [view, setView] = useView();
  const [limit, setLimit] = useState(PAGE_LENGTH);
  const variables = { homeId, ...variablesOf(view) };
  const query = useApiQuery(ActivityQuery, { ...variables, limit }, { subjects: ['activity'], keepPrevious: true });
  const entries = present(query.data?.activity);
  const isOff = !isRecorded && query.data !== undefined && entries.length === 0 && !isFiltered(view);
  return (
    <Page title={title} lead={t.lead}>
      {isOff ? (
        <Off />
      ) : (
        <>
          <ActivityFilters view={view} actors={actors} onChange={setView} />
          <Answer query={query}>
            {() =>
              entries.length === 0 ? (
                <EmptyState icon={<Footprints size={36} />} title={t.emptyTitle}>
                  {isFiltered(view) ? t.noMatch : t.emptyText}
                </EmptyState>
              ) : (
                <>
                  <ActivityDays entries={entries} />
                  {entries.length === MAX_ENTRIES && <p>{t.full}</p>}
                  <Group gap={8}>
                    {entries.length === limit && limit < MAX_ENTRIES && (
                      <Button
                        variant="default"
                        loading={query.isFetching}
                        onClick={() => setLimit(limit + PAGE_LENGTH)}
                      >
                        {t.older}
                      </Button>
                    )}
                    <ExportButton variables={variables} />
                  </Group>
                </>
              )
            }
          </Answer>
        </>
      )}
    </Page>
  );
}

function Off() {
  const t = useTexts(activityTexts);
  const { id: homeId } = useHome();
  const { canManage } = useRights();
  const start = useApiMutation(StartHistory, { subjects: ['history', 'activity'] });
  return (
    <EmptyState
      icon={<Footprints size={36} />}
      title={t.offTitle}
      action={
        canManage && (
          <Button loading={start.isPending} onClick={() => start.mutate({ homeId })}>
            {t.switchOn}
          </Button>
        )
      }
    >
      <p>{t.offText}</p>
      {!canManage && <p>{t.offAsk}</p>}
    </EmptyState>
  );
}

function useView(): readonly [ActivityView, (view: ActivityView) => void] {
  const search = useSearch();
  const [, navigate] = useLocation();
  return [parseActivityView(search), (view) => navigate(`/activity${presentActivityView(view)}`, { replace: true })];
}
