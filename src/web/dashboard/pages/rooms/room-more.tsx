/** Below the tiles of a room: its last day, what happened in it, and the automations that use it. */
import accessoryTexts from 'texts:accessory';
import roomsTexts from 'texts:rooms';
import { Box } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { Link } from 'wouter';
import { present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useHome } from '../../home/use-home.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { lazyPart } from '../../ui/load-part.ts';
import { Section } from '../../ui/page.tsx';
import sheetClasses from '../accessory/accessory-page.module.css';
import { LatestActivity } from '../accessory/activity-section.tsx';
import { RECENT_LIMIT } from '../accessory/use-recent-activity.ts';
import { useRecording } from '../accessory/use-recording.ts';
import { useUses } from '../accessory/uses.ts';
import { isAutomation, UseList } from '../accessory/uses-section.tsx';
import { ActivityQuery } from '../activity/documents.ts';
import { presentView, type SeriesRef, SPANS } from '../history/window.ts';
import { measuredIn } from './room-measures.ts';
import { SideCards } from './side-cards.tsx';

/** Of a plot with its name, and what is between two of them: cards below keep their place while the plots load. */
const PLOT_PX = 172;
const GAP_PX = 18;

const DayPlots = lazyPart(() => import('../accessory/day-plots.tsx'), 'DayPlots');

interface RoomMoreProps {
  readonly roomId: string;
  /** Of its accessories and service groups, in their order. */
  readonly ids: readonly string[];
}

export function RoomMore({ roomId, ids }: RoomMoreProps) {
  const t = useTexts(roomsTexts);
  const { compare } = useFormat();
  const { id: homeId, accessories } = useHome();
  const recording = useRecording();
  const activity = useApiQuery(ActivityQuery, { homeId, roomId, limit: RECENT_LIMIT }, { subjects: ['activity'] });
  const uses = useUses(ids);
  // None moves when another comes.
  if ([recording, activity, uses].some(({ isPending }) => isPending)) return null;
  const isRecorded = recording.data?.historyStorageStats?.enabled ?? false;
  const entries = present(activity.data?.activity);
  const automations = (uses.data ?? []).filter(isAutomation);
  const byId = new Map(accessories.map((accessory) => [accessory.id, accessory]));
  const series = measuredIn(ids.flatMap((id) => byId.get(id) ?? []));
  const cards: readonly ReactNode[] = [
    isRecorded && series.length > 0 && <RoomDay key="day" series={series} />,
    isRecorded && entries.length > 0 && <LatestActivity key="activity" entries={entries} filter={{ roomId }} isNamed />,
    automations.length > 0 && (
      <UseList
        key="automations"
        title={t.automations}
        uses={automations.toSorted((a, b) => compare(a.name, b.name))}
        isOneKind
      />
    ),
  ];
  return <SideCards cards={cards.filter(Boolean)} />;
}

function RoomDay({ series }: { readonly series: readonly SeriesRef[] }) {
  const t = useTexts(accessoryTexts);
  const history = presentView({ series, window: { spanMs: SPANS['24h'], to: undefined } });
  const link = (
    <Link href={`/history${history}`} className={sheetClasses.sectionLink ?? ''}>
      {t.history}
    </Link>
  );
  return (
    <Section title={t.day} actions={link}>
      <Box mih={series.length * (PLOT_PX + GAP_PX) - GAP_PX}>
        <Suspense>
          <DayPlots series={series} />
        </Suspense>
      </Box>
    </Section>
  );
}
