/**
 * One-line descriptions of triggers, conditions and actions: objects by their names, even if they no longer exist.
 * Always short, never throws; templates stay unevaluated.
 */
import { characteristicByName } from '../../hap-spec/characteristics.ts';
import type { HomeState } from '../../home/home-state.ts';
import { durationMs } from '../../home/schedule/duration.ts';
import { shorten } from '../../home/vocabulary/values.ts';
import type { Json } from '../../kernel/json.ts';
import { nameOfAction } from '../scenes/scene-actions.ts';
import type { Duration, Target, TemplateDuration } from './field-types.ts';

/** `power_state_2`: the second of its kind. */
const NUMBERED = /^(.+)_([2-9]|[1-9]\d+)$/;

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

// — things —

export function accessoryWords(state: HomeState, id: string): string {
  return state.accessory(id)?.name ?? 'an accessory that is gone';
}

export function groupWords(state: HomeState, id: string): string {
  return state.serviceGroups.find(id)?.name ?? 'a service group that is gone';
}

/** More settings would make the line too long. */
const MAX_SETTINGS = 3;

/**
 * `Run scene Evening`; for a native automation's own scene, which has no name of its own, its settings. Built-in
 * scenes are not stored; their ids mean nothing to people.
 */
export function sceneSentence(state: HomeState, id: string): string {
  const scene = state.scenes.find(id);
  if (scene === undefined) return 'Run a scene';
  if (scene.automationId === null) return `Run scene ${scene.name}`;
  if (scene.actions.length > MAX_SETTINGS) return `Set ${countWords(scene.actions.length, 'value')}`;
  const settings = scene.actions.map((action) => {
    const type = nameOfAction(action, state.accessory(action.accessoryId));
    return settingWords(state, { accessoryId: action.accessoryId, characteristicType: type, value: action.value });
  });
  return `Set ${settings.join(', ')}`;
}

/** `brightness of Lamp to 40`. */
export function settingWords(
  state: HomeState,
  setting: { readonly accessoryId: string; readonly characteristicType: string; readonly value: Json },
): string {
  const { accessoryId, characteristicType, value } = setting;
  return `${characteristicWords(characteristicType)} of ${accessoryWords(state, accessoryId)} to ${valueWords(characteristicType, value)}`;
}

/** `Motion detected of Hall`. */
export function thingWords(state: HomeState, target: Target & { readonly characteristicType: string }): string {
  const { accessoryId, serviceGroupId, characteristicType } = target;
  const name = serviceGroupId === undefined ? accessoryWords(state, accessoryId) : groupWords(state, serviceGroupId);
  return `${capitalized(characteristicWords(characteristicType))} of ${name}`;
}

/** `color temperature`, `power state 2`. */
export function characteristicWords(type: string): string {
  const [, base = type, number = ''] = NUMBERED.exec(type) ?? [];
  const name = characteristicByName(base)?.name ?? shorten(base);
  return `${name.replaceAll('_', ' ')}${number && ` ${number}`}`;
}

/** `2 people`, `anyone`. */
export function peopleWords(personIds: readonly string[] | undefined): string {
  if (personIds === undefined || personIds.length === 0) return 'anyone';
  return personIds.length === 1 ? 'one person' : `one of ${personIds.length} people`;
}

// — values —

/** `on`, `heat`, `21.5`: uses the characteristic's own words if it has some. */
export function valueWords(characteristicType: string, value: Json): string {
  const [, base = characteristicType] = NUMBERED.exec(characteristicType) ?? [];
  const named = Object.entries(characteristicByName(base)?.values ?? {}).find(([, number]) => number === value);
  return named ? named[0].replaceAll('_', ' ') : plainWords(value);
}

/** A value without a characteristic. */
export function plainWords(value: Json | undefined): string {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return shorten(typeof value === 'string' ? value : JSON.stringify(value));
}

/** `3 actions`, `1 action`. */
export function countWords(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

// — times —

/** ` for 5 minutes`; empty without a duration. */
export function forWords(duration: Duration | undefined): string {
  return duration === undefined ? '' : ` for ${durationWords(durationMs(duration))}`;
}

/** `1 hour 30 minutes`, `0.5 seconds`. @param ms not negative */
export function durationWords(ms: number): string {
  const tenths = Math.round(ms / 100);
  const parts = [
    amount(Math.floor(tenths / 36_000), 'hour'),
    amount(Math.floor((tenths % 36_000) / 600), 'minute'),
    amount((tenths % 600) / 10, 'second'),
  ].filter((part) => part !== '');
  return parts.join(' ') || '0 seconds';
}

/** The same; `{{ n }} minutes` if a part of it is a template. */
export function templateDurationWords(duration: TemplateDuration): string {
  if (typeof duration === 'string') return shorten(duration);
  if (isKnown(duration)) return durationWords(durationMs(duration));
  const { hours, minutes, seconds } = duration;
  return [templateAmount(hours, 'hours'), templateAmount(minutes, 'minutes'), templateAmount(seconds, 'seconds')]
    .filter((part) => part !== '')
    .join(' ');
}

/** `Monday, Friday`. @param days 0 = Sunday … 6 = Saturday */
export function weekdayWords(days: readonly number[]): string {
  return days.map((day) => WEEKDAYS[day] ?? `day ${day}`).join(', ');
}

export function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function isKnown(duration: Exclude<TemplateDuration, string>): duration is Duration {
  return Object.values(duration).every((part) => typeof part !== 'string');
}

function templateAmount(value: Json | undefined, unit: string): string {
  return value === undefined || value === 0 ? '' : `${plainWords(value)} ${unit}`;
}

function amount(count: number, unit: string): string {
  return count === 0 ? '' : countWords(count, unit);
}
