/** The health of every paired device, those with errors first. */
import selectingTexts from 'texts:selecting';
import systemTexts from 'texts:system';
import { Button, Group, NativeSelect, Switch, Text, TextInput } from '@mantine/core';
import { ListChecks, Plug, Plus } from 'lucide-react';
import { Suspense, useState, useSyncExternalStore } from 'react';
import { Link, useSearch } from 'wouter';
import { present } from '../../../api/graphql.ts';
import { useApiQuery } from '../../../api/query.ts';
import { homeStore } from '../../../home/home-store.ts';
import { useRights } from '../../../home/use-home.ts';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { lazyPart } from '../../../ui/load-part.ts';
import { Answer, EmptyState } from '../../../ui/page.tsx';
import { useSelecting } from '../../../ui/use-selecting.ts';
import { SystemFrame } from '../system-frame.tsx';
import { DeviceCard, DeviceHeadings } from './device-card.tsx';
import {
  DEVICE_ORDERS,
  type Device,
  type DeviceOrder,
  DevicesQuery,
  entryOf,
  hasTrouble,
  listDevices,
} from './device-health.ts';
import classes from './devices-page.module.css';

const SelectedDevices = lazyPart(() => import('./selected-devices.tsx'), 'SelectedDevices');

/** No event reports the time of the last contact. */
const EVERY_MS = 15_000;

export function DevicesPage() {
  const t = useTexts(systemTexts).devices;
  const { canManage } = useRights();
  const query = useApiQuery(DevicesQuery, {}, { subjects: ['pairings', 'inventory'], everyMs: EVERY_MS });
  return (
    <SystemFrame
      lead={t.lead}
      actions={
        canManage && (
          <Button component={Link} href="/pair" leftSection={<Plus size={18} aria-hidden />}>
            {t.add}
          </Button>
        )
      }
    >
      <Answer query={query}>{({ pairings }) => <Devices devices={present(pairings)} />}</Answer>
    </SystemFrame>
  );
}

function Devices({ devices }: { readonly devices: readonly Device[] }) {
  const t = useTexts(systemTexts).devices;
  const { compare } = useFormat();
  const [search, setSearch] = useState('');
  const [onlyTrouble, setOnlyTrouble] = useState(false);
  /** The accessory whose page linked here. */
  const wanted = new URLSearchParams(useSearch()).get('of');
  const [order, setOrder] = useState<DeviceOrder>('trouble');
  // Rooms, icons and batteries are the home's.
  useSyncExternalStore(homeStore.subscribeToLayout, () => homeStore.inventory);
  const entries = devices.map((device) => entryOf(device, (id) => homeStore.accessory(id)));
  const shown = listDevices(entries, { search, onlyTrouble, order, compare });
  const { select } = useTexts(selectingTexts);
  const selecting = useSelecting(shown.map((entry) => ({ ...entry, id: entry.device.deviceId })));
  if (devices.length === 0) {
    return (
      <EmptyState icon={<Plug />} title={t.empty}>
        {t.emptyText}
      </EmptyState>
    );
  }
  return (
    <>
      <Group component="search" gap="12px 20px">
        <TextInput
          type="search"
          aria-label={t.search}
          placeholder={t.search}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
          className={classes.search ?? ''}
        />
        <Group gap={8} wrap="nowrap">
          <NativeSelect
            aria-label={t.sortBy}
            miw={0}
            value={order}
            onChange={({ currentTarget }) => setOrder(currentTarget.value as DeviceOrder)}
            data={DEVICE_ORDERS.map((value) => ({ value, label: t.orders[value] }))}
          />
          {!selecting.selection && shown.length > 0 && (
            <Button
              variant="subtle"
              px={8}
              flex="none"
              leftSection={<ListChecks size={18} aria-hidden />}
              onClick={selecting.begin}
            >
              {select}
            </Button>
          )}
        </Group>
        <Switch
          label={t.onlyTrouble}
          checked={onlyTrouble}
          onChange={({ currentTarget }) => setOnlyTrouble(currentTarget.checked)}
        />
        <Text c="dimmed" role="status">
          {t.troubleCount({ count: devices.filter(hasTrouble).length })}
        </Text>
      </Group>
      {shown.length === 0 ? (
        <EmptyState title={t.nothingFound}>{t.nothingFoundText}</EmptyState>
      ) : (
        <div className={classes.table}>
          <DeviceHeadings />
          <ul className={classes.list}>
            {shown.map((entry) => (
              <DeviceCard
                key={entry.device.deviceId}
                entry={entry}
                isWanted={entry.device.accessories.some(({ id }) => id === wanted)}
                pick={selecting.pickOf({ ...entry, id: entry.device.deviceId })}
              />
            ))}
          </ul>
        </div>
      )}
      {selecting.selection && (
        <Suspense>
          <SelectedDevices entries={selecting.selected} onSelectAll={selecting.selectAll} onEnd={selecting.end} />
        </Suspense>
      )}
    </>
  );
}
