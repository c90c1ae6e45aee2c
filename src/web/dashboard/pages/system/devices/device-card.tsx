/**
 * One paired device: whether it answers, since when and why not, its room, model, battery and connection, and all
 * details on demand. A row of a table where there is space, else a card.
 */
import selectingTexts from 'texts:selecting';
import systemTexts from 'texts:system';
import { Box, Button, Group, Text } from '@mantine/core';
import { ChevronDown, CircleAlert, CircleCheck, CirclePause, LoaderCircle, Plug } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { graphql } from '../../../api/graphql.ts';
import { useApiMutation } from '../../../api/query.ts';
import { useDeviceIcon } from '../../../devices/icons/device-icon.ts';
import type { HomeAccessory } from '../../../home/home-document.ts';
import { homeStore } from '../../../home/home-store.ts';
import { type Format, useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { confirm } from '../../../ui/confirm.ts';
import { ErrorNotice } from '../../../ui/page.tsx';
import { Pick } from '../../../ui/pick.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import type { PickState } from '../../../ui/use-selecting.ts';
import { useRoomName } from '../../rooms/room-name.ts';
import { type Fact, Facts } from '../facts.tsx';
import { diagnosticsOf, saveDocument, Unpair } from './device-acts.ts';
import { type Device, type DeviceEntry, hasTrouble, shownStatus, titleOf } from './device-health.ts';
import { reasonText, statusText, troubleText } from './device-words.ts';
import classes from './devices-page.module.css';
import { ReconnectButton } from './reconnect-button.tsx';

const Identify = graphql(`
  mutation IdentifyPaired($accessoryId: String!) {
    identifyAccessory(accessoryId: $accessoryId) {
      success
      error
      code
      reason
    }
  }
`);

const ICONS = { good: CircleCheck, bad: CircleAlert, busy: LoaderCircle, paused: CirclePause } as const;

/** In the order of their columns. */
const DEVICE_VALUES = ['battery', 'lastSeen', 'reconnects', 'latency', 'address'] as const;

type ValueName = (typeof DEVICE_VALUES)[number];

/** Names the columns once, where there is space for them; each value has its own name for screen readers. */
export function DeviceHeadings() {
  const t = useTexts(systemTexts).devices;
  return (
    <div className={classes.headings} aria-hidden>
      <div className={classes.values}>
        {DEVICE_VALUES.map((name) => (
          <span key={name}>{t[name]}</span>
        ))}
      </div>
    </div>
  );
}

interface DeviceCardProps {
  readonly entry: DeviceEntry;
  /** A link selected this device: it is open and in view. */
  readonly isWanted: boolean;
  /** While devices are being selected. */
  readonly pick: PickState | undefined;
}

export function DeviceCard({ entry, isWanted, pick }: DeviceCardProps) {
  const t = useTexts(systemTexts).devices;
  const { selectOne } = useTexts(selectingTexts);
  const { device, accessories } = entry;
  const [isOpen, setOpen] = useState(isWanted);
  const id = useId();
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isWanted) card.current?.scrollIntoView({ block: 'center' });
  }, [isWanted]);
  const tone = toneOf(device);
  const StatusIcon = ICONS[tone];
  const [first] = accessories;
  const KindIcon = useDeviceIcon(first, Plug);
  const title = titleOf(device);
  const values = useValues(entry);
  const origin = [useRoomsOf(accessories), device.model].filter(Boolean).join(' · ');
  return (
    <li
      ref={card}
      className={classes.card}
      data-wanted={isWanted || undefined}
      data-open={isOpen || undefined}
      data-picking={pick !== undefined || undefined}
    >
      <div className={classes.head} inert={pick !== undefined}>
        <span className={classes.kind}>
          <KindIcon aria-hidden size={22} strokeWidth={1.75} />
        </span>
        <Box miw={0}>
          <h2 className={classes.name} title={title}>
            {title}
          </h2>
          <p className={classes.state} data-tone={tone}>
            <StatusIcon aria-hidden size={16} />
            <span className={classes.status}>
              <span>
                <span>{statusText(shownStatus(device), t)}</span>
                <span>
                  <span> · </span>
                  <TimeAgo at={device.since} isShort />
                </span>
              </span>
            </span>
          </p>
          {origin && (
            <p className={classes.origin} title={origin}>
              {origin}
            </p>
          )}
        </Box>
        <dl className={classes.values}>
          {DEVICE_VALUES.map((name) => {
            const { value, isLow, isAbsent, isDetail } = values[name];
            return (
              <div
                key={name}
                data-tone={isLow ? 'note' : undefined}
                data-absent={isAbsent || undefined}
                data-detail={isDetail}
              >
                <dt>{t[name]}</dt>
                <dd>{value}</dd>
              </div>
            );
          })}
        </dl>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={`${t.details}: ${title}`}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronDown aria-hidden />
        </button>
      </div>
      {device.statusDetail && tone !== 'busy' && (
        <Text mt={12} p="10px 12px" bg="var(--h-surface-2)" bdrs="var(--h-radius-small)" className="h-anywhere">
          {reasonText(device, t)}
        </Text>
      )}
      {isSilent(device) && pick === undefined && (
        <Box mt={8}>
          <ReconnectButton deviceId={device.deviceId} name={title} />
        </Box>
      )}
      <Box id={id} mt={8} hidden={!isOpen || pick !== undefined}>
        {isOpen && <DeviceDetails entry={entry} title={title} />}
      </Box>
      {pick && <Pick label={selectOne({ name: title })} {...pick} />}
    </li>
  );
}

