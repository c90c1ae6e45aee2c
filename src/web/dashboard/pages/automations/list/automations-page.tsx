/** All automations of the home, simple and advanced, in one list. */
import listTexts from 'texts:automations';
import commonTexts from 'texts:common';
import selectingTexts from 'texts:selecting';
import { ActionIcon, Button, Group, Menu, NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core';
import { Ellipsis, ListChecks, Plus, Rows3, Search, Workflow } from 'lucide-react';
import { Fragment, lazy, Suspense, useMemo, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { present } from '../../../api/graphql.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useHome, useRights } from '../../../home/use-home.ts';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { useKeptFlag } from '../../../ui/kept-flag.ts';
import { lazyPart } from '../../../ui/load-part.ts';
import { Answer, EmptyState, Page } from '../../../ui/page.tsx';
import { useSelecting } from '../../../ui/use-selecting.ts';
import { useRoomName } from '../../rooms/room-name.ts';
import { BLUEPRINTS_PAGE } from '../blueprints/addresses.ts';
import { nodesOf } from '../flow/flow-record.ts';
import { useSentences } from '../flow/use-sentences.ts';
import { summaryOf } from '../native/native-words.ts';
import { useNativeWords } from '../native/use-native-words.ts';
import { LIST_PAGE, NEW_PAGE } from './addresses.ts';
import { AutomationCard } from './automation-card.tsx';
import {
  type AutomationEntry,
  entriesOf,
  FILTERS,
  type Filter,
  found,
  groupsOf,
  roomIdsOf,
  SEVERAL_ROOMS,
  troubleOf,
} from './automation-list.ts';
import classes from './automations.module.css';
import { AutomationsQuery } from './list-document.ts';
import { type ListView, parseListView, presentListView } from './list-view.ts';
import { NoPlaceNotice } from './no-place-notice.tsx';
import { useNativeRefusal } from './use-native-refusal.ts';
import { useRunNow } from './use-run-now.ts';
import { useStatuses } from './use-statuses.ts';
import { useSwitching } from './use-switching.ts';

const SelectedAutomations = lazyPart(() => import('./selected-automations.tsx'), 'SelectedAutomations');
const ImportDialog = lazy(async () => ({ default: (await import('./import-dialog.tsx')).ImportDialog }));

export function AutomationsPage() {
  const t = useTexts(listTexts);
  const { id: homeId } = useHome();
  const { canManage } = useRights();
  const { compare } = useFormat();
  const query = useApiQuery(AutomationsQuery, { homeId }, { subjects: ['automations'] });
  return (
    <Page title={t.title} lead={t.lead} actions={canManage && <NewMenu />}>
      <Answer query={query}>
        {({ automations, flows }) => (
          <List
            entries={entriesOf(
              present(automations),
              present(flows).map((flow) => ({
                ...flow,
                metadata: { lastTriggeredAt: flow.metadata.lastTriggeredAt ?? null },
              })),
              compare,
            )}
          />
        )}
      </Answer>
    </Page>
  );
}

function NewMenu() {
  const t = useTexts(listTexts);
  const common = useTexts(commonTexts);
  const [isImporting, setImporting] = useState(false);
  return (
    <>
      <NewButton />
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={44} data-short aria-label={common.more}>
            <Ellipsis size={20} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component={Link} href={BLUEPRINTS_PAGE}>
            {t.blueprint}
          </Menu.Item>
          <Menu.Item onClick={() => setImporting(true)}>{t.importFile}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isImporting && (
        <Suspense>
          <ImportDialog onClose={() => setImporting(false)} />
        </Suspense>
      )}
    </>
  );
}

function NewButton() {
  const t = useTexts(listTexts);
  return (
    <Button component={Link} href={NEW_PAGE} leftSection={<Plus size={18} aria-hidden />}>
      {t.newOne}
    </Button>
  );
}

function List({ entries }: { readonly entries: readonly AutomationEntry[] }) {
  const t = useTexts(listTexts);
  const { select } = useTexts(selectingTexts);
  const { canManage, canControl } = useRights();
  const nativeRefusal = useNativeRefusal();
  const [view, setView] = useView();
  const [isGrouped, setGrouped] = useKeptFlag('automations.by-room');
  const ids = useMemo(() => entries.map(({ id }) => id), [entries]);
  const home = useHome();
  const roomName = useRoomName();
  const { number } = useFormat();
  const placeName = (place: string) => {
    const room = home.rooms.find(({ id }) => id === place);
    return room ? roomName(room) : place === SEVERAL_ROOMS ? t.severalRooms : t.noRoom;
  };
  const roomsOf = useMemo(() => new Map(entries.map((entry) => [entry.id, roomIdsOf(entry, home)])), [entries, home]);
  const rooms = home.rooms.filter(({ id }) => id === view.roomId || [...roomsOf.values()].some((ids) => ids.has(id)));
  const statuses = useStatuses(ids);
  const textOf = useEntryText();
  const switching = useSwitching();
  const run = useRunNow();
  const inRoom = view.roomId === '' ? entries : entries.filter((one) => roomsOf.get(one.id)?.has(view.roomId));
  const foundBy = (filter: Filter) =>
    found(inRoom, { ...view, filter }, textOf, (entry) => troubleOf(statuses.get(entry.id)) !== undefined);
  const isByRoom = isGrouped && home.rooms.length > 1;
  const matching = foundBy(view.filter);
  const roomIds = home.rooms.map(({ id }) => id);
  const groups = isByRoom ? groupsOf(matching, home, roomIds) : [{ place: '', entries: matching }];
  const shown = groups.flatMap((group) => group.entries);
  const maySwitch = ({ kind }: AutomationEntry) => canManage && (kind === 'flows' || !nativeRefusal);
  const selecting = useSelecting(shown, maySwitch);
  if (entries.length === 0) return <Empty />;
  return (
    <>
      {entries.some(({ isWithoutPlace }) => isWithoutPlace) && <NoPlaceNotice />}
      <search className={classes.tools}>
        <TextInput
          type="search"
          label={t.search}
          leftSection={<Search size={18} aria-hidden />}
          value={view.search}
          onChange={({ currentTarget }) => setView({ ...view, search: currentTarget.value })}
        />
        <NativeSelect
          label={t.room}
          value={view.roomId}
          onChange={({ currentTarget }) => setView({ ...view, roomId: currentTarget.value })}
          data={[{ value: '', label: t.anyRoom }, ...rooms.map((room) => ({ value: room.id, label: roomName(room) }))]}
        />
        <div className={classes.filterRow}>
          <fieldset className={classes.filters} aria-label={t.show}>
            {FILTERS.map((one) => (
              <button
                key={one}
                type="button"
                className={classes.filter}
                aria-pressed={one === view.filter}
                onClick={() => setView({ ...view, filter: one })}
              >
                {t[one]} <span>{number(foundBy(one).length)}</span>
              </button>
            ))}
            {home.rooms.length > 1 && (
              <button
                type="button"
                className={classes.filter}
                data-group
                aria-pressed={isByRoom}
                onClick={() => setGrouped(!isByRoom)}
              >
                <Rows3 aria-hidden />
                {t.byRoom}
              </button>
            )}
          </fieldset>
        </div>
      </search>
      <div className={classes.count}>
        <Text c="dimmed" role="status">
          {t.count({ count: shown.length })}
        </Text>
        {canManage && !selecting.selection && shown.some(maySwitch) && (
          <Button
            variant="subtle"
            px={8}
            mr={-8}
            leftSection={<ListChecks size={18} aria-hidden />}
            onClick={selecting.begin}
          >
            {select}
          </Button>
        )}
      </div>
      {shown.length === 0 && <EmptyState title={t.nothingFound}>{t.nothingFoundText}</EmptyState>}
      {groups.map(({ place, entries: some }) => (
        <Fragment key={place}>
          {isByRoom && (
            <h2 className={classes.place}>
              {placeName(place)} <small>{number(some.length)}</small>
            </h2>
          )}
          <SimpleGrid component="ul" minColWidth="min(100%, 360px)" spacing={12} className="h-bare">
            {some.map((entry) => (
              <AutomationCard
                key={entry.id}
                entry={entry}
                heading={isByRoom ? 'h3' : 'h2'}
                status={statuses.get(entry.id)}
                isOn={switching.isOn(entry)}
                onSwitch={maySwitch(entry) ? (isOn) => switching.change(entry, isOn) : undefined}
                onRun={canControl ? () => void run(entry) : undefined}
                pick={selecting.pickOf(entry)}
              />
            ))}
          </SimpleGrid>
        </Fragment>
      ))}
      {selecting.selection && (
        <Suspense>
          <SelectedAutomations selected={selecting.selected} onSelectAll={selecting.selectAll} onEnd={selecting.end} />
        </Suspense>
      )}
    </>
  );
}

/** Typing is no step of the browser's history. */
function useView(): readonly [ListView, (view: ListView) => void] {
  const search = useSearch();
  const [, navigate] = useLocation();
  return [parseListView(search), (view) => navigate(`${LIST_PAGE}${presentListView(view)}`, { replace: true })];
}

/** All visible text of a card, for the search. */
function useEntryText(): (entry: AutomationEntry) => string {
  const words = useNativeWords();
  const sentences = useSentences();
  return (entry) => {
    if (entry.kind === 'native') {
      const { when, onlyIf, does, until } = summaryOf(entry.draft, words);
      return [entry.name, ...when, ...onlyIf, ...does, ...until].join(' ');
    }
    const { triggers = [], actions = [], conditions } = entry.flow ?? {};
    return [
      entry.name,
      ...triggers.map(sentences.trigger),
      ...nodesOf(conditions?.conditions).map(sentences.condition),
      ...actions.map(sentences.action),
    ].join(' ');
  };
}

function Empty() {
  const t = useTexts(listTexts);
  const { canManage } = useRights();
  const ways = (
    <Group justify="center">
      <NewButton />
      <Button variant="default" component={Link} href={BLUEPRINTS_PAGE}>
        {t.blueprint}
      </Button>
    </Group>
  );
  return (
    <EmptyState icon={<Workflow size={32} />} title={t.emptyTitle} action={canManage && ways}>
      {canManage ? t.emptyText : t.emptyForGuests}
    </EmptyState>
  );
}
