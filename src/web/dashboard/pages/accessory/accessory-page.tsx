/** The sheet of one accessory or service group: all controls, its details and its room. */

import accessoryTexts from 'texts:accessory';
import commonTexts from 'texts:common';
import { Group, Stack, Text } from '@mantine/core';
import { Box, ChevronLeft, X } from 'lucide-react';
import { type CSSProperties, lazy, Suspense, useEffect } from 'react';
import { Link, useLocation } from 'wouter';

import { sheetPath } from '../../devices/accessory-tile.tsx';
import { FROM_APP, isFromApp } from '../../devices/came-from.ts';
import { absenceOf, describeState, deviceLight, deviceTone, warningsOf } from '../../devices/devices.ts';
import { useDeviceIcon } from '../../devices/icons/device-icon.ts';
import { characteristicLabel } from '../../devices/panels/characteristic-text.ts';
import { Notice } from '../../devices/panels/notice.tsx';
import { usePanelWords } from '../../devices/panels/panel.ts';
import { panelOf } from '../../devices/panels/panels.ts';
import { ReadingsPanel } from '../../devices/panels/readings-panel.tsx';
import { controlledServices, isCollective, readingServices } from '../../devices/panels/shown-services.ts';
import type { HomeAccessory, HomeService } from '../../home/home-document.ts';
import { homeStore } from '../../home/home-store.ts';
import { useAccessory, useHome, useRights } from '../../home/use-home.ts';
import { asWanted } from '../../home/wanted.ts';
import { textOf, useTexts } from '../../texts/texts.ts';
import { lazyPart } from '../../ui/load-part.ts';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useRoomName } from '../rooms/room-name.ts';
import classes from './accessory-page.module.css';
import { ActivitySection } from './activity-section.tsx';
import { daySeriesOf } from './day-series.ts';
import { Details } from './details.tsx';
import { LastActivity } from './last-activity.tsx';
import { MainNotifySection } from './notify-section.tsx';
import { SensorHero } from './sensor-hero.tsx';
import { mainSensor } from './sensor-state.ts';
import { UsesSection } from './uses-section.tsx';

const AbsenceReason = lazyPart(() => import('./absence-reason.tsx'), 'AbsenceReason');
const ReconnectButton = lazyPart(() => import('../system/devices/reconnect-button.tsx'), 'ReconnectButton');
const DaySection = lazy(async () => ({ default: (await import('./day-section.tsx')).DaySection }));

interface AccessoryPageProps {
  readonly id: string;
  /** It is a panel beside another page, which this closes. */
  readonly onClose?: () => void;
}

export function AccessoryPage({ id, onClose }: AccessoryPageProps) {
  const t = useTexts(accessoryTexts);
  const accessory = useAccessory(id);
  const goBack = useGoBack(onClose);
  if (!accessory) {
    return (
      <EmptyState isPage icon={<Box size={32} />} title={t.missing} action={<Link href="/">{t.toHome}</Link>}>
        {t.missingText}
      </EmptyState>
    );
  }
  return <Sheet accessory={accessory} goBack={goBack} isPanel={onClose !== undefined} />;
}

interface SheetProps {
  readonly accessory: HomeAccessory;
  readonly goBack: () => void;
  readonly isPanel: boolean;
}

function Sheet({ accessory, goBack, isPanel }: SheetProps) {
  const t = useTexts(accessoryTexts);
  const { back, close } = useTexts(commonTexts);
  const { t: words, d, format } = usePanelWords();
  const { canControl, canManage } = useRights();
  const { rooms, paused } = useHome();
  const roomName = useRoomName();
  // A group has no room: its members do.
  const room = homeStore.isGroup(accessory.id) ? undefined : rooms.find(({ id }) => id === accessory.roomId);
  const isDisabled = !canControl || absenceOf(accessory) !== undefined;
  // Controls show what was asked for; the words above them are what is.
  const wanted = asWanted(accessory);
  const shown = controlledServices(wanted);
  const readings = readingServices(accessory);
  const main = mainSensor(accessory);
  return (
    <Stack gap={0} m="0 auto" maw={1120} w="100%" className={classes.sheet ?? ''}>
      <button type="button" className={classes.back} data-panel={isPanel || undefined} onClick={goBack}>
        {isPanel ? <X aria-hidden size={18} /> : <ChevronLeft aria-hidden size={18} />}
        {isPanel ? close : back}
      </button>
      <Page
        title={accessory.name}
        isTimeless={isPanel}
        lead={
          <Group component="span" gap={12} wrap="nowrap" mt={8}>
            <Mark accessory={wanted} />
            <span>
              {room && <span>{roomName(room)} · </span>}
              <span role="status">{describeState(accessory, d, format, paused)}</span>
              {room && !main && (
                <Text component="span" display="block" size="sm">
                  <LastActivity accessoryId={accessory.id} />
                </Text>
              )}
            </span>
          </Group>
        }
      >
        <AbsenceNotice accessory={accessory} />
        {!canControl && <Notice tone="note">{t.mayOnlyLook}</Notice>}
        <Warnings accessory={accessory} />
        <div className={classes.columns}>
          <div className={classes.controls} data-tone={deviceTone(wanted)}>
            {shown.map((service, index) => (
              <ServiceSection
                key={service.id}
                accessory={wanted}
                service={service}
                isAlone={shown.length === 1}
                // Of several that are equal, such as the outlets of a strip, none is the main one.
                isMain={index === 0 && shown.filter(({ type }) => type === service.type).length === 1}
                isDisabled={isDisabled}
              />
            ))}
            {main && (
              <Section>
                <SensorHero accessory={accessory} main={main} />
              </Section>
            )}
            {canManage && !homeStore.isGroup(accessory.id) && <MainNotifySection accessory={accessory} />}
            <ReadingsPanel accessory={accessory} services={readings} large={main?.service} title={words.readings} />
            {shown.length + readings.length === 0 && <Children bridge={accessory} />}
            {!homeStore.isGroup(accessory.id) && daySeriesOf(accessory).length > 0 && (
              <Suspense fallback={<Section title={t.day}>{null}</Section>}>
                <DaySection accessory={accessory} />
              </Suspense>
            )}
          </div>
          <div className={classes.more}>
            {!homeStore.isGroup(accessory.id) && <ActivitySection accessoryId={accessory.id} />}
            <UsesSection accessoryId={accessory.id} />
            <Details key={accessory.id} accessory={accessory} />
          </div>
        </div>
      </Page>
    </Stack>
  );
}