/** The rooms of these accessories. */
function useRoomsOf(accessories: readonly HomeAccessory[]): string {
  const roomName = useRoomName();
  const format = useFormat();
  const ids = new Set(accessories.map(({ roomId }) => roomId));
  const rooms = homeStore.inventory?.rooms.filter(({ id }) => ids.has(id)) ?? [];
  return format.list(rooms.map((room) => roomName(room)));
}

interface DeviceValue {
  readonly value: ReactNode;
  readonly isLow?: boolean;
  /** Of a device without one. */
  readonly isAbsent?: boolean;
  /** On phones it is shown with all details. */
  readonly isDetail?: true;
}

function useValues({ device, battery, isBatteryLow }: DeviceEntry): Readonly<Record<ValueName, DeviceValue>> {
  const t = useTexts(systemTexts).devices;
  const format = useFormat();
  const charge = battery === undefined ? undefined : format.percent(battery);
  return {
    battery: {
      value: charge ?? (isBatteryLow ? t.batteryLow : t.noBattery),
      isLow: isBatteryLow,
      isAbsent: charge === undefined && !isBatteryLow,
    },
    lastSeen: { value: device.lastSeenAt ? <TimeAgo at={device.lastSeenAt} isShort /> : t.notSeen, isDetail: true },
    reconnects: { value: format.number(device.reconnects), isDetail: true },
    latency: { value: latencyText(device, t.unknown, format), isDetail: true },
    address: { value: device.address ?? t.unknown, isDetail: true },
  };
}

function latencyText({ latencyMs }: Device, unknown: string, format: Format): string {
  return latencyMs === null ? unknown : `${format.number(latencyMs)} ms`;
}

function DeviceDetails({ entry, title }: { readonly entry: DeviceEntry; readonly title: string }) {
  const t = useTexts(systemTexts).devices;
  const { device } = entry;
  const identify = useApiMutation(Identify, {
    subjects: [],
    onDone: () => showToast({ text: t.identified({ name: title }) }),
  });
  const unpair = useApiMutation(Unpair, {
    subjects: ['pairings', 'discovery', 'inventory'],
    onDone: () => showToast({ text: t.unpaired({ name: title }) }),
  });
  const isThere = device.status === 'connected';
  const first = entry.accessories[0] ?? device.accessories[0];
  const ask = async () => {
    const agreed = await confirm({
      title: t.unpairTitle({ name: title }),
      body: isThere ? t.unpairText : `${t.unpairText} ${t.unpairAway}`,
      action: t.unpair,
      isDangerous: true,
    });
    if (agreed) unpair.mutate({ deviceId: device.deviceId, force: !isThere });
  };
  const diagnostics = useDiagnostics(device);
  const error = identify.error ?? unpair.error ?? diagnostics.error;
  return (
    <>
      <Facts facts={useDeviceFacts(device)} />
      {error && <ErrorNotice error={error} />}
      <Group gap={8} align="stretch" mt={12}>
        {first && (
          <Button
            variant="default"
            disabled={!isThere}
            loading={identify.isPending}
            onClick={() => identify.mutate({ accessoryId: first.id })}
          >
            {t.identify}
          </Button>
        )}
        {CONNECTABLE.has(device.status) && !isSilent(device) && (
          <ReconnectButton deviceId={device.deviceId} name={title} />
        )}
        <Button variant="default" loading={diagnostics.isLoading} onClick={() => void diagnostics.download()}>
          {t.diagnostics}
        </Button>
        <Button variant="default" loading={unpair.isPending} onClick={() => void ask()}>
          {t.unpair}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mt={8}>
        {t.diagnosticsText}
      </Text>
    </>
  );
}

/** The file is named by the model: its name is private. */
function useDiagnostics({ deviceId, model }: Device) {
  const [isLoading, setLoading] = useState(false);
  const [error, setError] = useState<ApiError>();
  const download = async () => {
    setLoading(true);
    setError(undefined);
    try {
      const name = `diagnostics-${model.replace(/[^\p{L}\p{N}.-]+/gu, '-') || 'device'}.json`;
      saveDocument(name, await diagnosticsOf(deviceId));
    } catch (thrown) {
      setError(thrown instanceof ApiError ? thrown : new ApiError('failed', String(thrown), { cause: thrown }));
    }
    setLoading(false);
  };
  return { isLoading, error, download };
}

function useDeviceFacts(device: Device): readonly Fact[] {
  const t = useTexts(systemTexts).devices;
  const format = useFormat();
  const maker = [device.manufacturer, device.model].filter(Boolean).join(' · ');
  return [
    [t.changeReports, t.changeReportsOf({ events: device.notifications, polls: device.polls })],
    ...(device.lastError && device.lastErrorAt
      ? [
          [
            t.lastError,
            <>
              {troubleText(device, t) ?? device.lastError} (<TimeAgo at={device.lastErrorAt} />)
            </>,
          ] as const,
        ]
      : []),
    [t.maker, maker || t.unknown],
    [t.firmware, device.firmware ?? t.unknown],
    [t.serial, device.serialNumber ?? t.unknown],
    [t.deviceId, <code key="id">{device.deviceId}</code>],
    ...(device.accessories.length > 1
      ? [[t.accessories, format.list(device.accessories.map(({ name }) => name))] as const]
      : []),
  ];
}

/** A device of a paused home is not connected, and a pairing that was not completed has no connection. */
const CONNECTABLE: ReadonlySet<string> = new Set(['connected', 'connecting', 'offline', 'pairing_lost']);

/** It does not answer: the way to connect again is beside the reason, not among the details. */
function isSilent(device: Device): boolean {
  return shownStatus(device) === 'offline';
}

function toneOf(device: Device): keyof typeof ICONS {
  const status = shownStatus(device);
  if (status === 'paused') return 'paused';
  if (status === 'connecting') return 'busy';
  return hasTrouble(device) ? 'bad' : 'good';
}
