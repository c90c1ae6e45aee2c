import type { PublicationKind, PublicationSelection } from '../../contract/publications.ts';

export interface Publication {
  /** UUID, lower case. */
  readonly id: string;
  readonly homeId: string;
  readonly name: string;
  readonly kind: PublicationKind;
  readonly selection: PublicationSelection;
  readonly paused: boolean;
  readonly createdAt: number;
}
