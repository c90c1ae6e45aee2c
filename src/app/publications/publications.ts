/**
 * Publications as operations: homes, or parts of them, shown to another ecosystem. For admins of the home in person:
 * the codes let controllers in that this relay's roles do not limit, so what acts for a person sees none of it.
 */

import { parseInput } from '../../contract/parse.ts';
import {
  NewPublication,
  PreviewRequest,
  PublicationChanges,
  type PublicationKind,
  WindowRequest,
} from '../../contract/publications.ts';
import { compareNamed } from '../../home/collection.ts';
import { requireFreeName } from '../../home/names.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { requireMaker } from '../access/authority.ts';
import { notFound } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { managedHome } from '../access/managed-home.ts';
import { type LockPins, NO_LOCK_PIN, withHash } from './lock-pins.ts';
import type { Publication } from './publication.ts';
import type { KindPreview, PublishedState, PublishingKind, ShownBridge, ShownController } from './publication-kind.ts';
import type { PublicationStore } from './publication-store.ts';
import { type NamedScene, requireKnown } from './thing.ts';

/** Each is a server on the network, and every change of the home goes to all of them. */
const MAX_PUBLICATIONS_PER_HOME = 16;

export interface ShownPublication extends Omit<Publication, 'lockPin'> {
  readonly hasLockPin: boolean;
  readonly status: PublishedState['status'] | 'paused';
  readonly error: string | null;
  readonly bridges: readonly ShownBridge[];
}

interface PublicationsDeps extends AppDeps<'state' | 'access' | 'bus' | 'clock'> {
  readonly store: PublicationStore;
  readonly kinds: Readonly<Record<PublicationKind, PublishingKind>>;
  readonly lockPins: LockPins;
  /** All scenes of a home that can be executed. */
  scenesOf(homeId: string): readonly NamedScene[];
}

export class Publications implements Startable {
  readonly #deps: PublicationsDeps;
  readonly #publications = new Map<string, Publication>();
  #unsubscribe: () => void = () => {};
  /** Whether servers may open: not before the home is loaded. */
  #isServing = false;

  constructor(deps: PublicationsDeps) {
    this.#deps = deps;
  }

