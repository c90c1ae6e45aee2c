/** The steps of the setup. After a reload or a return, the state of the home decides the step. */

export const STEPS = ['account', 'home', 'place', 'history', 'accessories'] as const;
export type SetupStep = (typeof STEPS)[number];
/** The steps after the sign-in. */
export type LaterStep = Exclude<SetupStep, 'account'>;

interface Progress {
  /** Initially the relay's own name for it. */
  readonly name: string;
  readonly latitude: number | null;
  readonly accessoryCount: number;
}

/** The relay's own name for the first home (`src/app/layout/layout.ts`). */
export const FIRST_HOME_NAME = 'My Home';

/** @param requested the step from the URL, if there is one */
export function stepOf(requested: string | null, home: Progress): LaterStep {
  const [, ...later] = STEPS;
  const known = later.find((step) => step === requested);
  if (known) return known;
  if (home.name === FIRST_HOME_NAME && home.latitude === null && home.accessoryCount === 0) return 'home';
  return home.latitude === null && home.accessoryCount === 0 ? 'place' : 'accessories';
}
