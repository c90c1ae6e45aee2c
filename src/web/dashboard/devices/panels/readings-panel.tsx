import type { HomeAccessory, HomeService } from '../../home/home-document.ts';
import { textOf } from '../../texts/texts.ts';
import { Section } from '../../ui/page.tsx';
import { type Reading, Readings } from '../controls/readings.tsx';
import { SENSORS } from '../kinds/sensors.ts';
import { characteristicLabel, characteristicText } from './characteristic-text.ts';
import { type PanelWords, usePanelWords } from './panel.ts';

/** Characteristics without meaning for users. */
const HIDDEN: ReadonlySet<string> = new Set(['name', 'label_index', 'status_active', 'configured_name']);
/** The sheet shows these above everything else. */
const WARNED: ReadonlySet<string> = new Set(['status_fault', 'status_tampered', 'status_low_battery']);
const CHARGING = 'charging_state';
const NOT_CHARGEABLE = 2;

interface Props {
  readonly accessory: HomeAccessory;
  readonly services: readonly HomeService[];
  /** The sheet shows the state of this one above. */
  readonly large: HomeService | undefined;
  readonly title: string;
}

/** Sensors, batteries and filters: all read-only services in one panel. Nothing if they report no value. */
export function ReadingsPanel({ accessory, services, large, title }: Props) {
  const words = usePanelWords();
  const readings = services
    .flatMap((service) => readingsOf(accessory, service, words, service.id === large?.id))
    .filter(({ value }) => value !== undefined);
  if (readings.length === 0) return null;
  return (
    <Section title={title}>
      <Readings readings={readings} />
    </Section>
  );
}

export function readingsOf(
  accessory: HomeAccessory,
  service: HomeService,
  { t, d, format, words }: PanelWords,
  isLarge = false,
): readonly Reading[] {
  const row = SENSORS[service.type];
  const kind = textOf(t.services, service.type) ?? t.state;
  const isOnly = accessory.services.filter(({ type }) => type === service.type).length === 1;
  const named = isOnly || !service.name ? kind : service.name;
  // The associated level is a separate reading here.
  const noticed = row?.noticed && row.describe(service, d, format)?.split(' · ')[0];
  const others = service.characteristics.filter(
    ({ type, value, canRead }) =>
      canRead &&
      !HIDDEN.has(type) &&
      type !== row?.noticed?.by &&
      !(isLarge && type === row?.measured) &&
      !WARNED.has(type) &&
      !(type === CHARGING && value === NOT_CHARGEABLE),
  );
  return [
    ...(noticed === undefined || isLarge ? [] : [{ label: named, value: noticed }]),
    ...others.map((characteristic) => ({
      label: isOnly
        ? characteristicLabel(characteristic.type, words.texts)
        : `${named}: ${characteristicLabel(characteristic.type, words.texts)}`,
      value: characteristicText(characteristic, words),
    })),
  ];
}