  /** Loads the publications. Call after the layout is loaded and before any request. */
  start(): void {
    for (const publication of this.#deps.store.load()) this.#publications.set(publication.id, publication);
    this.#unsubscribe = this.#deps.bus.on('layout.changed', ({ homeId }) => this.#homeChanged(homeId));
  }

  stop(): void {
    this.#unsubscribe();
    this.#publications.clear();
  }

  /**
   * Opens the servers: start it when all accessories are known with their last values, and stop it before they go.
   */
  readonly servers: Startable = {
    start: async () => {
      this.#isServing = true;
      for (const kind of this.#kinds()) await kind.start();
      await Promise.all([...this.#publications.values()].map((publication) => this.#open(publication)));
    },
    stop: async () => {
      this.#isServing = false;
      await Promise.all(this.#kinds().map((kind) => kind.stop()));
    },
  };

  /**
   * The publications of a home, or of every home that the caller manages, by name.
   * @throws `home_not_found` · `insufficient_permissions`
   */
  list(caller: Caller, homeId?: string): readonly ShownPublication[] {
    const { access, state } = this.#deps;
    if (homeId === undefined) access.authorizeAny(caller, 'manage');
    const wanted = homeId === undefined ? undefined : access.authorizeHome(caller, 'manage', state.home(homeId)).id;
    requireMaker(caller, 'publication');
    return [...this.#publications.values()]
      .filter((one) => (wanted === undefined ? access.mayIn(caller, 'manage', one.homeId) : one.homeId === wanted))
      .sort(compareNamed)
      .map((one) => this.#show(one));
  }

  /** The name of a publication. Checks no permission. */
  nameOf(id: string): string | undefined {
    return this.#publications.get(id)?.name;
  }

  /** Requires an admin of its home. @throws `not_found` · `insufficient_permissions` */
  get(caller: Caller, id: string): ShownPublication {
    return this.#show(this.#authorized(caller, id));
  }

  /**
   * Creates a publication and opens it. Requires an admin of the home.
   * @throws `home_not_found` · `insufficient_permissions` · `invalid_value` naming the field · `conflict` the name is
   *         taken, or there are too many
   */
  async create(caller: Caller, input: NewPublication): Promise<ShownPublication> {
    const { state, access, store, lockPins, clock } = this.#deps;
    const homeId = managedHome({ state, access }, caller, input.homeId);
    requireMaker(caller, 'publication');
    const { name, kind, selection, lockPin = null } = parseInput(NewPublication, input);
    this.#requireRoom(homeId, name);
    requireKnown(this.#deps, homeId, selection);
    const hash = await lockPins.hash(lockPin, kind);
    // Another one may have come meanwhile, or the home be gone.
    managedHome({ state, access }, caller, homeId);
    this.#requireRoom(homeId, name);
    const publication: Publication = {
      ...{ id: newId(), homeId, name, kind, selection, lockPin: withHash(NO_LOCK_PIN, hash) },
      ...{ paused: false, createdAt: clock.now() },
    };
    store.transaction(() => {
      store.save(publication);
      this.#kindOf(kind).create(publication);
    });
    this.#publications.set(publication.id, publication);
    await this.#open(publication);
    this.#changed(publication);
    return this.#show(publication);
  }

  /** @throws `conflict` the name is taken, or there are too many */
  #requireRoom(homeId: string, name: string): void {
    const others = this.#in(homeId);
    requireFreeName(name, 'publication', others);
    if (others.length >= MAX_PUBLICATIONS_PER_HOME) {
      throw new HearthError(
        'conflict',
        `A home has at most ${MAX_PUBLICATIONS_PER_HOME} publications. Delete one first.`,
        {
          reason: 'limit_reached',
        },
      );
    }
  }

  /**
   * Renames a publication, or changes what it publishes or its PIN for locks. Ids of what stays are the same. Requires
   * an admin of its home.
   * @throws `not_found` · `insufficient_permissions` · `invalid_value` naming the field · `conflict` the name is
   *         taken
   */
  async update(caller: Caller, id: string, input: PublicationChanges): Promise<ShownPublication> {
    const before = this.#authorized(caller, id);
    const { lockPin, ...changes } = parseInput(PublicationChanges, input);
    this.#requirePossible(before, changes);
    if (lockPin === undefined) return this.#update({ ...before, ...changes });
    const hash = await this.#deps.lockPins.hash(lockPin, before.kind);
    // It may be another one by now, or gone.
    const publication = this.#authorized(caller, id);
    this.#requirePossible(publication, changes);
    this.#deps.lockPins.forget(publication.id);
    return this.#update({ ...publication, ...changes, lockPin: withHash(publication.lockPin, hash) });
  }

  #update(changed: Publication): Promise<ShownPublication> {
    return this.#replace(changed, async (kind) => {
      if (this.#isServing && !changed.paused) await kind.update(changed);
    });
  }

  #requirePossible(
    { id, homeId, selection: before }: Publication,
    { name, selection }: Partial<Pick<Publication, 'name' | 'selection'>>,
  ): void {
    if (name !== undefined) requireFreeName(name, 'publication', this.#in(homeId), id);
    if (selection) requireKnown(this.#deps, homeId, selection, before);
  }

  /**
   * Deletes a publication with its identity: controllers that have it can't reach it any more, for good. Requires an
   * admin of its home.
   * @throws `not_found` · `insufficient_permissions`
   */
  async delete(caller: Caller, id: string): Promise<void> {
    const publication = this.#authorized(caller, id);
    this.#deps.store.delete(publication.id);
    this.#publications.delete(publication.id);
    this.#changed(publication);
    await this.#kindOf(publication.kind).close(publication.id);
  }

  /**
   * Closes its servers until it is resumed. Requires an admin of its home. @throws `not_found` ·
   * `insufficient_permissions`
   */
  async pause(caller: Caller, id: string): Promise<ShownPublication> {
    const publication = this.#authorized(caller, id);
    return this.#replace({ ...publication, paused: true }, (kind) => kind.close(publication.id));
  }

  /** Opens it again. Requires an admin of its home. @throws `not_found` · `insufficient_permissions` */
  async resume(caller: Caller, id: string): Promise<ShownPublication> {
    const publication = { ...this.#authorized(caller, id), paused: false };
    return this.#replace(publication, () => this.#open(publication));
  }

  /**
   * Gives it another identity and other codes; all controllers are gone and have to be added again. Requires an admin
   * of its home.
   * @throws `not_found` · `insufficient_permissions`
   */
  async reset(caller: Caller, id: string): Promise<ShownPublication> {
    const publication = this.#authorized(caller, id);
    const kind = this.#kindOf(publication.kind);
    await kind.close(publication.id);
    // It may be gone by now.
    const current = this.#authorized(caller, id);
    try {
      kind.reset(current);
    } finally {
      await this.#open(current);
    }
    this.#changed(current);
    return this.#show(current);
  }

  /**
   * What a publication would look like. Requires an admin of the home.
   * @throws `home_not_found` · `insufficient_permissions` · `invalid_value` naming the field · `not_found` the saved
   *         one
   */
  preview(caller: Caller, input: PreviewRequest): KindPreview {
    const { state, access, clock } = this.#deps;
    const { publicationId, homeId, selection } = input;
    const saved = publicationId === undefined ? undefined : this.#authorized(caller, publicationId);
    const home = saved?.homeId ?? managedHome({ state, access }, caller, homeId);
    requireMaker(caller, 'publication');
    const parsed = parseInput(PreviewRequest, input);
    requireKnown(this.#deps, home, parsed.selection, saved?.selection);
    const unsaved = {
      ...{ id: newId(), homeId: home, name: 'New publication', lockPin: NO_LOCK_PIN },
      ...{ paused: true, createdAt: clock.now() },
    };
    const shown = {
      ...(saved ?? { ...unsaved, kind: parsed.kind }),
      selection: selection === undefined && saved ? saved.selection : parsed.selection,
    };
    return this.#kindOf(shown.kind).preview(shown, saved);
  }

  /**
   * What a saved publication looks like. Requires an admin of its home. @throws `not_found` ·
   * `insufficient_permissions`
   */
  previewSaved(caller: Caller, id: string): KindPreview {
    const publication = this.#authorized(caller, id);
    return this.#kindOf(publication.kind).preview(publication, publication);
  }

  /**
   * Those that are paired with it. Requires an admin of its home. @throws `not_found` · `insufficient_permissions`
   */
  controllers(caller: Caller, id: string): readonly ShownController[] {
    const publication = this.#authorized(caller, id);
    return this.#kindOf(publication.kind).controllersOf(publication);
  }

  /**
   * Removes a controller; with the last admin all of them go, as HAP requires. Requires an admin of its home.
   * @throws `not_found` · `insufficient_permissions`
   */
  removeController(caller: Caller, id: string, identifier: string): void {
    const publication = this.#authorized(caller, id);
    if (!this.#kindOf(publication.kind).removeController(publication, identifier)) throw notFound('not_found');
  }

  /**
   * Lets controllers be added for some minutes, by the codes of the bridge. Requires an admin of its home.
   * @throws `not_found` · `insufficient_permissions` · `invalid_value` naming the field · `conflict` it has no window,
   *         or is not open
   */
  async openWindow(caller: Caller, id: string, input: WindowRequest = {}): Promise<ShownPublication> {
    const publication = this.#authorized(caller, id);
    const { durationSeconds } = parseInput(WindowRequest, input);
    await this.#windowOf(publication).open(publication, durationSeconds);
    return this.#show(publication);
  }

  /** Requires an admin of its home. @throws `not_found` · `insufficient_permissions` · `conflict` as `openWindow` */
  async closeWindow(caller: Caller, id: string): Promise<ShownPublication> {
    const publication = this.#authorized(caller, id);
    await this.#windowOf(publication).close(publication);
    return this.#show(publication);
  }

  #windowOf({ kind }: Publication): NonNullable<PublishingKind['window']> {
    const { window } = this.#kindOf(kind);
    if (window) return window;
    throw new HearthError(
      'conflict',
      'A HomeKit bridge has no window: controllers can be added by its code at any time.',
    );
  }

  #kinds(): readonly PublishingKind[] {
    return Object.values(this.#deps.kinds);
  }

  #kindOf(kind: PublicationKind): PublishingKind {
    return this.#deps.kinds[kind];
  }

  async #replace(publication: Publication, apply: (kind: PublishingKind) => Promise<void>): Promise<ShownPublication> {
    this.#deps.store.save(publication);
    this.#publications.set(publication.id, publication);
    await apply(this.#kindOf(publication.kind));
    this.#changed(publication);
    return this.#show(publication);
  }

  async #open(publication: Publication): Promise<void> {
    if (this.#isServing && !publication.paused) await this.#deps.kinds[publication.kind].open(publication);
  }

  #show({ lockPin, ...publication }: Publication): ShownPublication {
    const kind = this.#kindOf(publication.kind);
    const { status, error } = kind.stateOf(publication.id);
    return {
      ...publication,
      status: publication.paused ? 'paused' : status,
      error: publication.paused ? null : error,
      hasLockPin: lockPin.hash !== null,
      bridges: kind.bridgesOf({ ...publication, lockPin }),
    };
  }

  /** Deleting a home deletes its publications. */
  #homeChanged(homeId: string): void {
    if (this.#deps.state.home(homeId)) return;
    for (const { id, kind } of this.#in(homeId)) {
      this.#publications.delete(id);
      void this.#deps.kinds[kind].close(id);
    }
  }

  #in(homeId: string): readonly Publication[] {
    return [...this.#publications.values()].filter((one) => one.homeId === homeId);
  }

  #changed({ homeId }: Publication): void {
    this.#deps.bus.emit('publications.changed', { homeId });
  }

  #authorized(caller: Caller, id: string): Publication {
    const publication = this.#deps.access.authorizeIn(
      caller,
      'manage',
      this.#publications.get(id.toLowerCase()),
      'not_found',
    );
    requireMaker(caller, 'publication');
    return publication;
  }
}
