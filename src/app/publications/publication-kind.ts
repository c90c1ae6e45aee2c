/**
 * What one kind of publication does: `homekit/`, and others beside it. A kind keeps identities, ids and controllers;
 * the operations keep what is published to whom.
 */
import type { InMilliseconds } from '../../contract/parse.ts';
import type {
  Publication as ContractPublication,
  PublicationController,
  PublicationPreviewItem,
  PublicationRemark,
} from '../../contract/publications.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import type { Publication } from './publication.ts';

/** With times in milliseconds since the epoch. */
export interface ShownBridge extends Omit<ContractPublication['bridges'][number], 'windowEndsAt'> {
  readonly windowEndsAt: number | null;
}

/** How a publication fares; one that is paused is not asked. */
export interface PublishedState {
  readonly status: 'open' | 'starting' | 'error';
  /** As a sentence. */
  readonly error: string | null;
}

export type ShownController = InMilliseconds<PublicationController, 'pairedAt' | 'lastSeenAt'>;

export interface KindPreview {
  readonly items: readonly PublicationPreviewItem[];
  readonly bridges: readonly { readonly name: string; readonly accessories: number }[];
  readonly warnings: readonly string[];
  /** One for each of the warnings. */
  readonly remarks: readonly PublicationRemark[];
}

/** Listens to the home from `start` to `stop`. Servers are opened and closed one by one. */
export interface PublishingKind extends Startable {
  /**
   * What it would look like, without storing anything.
   * @param publication may be unsaved
   * @param saved what it is now; `undefined` for a new one
   */
  preview(publication: Publication, saved: Publication | undefined): KindPreview;
  /** Gives a new publication its identity, in the transaction that stores it. */
  create(publication: Publication): void;
  /** Opens its servers. Resolves when they are open or failed, never throws: `stateOf` has the error. */
  open(publication: Publication): Promise<void>;
  /** Its name or its selection changed. As `open`. */
  update(publication: Publication): Promise<void>;
  close(publicationId: string): Promise<void>;
  /** Gives it another identity and removes all controllers. It is closed. */
  reset(publication: Publication): void;
  stateOf(publicationId: string): PublishedState;
  bridgesOf(publication: Publication): readonly ShownBridge[];
  controllersOf(publication: Publication): readonly ShownController[];
  /** @returns whether there was one */
  removeController(publication: Publication, identifier: string): boolean;
  /** When controllers can be added; absent if the kind has no such window. @throws `conflict` when it is not open */
  readonly window?: {
    open(publication: Publication, durationS: number): Promise<void>;
    close(publication: Publication): Promise<void>;
  };
}
