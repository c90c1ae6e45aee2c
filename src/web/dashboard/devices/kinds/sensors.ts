/**
 * Sensors: each HAP service measures or detects one thing. A device often has several of them; its tile shows all, in
 * the order of the rows. The sheet uses these rows too.
 */
import {
  Activity,
  Cloud,
  DoorClosed,
  DoorOpen,
  Droplet,
  Droplets,
  Eye,
  Flame,
  Leaf,
  type LucideIcon,
  PersonStanding,
  Skull,
  Sun,
  Thermometer,
} from 'lucide-react';
import type { HomeAccessory, HomeService } from '../../home/home-document.ts';
import type { Format } from '../../texts/format.ts';
import { type DeviceKind, type DeviceTexts, line, type TileTone } from '../kind.ts';
import { flagOf, numberOf } from '../reading.ts';

export interface SensorRow {
  readonly icon: LucideIcon;
  /** Set while the sensor detects its event. */
  readonly noticed?: { readonly by: string; readonly tone: TileTone; readonly icon?: LucideIcon };
  /** The characteristic of a measurement. */
  readonly measured?: string;
  /** `undefined` until the device reports a value. */
  readonly describe: (service: HomeService, t: DeviceTexts, format: Format, isBrief?: boolean) => string | undefined;
}

type Noticing = 'motion' | 'occupancy' | 'contact' | 'leak' | 'smoke' | 'carbonMonoxide' | 'carbonDioxide';

function notices(icon: LucideIcon, by: string, words: Noticing, tone: TileTone, noticedIcon = icon): SensorRow {
  return {
    icon,
    noticed: { by, tone, icon: noticedIcon },
    describe(service, t, format) {
      const noticed = flagOf(service, by);
      if (noticed === undefined) return undefined;
      const level = words === 'carbonDioxide' ? numberOf(service, 'carbon_dioxide_level') : undefined;
      const ppm = level === undefined ? undefined : t.ppm({ value: format.number(level) });
      return line(noticed ? t.sensor[words].yes : t.sensor[words].no, ppm);
    },
  };
}

function measures(
  icon: LucideIcon,
  by: string,
  text: (value: number, t: DeviceTexts, format: Format, isBrief?: boolean) => string,
): SensorRow {
  return {
    icon,
    measured: by,
    describe(service, ...rest) {
      const value = numberOf(service, by);
      return value === undefined ? undefined : text(value, ...rest);
    },
  };
}

/** By the service's name; the order is the order on a tile. */
export const SENSORS: Readonly<Record<string, SensorRow>> = {
  smoke_sensor: notices(Flame, 'smoke_detected', 'smoke', 'bad'),
  carbon_monoxide_sensor: notices(Skull, 'carbon_monoxide_detected', 'carbonMonoxide', 'bad'),
  leak_sensor: notices(Droplet, 'leak_detected', 'leak', 'bad'),
  contact_sensor: notices(DoorClosed, 'contact_state', 'contact', 'plain', DoorOpen),
  motion_sensor: notices(Activity, 'motion_detected', 'motion', 'plain'),
  occupancy_sensor: notices(PersonStanding, 'occupancy_detected', 'occupancy', 'plain'),
  carbon_dioxide_sensor: notices(Cloud, 'carbon_dioxide_detected', 'carbonDioxide', 'bad'),
  temperature_sensor: measures(Thermometer, 'current_temperature', (value, _t, format) => format.temperature(value)),
  humidity_sensor: measures(Droplets, 'relative_humidity', (value, t, format, isBrief) => {
    const percent = format.percent(value);
    return isBrief ? percent : t.humidity({ percent });
  }),
  air_quality_sensor: measures(Leaf, 'air_quality', (value, t) => t.airQuality[AIR_QUALITY[value] ?? 'unknown']),
  light_sensor: measures(Sun, 'current_ambient_light_level', (value, t, format) =>
    t.lux({ value: format.number(value, value < 10 ? 1 : 0) }),
  ),
};

const AIR_QUALITY = ['unknown', 'excellent', 'good', 'fair', 'inferior', 'poor'] as const;
/** From this level on, opening a window is advisable. */
const BAD_AIR = 4;

/** The sensors of an accessory, in the order of the rows. */
export function sensorsOf({ services }: HomeAccessory): readonly { service: HomeService; row: SensorRow }[] {
  return Object.entries(SENSORS).flatMap(([type, row]) =>
    services.filter((service) => service.type === type).map((service) => ({ service, row })),
  );
}

export const sensor: DeviceKind = {
  look(accessory) {
    const sensors = sensorsOf(accessory);
    for (const { service, row } of sensors) {
      if (row.noticed && flagOf(service, row.noticed.by)) {
        return { icon: row.noticed.icon ?? row.icon, tone: row.noticed.tone };
      }
      if ((numberOf(service, 'air_quality') ?? 0) >= BAD_AIR) return { icon: row.icon, tone: 'note' };
    }
    return { icon: sensors[0]?.row.icon ?? Eye, tone: 'off' };
  },
  describe(accessory, t, ...rest) {
    const parts = sensorsOf(accessory).map(({ service, row }) => row.describe(service, t, ...rest));
    return line(...new Set(parts)) || t.noValue;
  },
};
