/** Fans, air purifiers and humidifiers: devices that move air, with an on/off state and a speed. */
import type { LucideIcon } from 'lucide-react';
import { Droplets, Fan, Wind } from 'lucide-react';
import type { HomeAccessory, HomeService } from '../../home/home-document.ts';
import type { Format } from '../../texts/format.ts';
import { type DeviceKind, type DeviceTexts, line, onText, type TileTone } from '../kind.ts';
import { levelOf } from '../level.ts';
import { numberOf, powerOf, powerWrites, serviceOf } from '../reading.ts';

type More = (service: HomeService, t: DeviceTexts, format: Format) => string | undefined;

function running(icon: LucideIcon, tone: TileTone, more: More, type: string): DeviceKind {
  const deviceOf = (accessory: HomeAccessory) => serviceOf(accessory, type);
  const isOn = (accessory: HomeAccessory) => powerOf(deviceOf(accessory)) ?? false;
  return {
    look: (accessory) => ({ icon, tone: isOn(accessory) ? tone : 'off' }),
    describe(accessory, t, format) {
      const service = deviceOf(accessory);
      if (!service || powerOf(service) === undefined) return t.noValue;
      return isOn(accessory) ? line(onText(accessory, t), more(service, t, format)) : t.off;
    },
    act(accessory) {
      const writes = powerWrites(accessory, deviceOf(accessory), !isOn(accessory));
      return writes.length > 0 ? { isOn: isOn(accessory), writes } : undefined;
    },
  };
}

const speed: More = (service, _t, format) => {
  const percent = numberOf(service, 'rotation_speed');
  return percent === undefined ? undefined : format.percent(percent);
};

const PURIFIES = 2;
const HUMIDIFIES = 2;
const DEHUMIDIFIES = 3;

export const fan: DeviceKind = {
  ...running(Fan, 'cool', speed, 'fan'),
  level: (accessory) => levelOf(accessory, serviceOf(accessory, 'fan'), 'speed', 'rotation_speed'),
};

export const purifier = running(
  Wind,
  'good',
  (service, t, format) => {
    const doing = numberOf(service, 'current_air_purifier_state');
    return doing === undefined || doing === PURIFIES ? speed(service, t, format) : t.air.idle;
  },
  'air_purifier',
);

export const humidifier = running(
  Droplets,
  'cool',
  (service, t, format) => {
    const doing = numberOf(service, 'current_humidifier_dehumidifier_state');
    const humidity = numberOf(service, 'relative_humidity');
    const word = doing === HUMIDIFIES ? t.air.humidifies : doing === DEHUMIDIFIES ? t.air.dehumidifies : t.air.idle;
    return line(word, humidity !== undefined && format.percent(humidity));
  },
  'humidifier_dehumidifier',
);
