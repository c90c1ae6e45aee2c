/**
 * One publication over Matter: describes its things, gives them their endpoint numbers and keeps its bridge up to date.
 * Everything is stored before a controller can see it.
 */
import type { HomeEvents } from '../../../home/events.ts';
import {
  MATTER_PORT,
  type MatterBridge,
  type MatterClusters,
  type MatterPress,
  type OpenMatterBridge,
} from '../../../home/matter-port.ts';
import { waitAtMost } from '../../../kernel/clock.ts';
import { HearthError, messageOf } from '../../../kernel/errors.ts';
import { MissingThings } from '../missing-things.ts';
import type { Publication } from '../publication.ts';
import type { PublishedState, ShownBridge, ShownController } from '../publication-kind.ts';
import type { Thing } from '../thing.ts';
import { VanishedThings } from '../vanished-things.ts';
import { changedClusters } from './changed-clusters.ts';
import { describeForMatter, type MatterDescription, type MatterPart } from './describe-thing.ts';
import { HomeMatterContent, type MatterContentDeps, type PublishedPart } from './matter-content.ts';
import type { EndpointRecord, MatterBridgeRecord, MatterStore } from './matter-store.ts';
import { changedFabrics, showFabrics } from './stored-fabrics.ts';

/** A bridge of the home reports fifty changes; controllers learn of them once. */
const LAYOUT_MS = 500;
/** How long after a failure it is tried again: the disk may have room again. */
const RETRY_MS = 30_000;
/** Longer than a first start takes on a small computer. */
const MAX_OPENING_MS = 60_000;
/** How long the switch of a scene stays on. */
const SCENE_ON_MS = 1_000;
const PRESSES: readonly MatterPress[] = ['single', 'double', 'long'];
const STARTING: PublishedState = { status: 'starting', error: null };

export interface MatterDeps extends MatterContentDeps {
  readonly store: MatterStore;
  readonly openMatterBridge: OpenMatterBridge;
  readonly thingsOf: (publication: Pick<Publication, 'homeId' | 'selection'>) => readonly Thing[];
  readonly onChange: (publication: Publication) => void;
}

export interface DescribedForMatter {
  readonly thing: Thing;
  readonly described: MatterDescription;
}

export class MatterPublication {
  readonly #deps: MatterDeps;
  readonly #content: HomeMatterContent;
  readonly #vanished: VanishedThings;
  readonly #missing: MissingThings;
  #publication: Publication;
  #parts = new Map<string, PublishedPart>();
  /** What controllers have. */
  readonly #sent = new Map<string, MatterClusters>();
  #bridge: MatterBridge | undefined;
  #error: string | null = null;
  #isWanted = false;
  /** Those that wait until it is open, or failed. */
  readonly #waiting = new Set<() => void>();
  #checksReachability = false;
  #work: Promise<void> = Promise.resolve();
  #cancelTimer = (): void => {};

