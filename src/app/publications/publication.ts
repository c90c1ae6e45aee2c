import type { PublicationKind, PublicationSelection } from '../../contract/publications.ts';

/** What controllers have to know to operate locks. */
export interface LockPin {
  /** `null` without a PIN. */
  readonly hash: string | null;
  /** How often a first PIN was set or the PIN was removed. */
  readonly changes: number;
}

export interface Publication {
  /** UUID, lower case. */
  readonly id: string;
  readonly homeId: string;
  readonly name: string;
  readonly kind: PublicationKind;
  readonly selection: PublicationSelection;
  readonly paused: boolean;
  readonly lockPin: LockPin;
  readonly createdAt: number;
}
