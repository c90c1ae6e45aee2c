import type { HomeDeps } from '../../../home/home-deps.ts';
import type { Home } from '../../../home/model.ts';

/** The context in which a trigger is parsed. */
export interface NativeContext extends HomeDeps<'state' | 'presence'> {
  readonly home: Home;
  /** Wall time, milliseconds. */
  readonly now: number;
}