  constructor(publication: Publication, deps: MatterDeps) {
    this.#publication = publication;
    this.#deps = deps;
    this.#vanished = new VanishedThings(deps.clock);
    this.#missing = new MissingThings(deps.clock, this.#vanished);
    this.#content = new HomeMatterContent({
      ...deps,
      publication: () => this.#publication,
      parts: () => this.#parts,
      settled: (key) => this.#settled(key),
    });
  }

  get publication(): Publication {
    return this.#publication;
  }

  /** Whether it is open or about to be. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  get state(): PublishedState {
    const status = this.#bridge?.status;
    const error = this.#error ?? (status?.state === 'starting' ? status.error : null);
    if (error !== null) return { status: 'error', error };
    return status?.state === 'open' ? { status: 'open', error: null } : STARTING;
  }

  /** Opens it, or applies what changed. A first start is waited for: it makes the codes. */
  async apply(publication: Publication): Promise<void> {
    const isRenamed = publication.name !== this.#publication.name;
    this.#publication = publication;
    this.#isWanted = true;
    await this.#enqueue(async () => {
      if (isRenamed) await this.#closeBridge();
      this.#serve();
    });
    if (!this.#isWanted || this.state.status !== 'starting' || this.#record()?.qrCode !== null) return;
    const opened = new Promise<void>((resolve) => this.#waiting.add(resolve));
    await waitAtMost(this.#deps.clock, MAX_OPENING_MS, opened);
  }

  close(): Promise<void> {
    this.#isWanted = false;
    this.#cancelTimer();
    return this.#enqueue(() => this.#closeBridge());
  }

  layoutChanged(): void {
    if (this.#isWanted) this.#schedule(LAYOUT_MS);
  }

  /** A bridge that went away takes its accessories along: one look at the end of the turn is for all of them. */
  reachabilityChanged(): void {
    if (this.#checksReachability) return;
    this.#checksReachability = true;
    queueMicrotask(() => {
      this.#checksReachability = false;
      this.#bridge?.endpointsChanged();
    });
  }

  valueChanged({ accessoryId }: HomeEvents['state.changed']): void {
    for (const [key, part] of this.#parts) if (this.#concerns(part, accessoryId)) this.#report(key, part);
  }

  pressed({ accessoryId, serviceIid, value }: HomeEvents['button.pressed']): void {
    const press = PRESSES[value];
    for (const [key, { source }] of this.#parts) {
      const isIt = source.kind === 'service' && source.accessoryId === accessoryId && source.serviceIid === serviceIid;
      if (isIt && press) this.#bridge?.pressed(key, press);
    }
  }

  describe({ selection, homeId }: Publication): readonly DescribedForMatter[] {
    const { state, thingsOf } = this.#deps;
    return thingsOf({ selection, homeId }).map((thing) => ({ thing, described: describeForMatter(thing, state) }));
  }

  /** Everything that ever had a number. */
  storedEndpoints(): readonly EndpointRecord[] {
    const record = this.#record();
    return record ? this.#deps.store.endpoints(record.id) : [];
  }

  shownBridges(): readonly ShownBridge[] {
    const record = this.#record();
    if (!record) return [];
    const status = this.#bridge?.status;
    const open = status?.state === 'open' ? status : undefined;
    const { id, passcode, discriminator, manualCode, qrCode, fabrics } = record;
    return [
      {
        ...{ id, name: this.#publication.name, passcode, discriminator, manualCode, qrCode },
        ...{ deviceId: null, setupCode: null, setupUri: null, configNumber: null },
        port: open?.port ?? null,
        hasMatterPort: open ? open.port === MATTER_PORT : null,
        windowEndsAt: open ? endOf(open.windowEndsAt) : null,
        accessories: this.#isWanted ? this.#parts.size : this.#deps.store.endpoints(id).length,
        controllers: fabrics.length,
      },
    ];
  }

  shownControllers(): readonly ShownController[] {
    const record = this.#record();
    return record ? showFabrics(record.fabrics, record.id, this.#bridge?.status) : [];
  }

  /** @throws `conflict` when the bridge is not open: the controllers have to be logged out */
  removeController(identifier: string): boolean {
    if (this.#record()?.fabrics.every(({ index }) => String(index) !== identifier) !== false) return false;
    const bridge = this.#openBridge();
    void bridge.removeFabric(Number(identifier)).catch((error: unknown) => {
      this.#deps.logger.warn({ error: messageOf(error) }, 'Could not remove a fabric from a Matter bridge');
    });
    return true;
  }

  /** @throws `conflict` when the bridge is not open */
  async openWindow(durationS: number): Promise<void> {
    await this.#openBridge().openWindow(durationS);
  }

  /** @throws `conflict` when the bridge is not open */
  async closeWindow(): Promise<void> {
    await this.#openBridge().closeWindow();
  }

  #openBridge(): MatterBridge {
    if (this.#bridge?.status.state === 'open') return this.#bridge;
    throw new HearthError(
      'conflict',
      'The Matter bridge is not open. Resume the publication, or wait until it has started.',
    );
  }

  #serve(): void {
    if (!this.#isWanted) return;
    const before = this.state.status;
    try {
      if (this.#isIncomplete()) {
        this.#schedule(LAYOUT_MS);
        return;
      }
      const record = this.#assign();
      this.#error = null;
      if (this.#bridge) this.#bridge.endpointsChanged();
      else this.#start(record);
      for (const [key, part] of this.#parts) this.#report(key, part);
      const vanishesIn = this.#vanished.nextIn();
      if (vanishesIn !== undefined) this.#schedule(vanishesIn);
    } catch (error) {
      this.#error = error instanceof HearthError ? error.message : `It could not be opened: ${messageOf(error)}`;
      this.#deps.logger.error(
        { publication: this.#publication.name, error: this.#error },
        'Could not publish over Matter',
      );
      this.#schedule(RETRY_MS);
      this.#release();
    }
    if (before !== this.state.status) this.#deps.onChange(this.#publication);
  }

  /** Whether it is about to open without an accessory that controllers know, and that may be described any moment. */
  #isIncomplete(): boolean {
    const { store, thingsOf } = this.#deps;
    const record = this.#bridge ? undefined : this.#record();
    if (!record) return false;
    const known = new Set(store.endpoints(record.id).map(({ thing }) => thing));
    return this.#missing.areAwaited(thingsOf(this.#publication), ({ key }) => known.has(key));
  }

  /** Stores the numbers of new endpoints. @throws what the database throws; nothing changed then */
  #assign(): MatterBridgeRecord {
    const { store } = this.#deps;
    const record = this.#record();
    if (!record) throw new HearthError('not_found', 'The publication has no Matter bridge.');
    const wanted = this.describe(this.#publication).flatMap(({ thing, described }) =>
      'parts' in described && !this.#vanished.isGone(thing)
        ? described.parts.map((part) => ({ thing: thing.key, part }))
        : [],
    );
    this.#parts = store.transaction(() => {
      const known = new Map(store.endpoints(record.id).map((one) => [`${one.thing} ${one.part}`, one]));
      return new Map(
        wanted.map(({ thing, part }): [string, PublishedPart] => {
          const endpoint = known.get(`${thing} ${part.part}`) ?? store.addEndpoint(record.id, thing, part.part);
          return [keyOf(endpoint), { ...part, record: endpoint }];
        }),
      );
    });
    for (const key of [...this.#sent.keys()]) if (!this.#parts.has(key)) this.#sent.delete(key);
    return record;
  }

  #start(record: MatterBridgeRecord): void {
    const { store, openMatterBridge } = this.#deps;
    const { id, uniqueId, passcode, discriminator, port } = record;
    const { name } = this.#publication;
    this.#bridge = openMatterBridge({
      identity: { uniqueId, serialNumber: uniqueId, name, passcode, discriminator },
      storage: store.storageOf(id),
      content: this.#content,
      preferredPort: port ?? undefined,
      yieldsMatterPort: store.isPortOfAnother(id, MATTER_PORT),
      onStatus: () => this.#statusChanged(),
    });
    void this.#bridge.start();
  }

  async #closeBridge(): Promise<void> {
    const bridge = this.#bridge;
    this.#bridge = undefined;
    this.#sent.clear();
    this.#error = null;
    try {
      await bridge?.stop();
    } catch (error) {
      this.#deps.logger.error({ error: messageOf(error) }, 'A Matter bridge did not stop cleanly');
    }
    this.#release();
  }

  #statusChanged(): void {
    const status = this.#bridge?.status;
    try {
      if (status?.state === 'open') {
        const record = this.#record();
        const { port, manualCode, qrCode } = status;
        if (record && (record.port !== port || record.qrCode !== qrCode)) {
          this.#deps.store.saveOpened(record.id, { port, manualCode, qrCode });
        }
        const fabrics = record && changedFabrics(record.fabrics, status.fabrics, this.#deps.clock.now());
        if (fabrics) this.#deps.store.saveFabrics(record.id, fabrics);
      }
    } catch (error) {
      this.#deps.logger.warn({ error: messageOf(error) }, 'Could not save the state of a Matter bridge');
    }
    if (this.state.status !== 'starting') this.#release();
    this.#deps.onChange(this.#publication);
  }

  /** What controllers have may not be what is: they wrote something that the device took otherwise, or not at all. */
  #settled(key: string): void {
    const part = this.#parts.get(key);
    if (!part) return;
    if (part.source.kind !== 'scene') {
      this.#sent.delete(key);
      this.#report(key, part);
      return;
    }
    this.#deps.clock.after(SCENE_ON_MS, () => {
      this.#sent.delete(key);
      this.#report(key, part);
    });
  }

  #report(key: string, part: MatterPart): void {
    const clusters = this.#content.clustersOf(part);
    if (!clusters || !this.#bridge) return;
    const changed = changedClusters(this.#sent.get(key), clusters);
    this.#sent.set(key, clusters);
    if (changed) this.#bridge.valuesChanged(key, changed);
  }

  #concerns({ source }: MatterPart, accessoryId: string): boolean {
    if (source.kind === 'service') return source.accessoryId === accessoryId;
    if (source.kind === 'scene') return false;
    return (
      this.#deps.state.serviceGroups.find(source.groupId)?.members.some((one) => one.accessoryId === accessoryId) ===
      true
    );
  }

  #record(): MatterBridgeRecord | undefined {
    return this.#deps.store.bridgeOf(this.#publication.id);
  }

  #release(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  #schedule(delayMs: number): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#deps.clock.after(delayMs, () => void this.#enqueue(() => this.#serve()));
  }

  /** One after the other: two processes of one bridge would overwrite each other's storage. */
  #enqueue(step: () => void | Promise<void>): Promise<void> {
    const done = this.#work.then(step);
    // A step that fails does not hold up those after it.
    this.#work = done.catch(() => {});
    return done;
  }
}

/** Without a fabric, the window has no end. */
function endOf(windowEndsAt: number | null): number | null {
  return windowEndsAt === Number.POSITIVE_INFINITY ? null : windowEndsAt;
}

/** Of an endpoint, for good. */
function keyOf({ number }: { readonly number: number }): string {
  return `e${number}`;
}
