/** The sheet of one accessory or service group: all of its controls, what it is, and where it belongs. */
import { ArrowLeft, Box } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { isFromApp } from '../../devices/came-from.ts';
import { absenceOf, describeState, deviceIcon, deviceTone, warningsOf } from '../../devices/devices.ts';
import { characteristicLabel } from '../../devices/panels/characteristic-text.ts';
import { Notice } from '../../devices/panels/notice.tsx';
import { usePanelWords } from '../../devices/panels/panel.ts';
import { panelOf } from '../../devices/panels/panels.ts';
import { ReadingsPanel } from '../../devices/panels/readings-panel.tsx';
import { controlledServices, isCollective, readingServices } from '../../devices/panels/shown-services.ts';
import type { HouseAccessory, HouseService } from '../../house/house-document.ts';
import { houseStore } from '../../house/house-store.ts';
import { useAccessory, useHouse, useRights } from '../../house/use-house.ts';
import { commonTexts } from '../../texts/common/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useRoomName } from '../rooms/room-name.ts';
import { About } from './about.tsx';
import classes from './accessory-page.module.css';
import { AllServices } from './all-services.tsx';
import { accessoryTexts } from './texts/texts.ts';

export function AccessoryPage({ id }: { readonly id: string }) {
  const t = useTexts(accessoryTexts);
  const accessory = useAccessory(id);
  const goBack = useGoBack();
  if (!accessory) {
    return (
      <EmptyState isPage icon={<Box size={32} />} title={t.missing} action={<Link href="/">{t.toHome}</Link>}>
        {t.missingText}
      </EmptyState>
    );
  }
  return <Sheet accessory={accessory} goBack={goBack} />;
}

function Sheet({ accessory, goBack }: { readonly accessory: HouseAccessory; readonly goBack: () => void }) {
  const t = useTexts(accessoryTexts);
  const { back } = useTexts(commonTexts);
  const { t: words, d, format } = usePanelWords();
  const { canControl } = useRights();
  const { rooms, paused } = useHouse();
  const roomName = useRoomName();
  // A group is in no room: its members are.
  const room = houseStore.isGroup(accessory.id) ? undefined : rooms.find(({ id }) => id === accessory.roomId);
  const isDisabled = !canControl || absenceOf(accessory) !== undefined;
  const shown = controlledServices(accessory);
  const readings = readingServices(accessory);
  return (
    <div className={classes.sheet}>
      <button type="button" className={classes.back} onClick={goBack}>
        <ArrowLeft aria-hidden size={20} />
        {back}
      </button>
      <Page
        title={accessory.name}
        lead={
          <span className={classes.lead}>
            <Mark accessory={accessory} />
            <span>
              {room && <span>{roomName(room)} · </span>}
              <span role="status">{describeState(accessory, d, format, paused)}</span>
            </span>
          </span>
        }
      >
        <AbsenceNotice accessory={accessory} />
        {!canControl && <Notice tone="note">{t.mayOnlyLook}</Notice>}
        <Warnings accessory={accessory} />
        <div className={classes.columns}>
          <div className={classes.controls} data-tone={deviceTone(accessory)}>
            {shown.map((service) => (
              <ServiceSection
                key={service.id}
                accessory={accessory}
                service={service}
                isAlone={shown.length === 1}
                isDisabled={isDisabled}
              />
            ))}
            {readings.length > 0 && (
              <Section title={words.readings}>
                <ReadingsPanel accessory={accessory} services={readings} />
              </Section>
            )}
            {shown.length + readings.length === 0 && <Section>{t.nothing}</Section>}
          </div>
          <div className={classes.about}>
            <About key={accessory.id} accessory={accessory} />
            <AllServices accessory={accessory} />
          </div>
        </div>
      </Page>
    </div>
  );
}

function Mark({ accessory }: { readonly accessory: HouseAccessory }) {
  const Icon = deviceIcon(accessory);
  return (
    <span className={classes.mark} data-tone={deviceTone(accessory)}>
      <Icon aria-hidden size={24} strokeWidth={1.75} />
    </span>
  );
}

interface ServiceProps {
  readonly accessory: HouseAccessory;
  readonly service: HouseService;
  /** It needs no heading: it is what the page is about. */
  readonly isAlone: boolean;
  readonly isDisabled: boolean;
}

function ServiceSection({ accessory, service, isAlone, isDisabled }: ServiceProps) {
  const { t } = usePanelWords();
  const Panel = panelOf(service);
  const isNamed = service.name && service.name !== accessory.name && !isCollective(service);
  const title = (isNamed ? service.name : t.services[service.type]) ?? characteristicLabel(service.type, t);
  return (
    <Section {...(!isAlone && { title })}>
      <Panel accessory={accessory} service={service} isDisabled={isDisabled} />
    </Section>
  );
}

/** What it complains about, and what can be done about that. */
function Warnings({ accessory }: { readonly accessory: HouseAccessory }) {
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

/** Since when it is silent, and what can be done about it. */
function AbsenceNotice({ accessory }: { readonly accessory: HouseAccessory }) {
  const t = useTexts(accessoryTexts);
  const { connected, paused } = useHouse();
  const absence = absenceOf(accessory, paused);
  if (!absence) return null;
  const why = absence === 'silent' && connected === false ? t.offline : t[absence];
  const since = absence === 'vanished' ? accessory.vanishedAt : accessory.lastSeenAt;
  return (
    <Notice tone="note">
      {why}
      {since && (
        <>
          {' '}
          {t.lastHeard} <TimeAgo at={since} />.
        </>
      )}
    </Notice>
  );
}

/** To where the person came from within the dashboard, else to the home. Escape does so too. */
function useGoBack(): () => void {
  const [, navigate] = useLocation();
  const goBack = () => {
    if (isFromApp()) history.back();
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
