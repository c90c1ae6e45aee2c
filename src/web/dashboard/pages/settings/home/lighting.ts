/** What the settings of adaptive lighting offer. */
const MIREDS_OF_KELVIN = 1_000_000;

export const WARMEST_KELVIN = [2_000, 2_200, 2_500, 2_700, 3_000];
export const COLDEST_KELVIN = [4_000, 4_500, 5_000, 5_500, 6_500];
export const PAUSE_HOURS = [1, 2, 4, 8, 12, 24];

export interface ColourChoice {
  readonly mireds: number;
  readonly kelvin: number;
}

/** The colours to choose from, with the one that is set among them, from warm to cold. */
export function colourChoices(kelvins: readonly number[], setMireds: number): readonly ColourChoice[] {
  const choices = kelvins.map((kelvin) => ({ kelvin, mireds: Math.round(MIREDS_OF_KELVIN / kelvin) }));
  if (choices.some(({ mireds }) => mireds === setMireds)) return choices;
  // People think in hundreds of kelvin.
  const kelvin = Math.round(MIREDS_OF_KELVIN / setMireds / 100) * 100;
  return [...choices, { kelvin, mireds: setMireds }].sort((a, b) => b.mireds - a.mireds);
}

/** The hours to choose from, with those that are set among them. */
export function pauseChoices(set: number | null): readonly number[] {
  if (set === null || PAUSE_HOURS.includes(set)) return PAUSE_HOURS;
  return [...PAUSE_HOURS, set].sort((a, b) => a - b);
}
