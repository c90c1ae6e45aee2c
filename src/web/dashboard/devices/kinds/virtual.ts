/**
 * Virtual accessories: created in the relay, for automations and users; one kind each, as `operateVirtualAccessory`
 * defines them.
 */
import type { LucideIcon } from 'lucide-react';
import { Calendar, Clock, Hash, ListChecks, SlidersHorizontal, TextCursorInput, Timer } from 'lucide-react';
import type { HomeAccessory } from '../../home/home-document.ts';
import type { Format } from '../../texts/format.ts';
import { type DeviceKind, type DeviceTexts, line } from '../kind.ts';
import { characteristicOf, numberOf, serviceOf, textOf } from '../reading.ts';

type Describe = (accessory: HomeAccessory, t: DeviceTexts, format: Format) => string;

function shown(icon: LucideIcon, describe: Describe): DeviceKind {
  return { look: () => ({ icon, tone: 'off' }), describe };
}

/** A number with as many decimals as its steps have. */
export function numberText(value: number, step: number | null, unit: string | null, format: Format): string {
  const decimals = Math.min(String(step ?? 1).split('.')[1]?.length ?? 0, 6);
  const number = format.number(value, decimals);
  return unit ? `${number} ${unit}` : number;
}

export const virtualNumber = shown(SlidersHorizontal, (accessory, t, format) => {
  const characteristic = characteristicOf(serviceOf(accessory, 'virtual_number'), 'virtual_number');
  if (typeof characteristic?.value !== 'number') return t.noValue;
  return numberText(characteristic.value, characteristic.minStep, characteristic.unit, format);
});

export const counter = shown(Hash, (accessory, t, format) => {
  const count = numberOf(serviceOf(accessory, 'virtual_count'), 'virtual_count');
  return count === undefined ? t.noValue : format.number(count);
});

export const mode = shown(
  ListChecks,
  (accessory, t) => textOf(serviceOf(accessory, 'virtual_mode'), 'virtual_mode') || t.noValue,
);

export const virtualText = shown(
  TextCursorInput,
  (accessory, t) => textOf(serviceOf(accessory, 'virtual_text'), 'virtual_text') || t.noText,
);

export const virtualMoment: DeviceKind = {
  look: ({ virtualHasDate }) => ({ icon: virtualHasDate === false ? Clock : Calendar, tone: 'off' }),
  describe(accessory, t, format) {
    const text = textOf(serviceOf(accessory, 'virtual_datetime'), 'virtual_datetime');
    return text ? momentText(text, format) : t.noValue;
  },
};

/**
 * `2026-01-31`, `07:30` or both with a T between, in the home's local time. It is shown unconverted in every time zone.
 */
export function momentText(text: string, format: Format): string {
  const hasDate = text.includes('-');
  const hasTime = text.includes(':');
  const moment = Date.parse(`${hasDate ? '' : '2000-01-01T'}${text}${hasTime ? 'Z' : ''}`);
  if (Number.isNaN(moment)) return text;
  const show = hasDate ? (hasTime ? format.dateTime : format.date) : format.time;
  return show(moment, 'UTC');
}

/** A timer's value is its state; the relay reports its end time separately. */
export const timer: DeviceKind = {
  look: (accessory) => ({ icon: Timer, tone: timerState(accessory) === 'idle' ? 'off' : 'on' }),
  describe(accessory, t, format) {
    const { virtualEndsAt, virtualRemainingMs, virtualDurationMs } = accessory;
    const state = timerState(accessory);
    if (state === 'active') return virtualEndsAt ? t.timer.until({ time: format.time(virtualEndsAt) }) : t.timer.active;
    if (state === 'paused') {
      return line(t.timer.paused, virtualRemainingMs !== null && format.duration(virtualRemainingMs));
    }
    return line(t.timer.idle, virtualDurationMs !== null && format.duration(virtualDurationMs));
  },
  act(accessory) {
    const state = timerState(accessory);
    const operation = state === 'active' ? 'pause' : state === 'paused' ? 'resume' : 'start';
    const isAllowed = characteristicOf(serviceOf(accessory, 'virtual_timer'), 'virtual_timer')?.canWrite ?? false;
    return isAllowed ? { isOn: state === 'active', operation } : undefined;
  },
};

export function timerState(accessory: HomeAccessory): 'idle' | 'active' | 'paused' {
  const state = textOf(serviceOf(accessory, 'virtual_timer'), 'virtual_timer') ?? accessory.virtualTimerState;
  return state === 'active' || state === 'paused' ? state : 'idle';
}