/** The accessories of a bridge, which has no controls of its own. */
function Children({ bridge }: { readonly bridge: HomeAccessory }) {
  const t = useTexts(accessoryTexts);
  const { d, format } = usePanelWords();
  const { accessories, paused } = useHome();
  const children = accessories.filter(({ id, deviceId }) => deviceId === bridge.deviceId && id !== bridge.id);
  if (children.length === 0 || bridge.isVirtual || homeStore.isGroup(bridge.id)) return <Section>{t.nothing}</Section>;
  return (
    <Section title={t.children}>
      <ul className={`h-bare ${classes.children}`}>
        {children.map(({ id, name }) => (
          <li key={id}>
            <Link href={sheetPath(id)} state={FROM_APP} className={classes.link ?? ''}>
              <Child id={id} name={name} text={(child) => describeState(child, d, format, paused)} />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface ChildProps {
  readonly id: string;
  readonly name: string;
  readonly text: (child: HomeAccessory) => string;
}

function Child({ id, name, text }: ChildProps) {
  const child = useAccessory(id);
  const Icon = useDeviceIcon(child, Box);
  return (
    <>
      <Icon aria-hidden size={20} />
      <span>
        {name}
        {child && ` · ${text(child)}`}
      </span>
    </>
  );
}

function Mark({ accessory }: { readonly accessory: HomeAccessory }) {
  const Icon = useDeviceIcon(accessory);
  const light = deviceLight(accessory);
  return (
    <span
      className={classes.mark}
      data-tone={deviceTone(accessory)}
      data-lamp={light !== undefined || undefined}
      style={light === undefined ? undefined : ({ '--lamp': light } as CSSProperties)}
    >
      <Icon aria-hidden size={24} strokeWidth={1.75} />
    </span>
  );
}

interface ServiceProps {
  readonly accessory: HomeAccessory;
  readonly service: HomeService;
  /** The only panel on the sheet needs no heading. */
  readonly isAlone: boolean;
  readonly isMain: boolean;
  readonly isDisabled: boolean;
}

function ServiceSection({ accessory, service, isAlone, isMain, isDisabled }: ServiceProps) {
  const { t, words } = usePanelWords();
  const Panel = panelOf(service);
  const isNamed = service.name && service.name !== accessory.name && !isCollective(service);
  const title =
    (isNamed ? service.name : textOf(t.services, service.type)) ?? characteristicLabel(service.type, words.texts);
  return (
    <Section {...(!isAlone && { title })}>
      <Panel accessory={accessory} service={service} isDisabled={isDisabled} isMain={isMain} />
    </Section>
  );
}

/** The warnings of an accessory, and how to resolve them. */
function Warnings({ accessory }: { readonly accessory: HomeAccessory }) {
  const t = useTexts(accessoryTexts);
  const { d } = usePanelWords();
  const warnings = warningsOf(accessory);
  if (warnings.length === 0) return null;
  return (
    <Notice tone="note">
      {warnings.map((warning) => (
        <p key={warning} className={classes.warning}>
          <strong>{d.warnings[warning]}.</strong> {t.remedies[warning]}
        </p>
      ))}
    </Notice>
  );
}

/** Since when the accessory has not answered, and how to resolve it. */
function AbsenceNotice({ accessory }: { readonly accessory: HomeAccessory }) {
  const t = useTexts(accessoryTexts);
  const { connected, paused } = useHome();
  const { canManage } = useRights();
  const absence = absenceOf(accessory, paused);
  if (!absence) return null;
  const isHomeAway = absence === 'silent' && connected === false;
  const why = isHomeAway ? t.offline : t[absence];
  const { deviceId } = accessory;
  const since = absence === 'vanished' ? accessory.vanishedAt : accessory.lastSeenAt;
  const isOurs = absence === 'silent' && !isHomeAway && canManage && deviceId != null;
  return (
    <Notice tone="note">
      {isOurs ? (
        <Suspense fallback={why}>
          <AbsenceReason deviceId={deviceId} otherwise={why} />
        </Suspense>
      ) : (
        why
      )}
      {since && (
        <>
          {' '}
          {t.lastSeen} <TimeAgo at={since} />.
        </>
      )}
      {isOurs && (
        <Suspense fallback={null}>
          <Group mt={8}>
            <ReconnectButton deviceId={deviceId} name={accessory.name} />
          </Group>
        </Suspense>
      )}
    </Notice>
  );
}

/** Returns to the previous page of the dashboard, else to the home page; or closes the panel. Escape does the same. */
function useGoBack(onClose: (() => void) | undefined): () => void {
  const [, navigate] = useLocation();
  const goBack = () => {
    if (onClose) onClose();
    else if (isFromApp()) history.back();
    else navigate('/', { replace: true });
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isElsewhere =
        event.defaultPrevented ||
        document.querySelector('[role="dialog"]') !== null ||
        (event.target instanceof Element && event.target.matches('input:not([type="range"]), select, textarea'));
      if (event.key === 'Escape' && !isElsewhere) goBack();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
  return goBack;
}
