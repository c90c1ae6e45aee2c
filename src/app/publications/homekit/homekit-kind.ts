/** Publications in HomeKit: a bridge for each 149 accessories, and one for each thing that must stand alone. */
import type { HomeEvents } from '../../../home/events.ts';
import type { EventBus } from '../../../kernel/event-bus.ts';
import type { Publication } from '../publication.ts';
import type { KindPreview, PublishedState, PublishingKind, ShownBridge, ShownController } from '../publication-kind.ts';
import { type HomeKitDeps, HomeKitPublication } from './homekit-publication.ts';
import { IdTable } from './id-table.ts';
import { newBridge } from './identity.ts';
import { INFORMATION_TYPES } from './information.ts';
import { previewHomeKit } from './preview.ts';

interface HomeKitKindDeps extends HomeKitDeps {
  readonly bus: EventBus<HomeEvents>;
}

export class HomeKitKind implements PublishingKind {
  readonly #deps: HomeKitKindDeps;
  readonly #publications = new Map<string, HomeKitPublication>();
  #subscriptions: readonly (() => void)[] = [];

  constructor(deps: HomeKitKindDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { bus } = this.#deps;
    this.#subscriptions = [
      bus.on('state.changed', (event) => {
        for (const publication of this.#in(event.homeId)) {
          for (const bridge of publication.open) bridge.valueChanged(event);
          // Fixed for controllers: a new firmware is a new database.
          if (INFORMATION_TYPES.has(event.type)) publication.layoutChanged();
        }
      }),
      bus.on('button.pressed', (event) => {
        for (const { open } of this.#in(event.homeId)) for (const bridge of open) bridge.pressed(event);
      }),
      bus.on('layout.changed', ({ homeId }) => {
        for (const publication of this.#in(homeId)) publication.layoutChanged();
      }),
    ];
  }

  async stop(): Promise<void> {
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    await Promise.all([...this.#publications.values()].map((publication) => publication.close()));
    this.#publications.clear();
  }

  preview(publication: Publication, saved: Publication | undefined): KindPreview {
    const known = this.#of(publication);
    const hasControllers = known.shownControllers().length > 0;
    return previewHomeKit({
      name: publication.name,
      described: known.describe(publication),
      seen: saved && hasControllers ? known.describe(saved) : [],
      table: known.table,
      hasControllers,
    });
  }

  create({ id: publicationId }: Publication): void {
    this.#deps.store.addBridge(newBridge({ publicationId, number: 1, thing: null }));
  }

  open(publication: Publication): Promise<void> {
    return this.#of(publication, true).apply(publication);
  }

  update(publication: Publication): Promise<void> {
    return this.open(publication);
  }

  async close(publicationId: string): Promise<void> {
    const publication = this.#publications.get(publicationId);
    await publication?.close();
    // It may have been opened again meanwhile, or be another one after a reset.
    const isClosed = publication?.isWanted === false && this.#publications.get(publicationId) === publication;
    if (isClosed) this.#publications.delete(publicationId);
  }

  reset({ id }: Publication): void {
    // An update may have opened it again meanwhile.
    void this.#publications.get(id)?.close();
    this.#publications.delete(id);
    this.#deps.store.transaction(() => new IdTable(id, this.#deps.store).reset());
  }

  stateOf(publicationId: string): PublishedState {
    return this.#publications.get(publicationId)?.state ?? { status: 'starting', error: null };
  }

  bridgesOf(publication: Publication): readonly ShownBridge[] {
    return this.#of(publication).shownBridges();
  }

  controllersOf(publication: Publication): readonly ShownController[] {
    return this.#of(publication).shownControllers();
  }

  removeController(publication: Publication, identifier: string): boolean {
    return this.#of(publication).removeController(identifier);
  }

  /** One that is not open is only looked at. */
  #of(publication: Publication, isKept = false): HomeKitPublication {
    const known = this.#publications.get(publication.id) ?? new HomeKitPublication(publication, this.#deps);
    if (isKept) this.#publications.set(publication.id, known);
    return known;
  }

  *#in(homeId: string): Iterable<HomeKitPublication> {
    for (const one of this.#publications.values()) if (one.publication.homeId === homeId) yield one;
  }
}
