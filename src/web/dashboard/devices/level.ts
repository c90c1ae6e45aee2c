/** The one number that a device is mostly about, as far as its tile goes: set by a finger along the tile, or by keys. */
import type { HouseAccessory, HouseService } from '../house/house-document.ts';
import type { Write } from '../house/write.ts';
import { characteristicOf, numberOf, PERCENT, powerOf, powerWrites, type Range, rangeOf, writeOf } from './reading.ts';
import type { en } from './texts/en.ts';

export interface Level {
  readonly name: keyof (typeof en)['levels'];
  /** 0 while the device is off. */
  readonly value: number;
  readonly range: Range;
  /** Sent once the finger is lifted: motors are not sent back and forth. */
  readonly isSentAtEnd: boolean;
  readonly writesOf: (value: number) => readonly Write[];
}

/** None where the device has no such number, or does not let it be set. */
export function levelOf(
  accessory: HouseAccessory,
  service: HouseService | undefined,
  name: Level['name'],
  type: string,
): Level | undefined {
  const characteristic = characteristicOf(service, type);
  if (!characteristic?.canWrite) return undefined;
  const isSentAtEnd = type === 'target_position';
  // Nothing is what the switch is for; silence is a loudness.
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

/** Where a finger that has moved so far along something so wide puts it. */
export function levelAfter(from: number, moved: number, { min, max, step }: Range): number {
  const wanted = from + moved * (max - min);
  const stepped = min + Math.round((wanted - min) / step) * step;
  return Math.min(Math.max(Math.round(stepped), min), max);
}

export function shareOfLevel(value: number, { max }: Range): number {
  return max > 0 ? Math.min(Math.max(value / max, 0), 1) : 0;
}
