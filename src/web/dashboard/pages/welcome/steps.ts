/** The steps of the first run, and where to go on after the page was left or loaded again: where the house is. */

export const STEPS = ['account', 'home', 'place', 'accessories'] as const;
export type Step = (typeof STEPS)[number];
/** Those of somebody who is signed in. */
export type LaterStep = Exclude<Step, 'account'>;

interface Progress {
  /** What it is called before anybody named it is the relay's choice. */
  readonly name: string;
  readonly latitude: number | null;
  readonly accessoryCount: number;
}

/** The relay's own name for the first home (`src/app/layout/layout.ts`). */
export const FIRST_HOME_NAME = 'My Home';

/** @param wished from the address: what the person is at, if it says so */
export function stepOf(wished: string | null, home: Progress): LaterStep {
  const [, ...later] = STEPS;
  const known = later.find((step) => step === wished);
  if (known) return known;
  if (home.name === FIRST_HOME_NAME && home.latitude === null && home.accessoryCount === 0) return 'home';
  return home.latitude === null && home.accessoryCount === 0 ? 'place' : 'accessories';
}
