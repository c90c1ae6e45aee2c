import type { InMilliseconds } from '../../contract/parse.ts';
import type { Publication as PublicationFields } from '../../contract/publications.ts';

/** What controllers have to know to operate locks. */
export interface LockPin {
  /** `null` without a PIN. */
  readonly hash: string | null;
  /** How often a first PIN was set or the PIN was removed. */
  readonly changes: number;
}

type Stored = InMilliseconds<Omit<PublicationFields, 'status' | 'error' | 'bridges' | 'hasLockPin'>, 'createdAt'>;

/** What is stored of it. */
export interface Publication extends Stored {
  readonly lockPin: LockPin;
}
