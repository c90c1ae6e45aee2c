/** The summary of the home: what needs attention. Screen readers announce changes. */

import commonTexts from 'texts:common';
import homeTexts from 'texts:home';
import {
  BatteryWarning,
  Bell,
  CircleCheck,
  CloudAlert,
  DoorOpen,
  Droplets,
  Flame,
  LockKeyholeOpen,
  type LucideIcon,
  Plug,
  Siren,
  Sparkles,
  TriangleAlert,
  Unplug,
  X,
} from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { useSettings } from '../../account/account.ts';
import type { HomeAccessory } from '../../home/home-document.ts';
import { homeStore } from '../../home/home-store.ts';
import { useHome, useKeptAt } from '../../home/use-home.ts';
import { writer } from '../../home/write.ts';
import { kioskNow } from '../../shell/kiosk/kiosk.ts';
import { SEEN_VERSION, useRelayVersions, useSeeVersion } from '../../shell/relay-versions.ts';
import { useFormat } from '../../texts/format.ts';
import { textsNow, useTexts } from '../../texts/texts.ts';
import { showToast } from '../../ui/toasts.tsx';
import { pairAddress } from '../pair/discovered.ts';
import { upgradedSince } from '../system/news/changelog.ts';
import { batteryOf, type FactKind, type HomeSummary, isSameSummary, lampWrites, summarize, URGENT } from './facts.ts';
import classes from './home.module.css';
import { useOffers } from './offers.ts';
import { useWatched } from './watch-accessories.ts';

const ICONS: Readonly<Record<FactKind, LucideIcon>> = {
  alarm: Siren,
  smoke: Flame,
  gas: CloudAlert,
  leak: Droplets,
  jammed: TriangleAlert,
  unreachable: Unplug,
  unlocked: LockKeyholeOpen,
  open: DoorOpen,
  battery: BatteryWarning,
};

export function SummaryLine() {
  const t = useTexts(homeTexts);
  const { accessories, paused } = useHome();
  const ids = useMemo(() => accessories.map(({ id }) => id), [accessories]);
  const { attention: all } = useWatched(ids, summarize, isSameSummary);
  // In a paused home nothing answers, as the notice above the page explains.
  const attention = paused ? all.filter(({ kind }) => kind !== 'unreachable') : all;
  // That nothing was wrong earlier does not mean that all is well.
  const isOld = useKeptAt() !== undefined;
  return (
    <section aria-label={t.summary}>
      <ul className={classes.summary} aria-live="polite">
        {attention.map((entry) => (
          <li key={entry.kind}>
            <Attention entry={entry} />
          </li>
        ))}
        {attention.length === 0 && !paused && !isOld && (
          <li>
            <span className={classes.chip} data-tone="good">
              <CircleCheck aria-hidden />
              <span>{t.allQuiet}</span>
            </span>
          </li>
        )}
        <Offer />
        <Upgraded />
      </ul>
    </section>
  );
}

/** What was discovered and can be added, last: it can wait. */
function Offer() {
  const t = useTexts(homeTexts);
  const { devices, decline } = useOffers();
  const [first] = devices;
  if (!first) return null;
  const isOne = devices.length === 1;
  return (
    <li>
      <span className={classes.chip} data-split>
        <Link href={pairAddress(isOne ? first.deviceId : undefined)} className={classes.half ?? ''}>
          <Plug aria-hidden />
          <span>{isOne ? t.offer({ name: first.name }) : t.offers({ count: devices.length })}</span>
          <strong>{t.newThing}</strong>
        </Link>
        <button type="button" className={classes.half} aria-label={t.decline} title={t.decline} onClick={decline}>
          <X aria-hidden />
        </button>
      </span>
    </li>
  );
}

/** After an upgrade, until the person has seen what is new or dismisses it. */
function Upgraded() {
  const t = useTexts(homeTexts);
  const { dashboard } = useSettings();
  const running = useRelayVersions();
  const seeVersion = useSeeVersion();
  if (!running || kioskNow()) return null;
  const { version, previousVersion } = running;
  if (upgradedSince(version, previousVersion, dashboard[SEEN_VERSION]) === undefined) return null;
  return (
    <li>
      <span className={classes.chip} data-split>
        <Link href="/system/news" className={classes.half ?? ''}>
          <Sparkles aria-hidden />
          <span>{t.upgraded({ version })}</span>
          <strong>{t.whatIsNew}</strong>
        </Link>
        <button
          type="button"
          className={classes.half}
          aria-label={t.dismissNews}
          title={t.dismissNews}
          onClick={() => seeVersion(version)}
        >
          <X aria-hidden />
        </button>
      </span>
    </li>
  );
}

/** A single accessory is a link; several show their names on demand. */
function Attention({ entry: { kind, accessories } }: { readonly entry: HomeSummary['attention'][number] }) {
  const t = useTexts(homeTexts);
  const [isOpen, setOpen] = useState(false);
  const format = useFormat();
  const level = accessories[0] && batteryOf(accessories[0]);
  const Icon = ICONS[kind] ?? Bell;
  const tone = URGENT.has(kind) ? 'urgent' : 'note';
  const [first] = accessories;
  if (accessories.length === 1 && first) {
    return (
      <Link href={`/accessories/${first.id}`} className={classes.chip ?? ''} data-tone={tone}>
        <Icon aria-hidden />
        <span>
          {kind === 'battery' && level !== undefined
            ? t.batteryAt({ name: first.name, level: format.percent(level) })
            : t.facts[kind].one({ name: first.name })}
        </span>
      </Link>
    );
  }
  return (
    <>
      <button
        type="button"
        className={classes.chip}
        data-tone={tone}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon aria-hidden />
        <span>{t.facts[kind].many({ n: accessories.length })}</span>
      </button>
      {isOpen && <Found accessories={accessories} />}
    </>
  );
}

function Found({ accessories }: { readonly accessories: readonly HomeAccessory[] }) {
  return (
    <ul className={classes.found}>
      {accessories.map(({ id, name }) => (
        <li key={id}>
          <Link href={`/accessories/${id}`}>{name}</Link>
        </li>
      ))}
    </ul>
  );
}

/** Undo restores exactly the lamps that were turned off. */
export function turnLamps(ids: readonly string[], isOn: boolean): void {
  const lamps = ids.flatMap((id) => homeStore.accessory(id) ?? []);
  const writes = lampWrites(lamps, isOn);
  if (writes.length === 0) return;
  writer.set(...writes);
  if (isOn) return;
  const back = writes.map((write) => ({ ...write, value: !isOn }));
  showToast({
    text: textsNow(homeTexts).turnedOff({ count: lamps.length }),
    action: { label: textsNow(commonTexts).undo, run: () => writer.set(...back) },
  });
}
