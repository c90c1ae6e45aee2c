/**
 * Measurements and on/off times: several series over hours to years. The URL contains the view, so it can be
 * bookmarked.
 */

import historyTexts from 'texts:history';
import { Button, Group } from '@mantine/core';
import { ChartLine } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { MAX_SERIES } from '../../../../home/vocabulary/limits.ts';
import { present } from '../../api/graphql.ts';
import { useApiMutation, useApiQuery } from '../../api/query.ts';
import { useHome, useRights } from '../../home/use-home.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { Answer, EmptyState, Loading, Page } from '../../ui/page.tsx';
import { type SeriesInfo, SeriesQuery, SetHistoryEnabled, type StorageStats } from './documents.ts';
import { firstSeries } from './first-series.ts';
import { HistoryPlots } from './history-plots.tsx';
import { SeriesChips } from './series-chips.tsx';
import { useExport } from './use-export.ts';
import { boundsOf, type HistoryView, parseView, presentView } from './window.ts';
import { WindowBar } from './window-bar.tsx';

const RecordingSettings = lazy(async () => ({ default: (await import('./recording-settings.tsx')).RecordingSettings }));

export function HistoryPage() {
  const t = useTexts(historyTexts);
  const { id: homeId } = useHome();
  const known = useApiQuery(SeriesQuery, { homeId }, { subjects: ['history'] });
  return (
    <Page title={t.title} lead={t.lead}>
      <Answer query={known}>
        {({ historySeries, historyStorageStats }) => {
          if (!historyStorageStats?.enabled && !historyStorageStats?.sampleRows) return <Off />;
          return <Recorded all={present(historySeries)} stats={historyStorageStats} />;
        }}
      </Answer>
    </Page>
  );
}

function Off() {
  const t = useTexts(historyTexts);
  const { id: homeId } = useHome();
  const { canManage } = useRights();
  const start = useApiMutation(SetHistoryEnabled, { subjects: ['history'] });
  return (
    <EmptyState
      icon={<ChartLine size={36} />}
      title={t.offTitle}
      action={
        canManage && (
          <Button loading={start.isPending} onClick={() => start.mutate({ homeId, enabled: true })}>
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

function Recorded({ all, stats }: { readonly all: readonly SeriesInfo[]; readonly stats: StorageStats }) {
  const t = useTexts(historyTexts);
  const { canManage } = useRights();
  const [view, setView] = useView(all);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <SeriesChips
        all={all}
        chosen={view.series}
        hasValues={stats.sampleRows > 0}
        onChange={(series) => setView({ ...view, series })}
      />
      {view.series.length > 0 && (
        <>
          <WindowBar window={view.window} onChange={(window) => setView({ ...view, window })} />
          <HistoryPlots view={view} all={all} onWindow={(window) => setView({ ...view, window })} />
        </>
      )}
      <Group gap={8}>
        {view.series.length > 0 && <ExportButton {...view} />}
        {canManage && (
          <Button variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t.settings}
          </Button>
        )}
      </Group>
      {isOpen && (
        <Suspense fallback={<Loading />}>
          <RecordingSettings all={all} stats={stats} />
        </Suspense>
      )}
    </>
  );
}

function ExportButton({ series, window }: Pick<HistoryView, 'series' | 'window'>) {
  const t = useTexts(historyTexts);
  const format = useFormat();
  const { id: homeId } = useHome();
  const { rows, isBusy, start } = useExport();
  return (
    <>
      <Button
        variant="default"
        loading={isBusy}
        onClick={() => void start(homeId, series, boundsOf(window, Date.now()))}
      >
        {t.export}
      </Button>
      <span role="status" style={{ order: 1 }}>
        {rows !== undefined && (isBusy ? t.exporting : t.exported)({ rows: format.number(rows) })}
      </span>
    </>
  );
}

/**
 * The view, stored in the URL. A link from an accessory shows all of its recorded series, and the menu the most useful
 * ones of the home.
 */
function useView(all: readonly SeriesInfo[]): readonly [HistoryView, (view: HistoryView) => void] {
  const search = useSearch();
  const [, navigate] = useLocation();
  const view = parseView(search);
  const isChosen = useRef(search !== '');
  const set = (next: HistoryView) => {
    isChosen.current = true;
    navigate(`/history${presentView(next)}`, { replace: true });
  };
  const { accessoryId } = view;
  // Once for each accessory that links here.
  useEffect(() => {
    if (accessoryId === undefined) return;
    const series = all.filter((one) => one.accessoryId === accessoryId && one.sampleCount > 0).slice(0, MAX_SERIES);
    set({ ...view, series: series.map(({ characteristicType }) => ({ accessoryId, characteristicType })) });
  }, [accessoryId]);
  const first = firstSeries(all);
  const hasFirst = first.length > 0;
  // As soon as there is something to show.
  useEffect(() => {
    if (hasFirst && !isChosen.current) set({ ...view, series: first });
  }, [hasFirst]);
  return [view, set];
}
