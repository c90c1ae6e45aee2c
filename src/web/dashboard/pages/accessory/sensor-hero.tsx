/** The state of a sensor as a large symbol, a word, and since when. */
import accessoryTexts from 'texts:accessory';
import type { LucideIcon } from 'lucide-react';
import { absenceOf } from '../../devices/devices.ts';
import { sensor } from '../../devices/kinds/sensors.ts';
import { usePanelWords } from '../../devices/panels/panel.ts';
import type { HomeAccessory } from '../../home/home-document.ts';
import { useFormat } from '../../texts/format.ts';
import { textOf, useTexts } from '../../texts/texts.ts';
import classes from './sensor-hero.module.css';
import { type MainSensor, stateSince } from './sensor-state.ts';
import { useRecentActivity } from './use-recent-activity.ts';

interface HeroProps {
  readonly accessory: HomeAccessory;
  readonly main: MainSensor;
}

export function SensorHero({ accessory, main }: HeroProps) {
  const { t, d, format } = usePanelWords();
  const { service, row, isNoticed } = main;
  const Icon: LucideIcon = (isNoticed && row.noticed?.icon) || row.icon;
  const kind = textOf(t.services, service.type);
  const state = row.describe(service, d, format)?.split(' · ')[0] ?? d.noValue;
  const look = sensor.look({ ...accessory, services: [service] });
  const isAbsent = absenceOf(accessory) !== undefined;
  return (
    <div className={classes.hero} data-absent={isAbsent || undefined}>
      <span className={classes.symbol} data-tone={isAbsent ? 'off' : look.tone} aria-hidden>
        <Icon size={64} strokeWidth={1.5} />
      </span>
      <div className={classes.words}>
        {kind !== state && <span className={classes.kind}>{kind}</span>}
        <strong className={classes.state}>{state}</strong>
        {!isAbsent && <Since accessoryId={accessory.id} main={main} />}
      </div>
    </div>
  );
}

function Since({ accessoryId, main }: { readonly accessoryId: string; readonly main: MainSensor }) {
  const t = useTexts(accessoryTexts);
  const format = useFormat();
  const since = stateSince(main, useRecentActivity(accessoryId));
  if (!since) return null;
  const when = format.recent(since.at);
  return (
    <time dateTime={since.at} title={format.dateTime(since.at)} className={classes.since}>
      {(since.isOver ? t.lastMotion : t.since)({ when })}
    </time>
  );
}
