/** The colour of the day for one lamp: within what it can show, and on its steps. */
import {
  colourAt,
  type DayColour,
  MAX_BRIGHTNESS,
  MIN_BRIGHTNESS,
  miredsAt,
} from '../../home/adaptive-lighting/curve.ts';
import type { Lamp } from '../../home/adaptive-lighting/lamp.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import { zoneOf } from '../../home/schedule/time-zones.ts';
import { type NumberRange, rangeOf, snap } from '../../home/vocabulary/ranges.ts';
import { formatOf } from '../../home/vocabulary/values.ts';
import type { AdaptiveSettings } from './adaptive-settings.ts';

interface LampColoursDeps extends HomeDeps<'state' | 'clock'> {
  readonly settings: AdaptiveSettings;
}

export class LampColours {
  readonly #deps: LampColoursDeps;

  constructor(deps: LampColoursDeps) {
    this.#deps = deps;
  }

  /** Mireds to write now. @param brightness in percent, if it is about to change */
  now(lamp: Lamp, brightness = lamp.brightness?.value): number {
    const colour = this.#colourAt(lamp, this.#deps.clock.now());
    const wanted = miredsAt(colour, typeof brightness === 'number' ? brightness : MAX_BRIGHTNESS);
    const range = rangeOf(lamp.temperature, formatOf(lamp.temperature));
    if (!range.only) return snap(clamp(wanted, range), range);
    return range.only.reduce((a, b) => (Math.abs(b - wanted) < Math.abs(a - wanted) ? b : a), range.only[0] ?? wanted);
  }

  /** At a moment, for the schedule of a lamp. */
  at(lamp: Lamp, atMs: number): DayColour {
    const range = rangeOf(lamp.temperature, formatOf(lamp.temperature));
    const colour = this.#colourAt(lamp, atMs);
    const mireds = clamp(colour.mireds, range);
    const room = ((range.max ?? Number.POSITIVE_INFINITY) - mireds) / (MAX_BRIGHTNESS - MIN_BRIGHTNESS);
    return { mireds, perPercent: Math.min(colour.perPercent, room) };
  }

  /** Equal for equal days. */
  dayOf(lamp: Lamp): string {
    return this.#deps.settings.dayFor(lamp)?.key ?? JSON.stringify(this.#basis(lamp));
  }

  #colourAt(lamp: Lamp, atMs: number): DayColour {
    const { settings, place } = this.#basis(lamp);
    return this.#deps.settings.dayFor(lamp)?.colourAt(atMs) ?? colourAt(settings, place, atMs);
  }

  #basis({ accessory: { homeId } }: Lamp) {
    const { settings, state } = this.#deps;
    const { warmest, coldest, wakeMinute, sleepMinute } = settings.ofHome(homeId);
    const home = state.home(homeId);
    return {
      settings: { warmest, coldest, wakeMinute, sleepMinute },
      place: { zone: zoneOf(home), location: home?.location ?? null },
    };
  }
}

function clamp(value: number, { min, max }: Pick<NumberRange, 'min' | 'max'>): number {
  return Math.min(Math.max(value, min ?? value), max ?? value);
}
