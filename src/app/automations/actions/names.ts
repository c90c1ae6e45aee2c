/** What actions are about, by the names that people gave it: for the one line that a trace shows. */
import type { HomeState } from '../../../home/home-state.ts';
import { characteristicName } from '../../../home/vocabulary/hap-names.ts';
import { shorten } from '../../../home/vocabulary/values.ts';
import type { Json, TemplateDuration, TemplateValue } from '../flow.ts';

export function accessoryName(state: HomeState, id: string): string {
  return state.accessory(id)?.name ?? 'an accessory that is gone';
}

export function groupName(state: HomeState, id: string): string {
  return state.serviceGroups.find(id)?.name ?? 'a service group that is gone';
}

/** Built-in scenes are no stored ones; their ids say nothing to people. */
export function sceneName(state: HomeState, id: string): string {
  const scene = state.scenes.find(id);
  if (scene === undefined) return 'a scene';
  return scene.automationId === null ? `scene ${scene.name}` : "the automation's scene";
}

/** `color_temperature` as people read it; a HAP type by its name. */
export function characteristicWords(type: string): string {
  return shorten(characteristicName(type).replaceAll('_', ' '));
}

/** A value in a line of text; templates as they stand. */
export function valueWords(value: TemplateValue | undefined): string {
  if (value === true) return 'on';
  if (value === false) return 'off';
  return shorten(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'));
}

/** `1 h 30 min`; a template as it stands. */
export function durationWords(duration: TemplateDuration): string {
  if (typeof duration === 'string') return shorten(duration);
  const { hours, minutes, seconds } = duration;
  const parts = [part(hours, 'h'), part(minutes, 'min'), part(seconds, 's')].filter((text) => text !== '');
  return parts.length > 0 ? parts.join(' ') : '0 s';
}

/** `3 actions`, `1 action`. */
export function countWords(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function part(amount: Json | undefined, unit: string): string {
  return amount === undefined || amount === 0 || amount === '' ? '' : `${valueWords(amount)} ${unit}`;
}
