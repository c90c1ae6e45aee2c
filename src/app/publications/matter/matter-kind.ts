/** Publications over Matter: a bridge each, in a process of its own. */
import type { HomeEvents } from '../../../home/events.ts';
import type { EventBus } from '../../../kernel/event-bus.ts';
import type { Publication } from '../publication.ts';
import type { KindPreview, PublishedState, PublishingKind, ShownBridge, ShownController } from '../publication-kind.ts';
import { type MatterDeps, MatterPublication } from './matter-publication.ts';
import { previewMatter } from './preview.ts';

interface MatterKindDeps extends MatterDeps {
  readonly bus: EventBus<HomeEvents>;
}

export class MatterKind implements PublishingKind {
  readonly #deps: MatterKindDeps;
  readonly #publications = new Map<string, MatterPublication>();
  #subscriptions: readonly (() => void)[] = [];

  constructor(deps: MatterKindDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { bus } = this.#deps;
    this.#subscriptions = [
      bus.on('state.changed', (event) => {
        for (const publication of this.#in(event.homeId)) publication.valueChanged(event);
      }),
      bus.on('button.pressed', (event) => {
        for (const publication of this.#in(event.homeId)) publication.pressed(event);
      }),
      bus.on('accessory.reachability_changed', ({ homeId }) => {
        for (const publication of this.#in(homeId)) publication.reachabilityChanged();
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
    return previewMatter({
      name: publication.name,
      described: known.describe(publication),
      seen: saved && hasControllers ? known.describe(saved) : [],
      endpoints: hasControllers ? known.storedEndpoints() : undefined,
    });
  }

  create({ id }: Publication): void {
    this.#deps.store.create(id);
  }

  open(publication: Publication): Promise<void> {
    const known = this.#of(publication);
    this.#publications.set(publication.id, known);
    return known.apply(publication);
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
    this.#deps.store.transaction(() => this.#deps.store.create(id));
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

  readonly window = {
    open: (publication: Publication, durationS: number) => this.#of(publication).openWindow(durationS),
    close: (publication: Publication) => this.#of(publication).closeWindow(),
  };

  /** One that is not open is only looked at. */
  #of(publication: Publication): MatterPublication {
    return this.#publications.get(publication.id) ?? new MatterPublication(publication, this.#deps);
  }

  *#in(homeId: string): Iterable<MatterPublication> {
    for (const one of this.#publications.values()) if (one.publication.homeId === homeId) yield one;
  }
}
