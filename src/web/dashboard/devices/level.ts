/** The main numeric value of a device, as its tile offers it: a drag along the tile or keys set it. */
import type { Catalogues } from 'texts:types';
import type { HomeAccessory, HomeService } from '../home/home-document.ts';
import type { Write } from '../home/write.ts';
import { characteristicOf, numberOf, PERCENT, powerOf, powerWrites, type Range, rangeOf, writeOf } from './reading.ts';

export interface DeviceLevel {
  readonly name: keyof Catalogues['devices']['levels'];
  /** 0 while the device is off. */
  readonly value: number;
  readonly range: Range;
  /** Sent only when the drag ends, so that motors do not change direction repeatedly. */
  readonly isSentAtEnd: boolean;
  readonly writesOf: (value: number) => readonly Write[];
}

/** None if the device has no such value, or the value is not writable. */
export function levelOf(
  accessory: HomeAccessory,
  service: HomeService | undefined,
  name: DeviceLevel['name'],
  type: string,
): DeviceLevel | undefined {
  const characteristic = characteristicOf(service, type);
  if (!characteristic?.canWrite) return undefined;
  const isSentAtEnd = type === 'target_position';
  // The switch covers zero; for a volume, zero is a value.
  const isSwitched = name !== 'volume' && powerWrites(accessory, service, true).length > 0;
  const range = rangeOf(characteristic, PERCENT);
  const isOn = powerOf(service) ?? true;
  return {
    name,
    value: isOn ? (numberOf(service, type) ?? 0) : 0,
    range: { ...range, min: isSwitched ? Math.max(range.min, range.step) : range.min },
    isSentAtEnd,
    writesOf: (value) => [
      ...writeOf(accessory, service, type, value),
      ...(isOn || value <= 0 ? [] : powerWrites(accessory, service, true)),
    ],
  };
}

/** The level after a drag of this distance along an element of this width. */
export function levelAfter(from: number, moved: number, { min, max, step }: Range): number {
  const wanted = from + moved * (max - min);
  const stepped = min + Math.round((wanted - min) / step) * step;
  return Math.min(Math.max(Math.round(stepped), min), max);
}

export function shareOfLevel(value: number, { max }: Range): number {
  return max > 0 ? Math.min(Math.max(value / max, 0), 1) : 0;
}
