/** What triggers say about themselves in one line: things by the names that people gave them, whatever is gone by now. */
import { characteristicByName } from '../../../hap-spec/characteristics.ts';
import type { HomeState } from '../../../home/home-state.ts';
import type { CharacteristicValue } from '../../../home/model.ts';
import { durationMs } from '../../../home/schedule/duration.ts';
import { shorten } from '../../../home/vocabulary/values.ts';
import type { Duration } from '../flow.ts';
import type { WatchedCharacteristic } from './value-watch.ts';

/** `power_state_2`: the second of its kind. */
const NUMBERED = /^(.+)_([2-9]|[1-9]\d+)$/;

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

export function accessoryWords(state: HomeState, id: string): string {
  return state.accessory(id)?.name ?? 'an accessory that is gone';
}

/** `Motion detected of Hall`. */
export function thingWords(state: HomeState, target: WatchedCharacteristic): string {
  const name =
    target.serviceGroupId === undefined
      ? accessoryWords(state, target.accessoryId)
      : (state.serviceGroups.find(target.serviceGroupId)?.name ?? 'a service group that is gone');
  return `${capitalized(characteristicWords(target.characteristicType))} of ${name}`;
}

/** `on`, `heat`, `21.5`: by the characteristic's own words where it has some. */
export function valueWords({ characteristicType }: WatchedCharacteristic, value: CharacteristicValue): string {
  if (value === null) return 'unknown';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  const [, base = characteristicType] = NUMBERED.exec(characteristicType) ?? [];
  const named = Object.entries(characteristicByName(base)?.values ?? {}).find(([, number]) => number === value);
  return named ? named[0].replaceAll('_', ' ') : shorten(String(value));
}

/** ` for 5 minutes`; nothing where there is no duration. */
export function forWords(duration: Duration | undefined): string {
  return duration === undefined ? '' : ` for ${durationWords(durationMs(duration))}`;
}

/** `1 hour 30 minutes`, `0 seconds`. @param ms not negative */
export function durationWords(ms: number): string {
  const total = Math.round(ms / 1_000);
  const parts = [
    amount(Math.floor(total / 3_600), 'hour'),
    amount(Math.floor((total % 3_600) / 60), 'minute'),
    amount(total % 60, 'second'),
  ].filter((part) => part !== '');
  return parts.join(' ') || '0 seconds';
}

/** `Monday, Friday`. @param days 0 = Sunday … 6 = Saturday */
export function weekdayWords(days: readonly number[]): string {
  return days.map((day) => WEEKDAYS[day] ?? `day ${day}`).join(', ');
}

/** `2 people`, `anybody`. */
export function peopleWords(personIds: readonly string[] | undefined): string {
  if (personIds === undefined || personIds.length === 0) return 'anybody';
  return personIds.length === 1 ? 'one person' : `one of ${personIds.length} people`;
}

export function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function characteristicWords(type: string): string {
  const [, base = type, number = ''] = NUMBERED.exec(type) ?? [];
  const name = characteristicByName(base)?.name ?? shorten(base);
  return `${name.replaceAll('_', ' ')}${number && ` ${number}`}`;
}

function amount(count: number, unit: string): string {
  return count === 0 ? '' : `${count} ${unit}${count === 1 ? '' : 's'}`;
}
