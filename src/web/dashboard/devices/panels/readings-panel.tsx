import { Readings } from '../controls/readings.tsx';
import { SENSORS } from '../kinds/sensors.ts';
import { flagOf } from '../reading.ts';
import { characteristicLabel, characteristicText } from './characteristic-text.ts';
import { type PanelProps, usePanelWords } from './panel.ts';

/** What its sensor row says already, and what says nothing to people. */
const TOLD_OTHERWISE: ReadonlySet<string> = new Set(['name', 'label_index', 'status_active', 'configured_name']);
const FLAGS: readonly string[] = ['status_fault', 'status_tampered', 'status_low_battery'];

/** Sensors, batteries, filters: whatever only tells. */
export function ReadingsPanel({ service }: PanelProps) {
  const { t, d, format } = usePanelWords();
  const row = SENSORS[service.type];
  const main = row?.describe(service, d, format);
  const others = service.characteristics
    .filter(({ type, canRead }) => canRead && !TOLD_OTHERWISE.has(type))
    // Faults are told when there are any.
    .filter(({ type }) => !FLAGS.includes(type) || flagOf(service, type))
    .filter(({ type }) => !row || !isMain(type, service.type))
    .map((characteristic) => ({
      label: characteristicLabel(characteristic.type, t),
      value: characteristicText(characteristic, t, format),
    }));
  return (
    <Readings
      readings={[
        ...(main === undefined ? [] : [{ label: t.services[service.type] ?? t.state, value: main }]),
        ...others,
      ]}
    />
  );
}

/** By what each sensor is described in its row. */
const MAIN: Readonly<Record<string, readonly string[]>> = {
  temperature_sensor: ['current_temperature'],
  humidity_sensor: ['relative_humidity'],
  light_sensor: ['current_ambient_light_level'],
  air_quality_sensor: ['air_quality'],
  carbon_dioxide_sensor: ['carbon_dioxide_detected', 'carbon_dioxide_level'],
};

function isMain(type: string, serviceType: string): boolean {
  return SENSORS[serviceType]?.noticed?.by === type || (MAIN[serviceType]?.includes(type) ?? false);
}
