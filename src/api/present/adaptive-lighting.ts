import type { HomeReport, LampReport } from '../../app/adaptive-lighting/adaptive-lighting.ts';
import type { AdaptiveAccessory, AdaptiveLamp, AdaptiveLighting } from '../../contract/adaptive-lighting.ts';
import { partId } from './accessory.ts';
import { presentTime } from './time.ts';

const MINUTES_PER_HOUR = 60;

export function presentAdaptiveLighting({ homeId, settings, mireds, rooms, lamps }: HomeReport): AdaptiveLighting {
  const { wakeMinute, sleepMinute, ...shown } = settings;
  return {
    homeId,
    ...shown,
    wake: presentMinute(wakeMinute),
    sleep: presentMinute(sleepMinute),
    mireds,
    rooms,
    lamps: lamps.map(presentLamp),
  };
}

export function presentAdaptiveAccessory(accessoryId: string, lamps: readonly LampReport[]): AdaptiveAccessory {
  return { accessoryId, lamps: lamps.map(presentLamp) };
}

function presentLamp({ record, setting, status, runBy }: LampReport): AdaptiveLamp {
  const { accessoryId, serviceIid, pausedUntil } = record;
  return {
    accessoryId,
    serviceId: partId(accessoryId, serviceIid),
    setting,
    status,
    runBy,
    pausedUntil: pausedUntil === null ? null : presentTime(pausedUntil),
  };
}

function presentMinute(minute: number): string {
  const [hours, minutes] = [Math.floor(minute / MINUTES_PER_HOUR), minute % MINUTES_PER_HOUR];
  return [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':');
}
