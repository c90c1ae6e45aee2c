/** Publications over Matter: a bridge each, in a process of its own. */
import type { PublicationPreviewItem } from '../../../contract/publications.ts';
import type { HomeEvents } from '../../../home/events.ts';
import type { EventBus } from '../../../kernel/event-bus.ts';
import type { Publication } from '../publication.ts';
import type { KindPreview, PublishedState, PublishingKind, ShownBridge, ShownController } from '../publication-kind.ts';
import { type MatterDeps, MatterPublication } from './matter-publication.ts';

interface MatterKindDeps extends MatterDeps {
  readonly bus: EventBus<HomeEvents>;
}

/** More than that, and Alexa finds some of them only. */
const MAX_FOR_ALEXA = 60;
const UNCERTIFIED = 'It speaks Matter (uncertified): controllers ask before they add it.';

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

  preview(publication: Publication): KindPreview {
    const described = this.#of(publication).describe(publication);
    const items = described.map(({ thing: { id, kind, name, room }, described: one }): PublicationPreviewItem => {
      const base = { id, kind, name, room };
      if (!('parts' in one)) return { ...base, publishedAs: null, bridge: null, reason: one.reason, note: null };
      const note = one.parts.length > 1 ? `Controllers show it as ${one.parts.length} devices.` : null;
      return { ...base, publishedAs: one.publishedAs, bridge: publication.name, reason: null, note };
    });
    const accessories = described.reduce((sum, { described: one }) => sum + ('parts' in one ? one.parts.length : 0), 0);
    return { items, bridges: [{ name: publication.name, accessories }], warnings: warningsOf(accessories) };
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

function warningsOf(endpoints: number): readonly string[] {
  const warnings = [UNCERTIFIED];
  if (endpoints === 0) warnings.push('Nothing of this can be published. Apple Home adds no empty bridge.');
  if (endpoints > MAX_FOR_ALEXA) {
    warnings.push(`Alexa finds at most ${MAX_FOR_ALEXA} devices of a bridge, and this one would have ${endpoints}.`);
  }
  return warnings;
}
