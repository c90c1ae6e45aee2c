/**
 * One publication in HomeKit: describes its things, gives them their ids, and opens a server for each bridge.
 * Everything is stored before a controller can see it.
 */
import type { HomeState } from '../../../home/home-state.ts';
import { HearthError, messageOf } from '../../../kernel/errors.ts';
import { MissingThings } from '../missing-things.ts';
import type { Publication } from '../publication.ts';
import type { PublishedState, ShownBridge, ShownController } from '../publication-kind.ts';
import { groupsByMember, type Thing } from '../thing.ts';
import { VanishedThings } from '../vanished-things.ts';
import { StoredControllers } from './bridge-controllers.ts';
import type { BridgeRecord, BridgeStore } from './bridge-store.ts';
import { bridgeName, bridgeTemplate, complete } from './bridge-template.ts';
import { describeThing } from './describe-thing.ts';
import { type BridgeDeps, type BridgeState, HomeKitBridge } from './homekit-bridge.ts';
import { type BridgeLayout, IdTable, type WantedThing } from './id-table.ts';
import { BRIDGE_CATEGORY, setupUri } from './identity.ts';
import { PublishedDatabase } from './published-database.ts';
import { type Described, isTemplate, type ThingTemplate } from './template.ts';

/** A bridge with fifty accessories reports fifty changes; controllers learn of them once. */
const LAYOUT_MS = 500;
/** How long after a failure it is tried again: the disk may have room again. */
const RETRY_MS = 30_000;

export interface HomeKitDeps extends BridgeDeps {
  readonly store: BridgeStore;
  /** What it names in the home now. */
  readonly thingsOf: (publication: Pick<Publication, 'homeId' | 'selection'>) => readonly Thing[];
  readonly onChange: (publication: Publication) => void;
}

export interface DescribedThing {
  readonly thing: Thing;
  readonly described: Described;
}

export class HomeKitPublication {
  readonly #deps: HomeKitDeps;
  #publication: Publication;
  #table: IdTable | undefined;
  /** Things that can't be described for the moment stay as they were. */
  readonly #templates = new Map<string, ThingTemplate>();
  readonly #vanished: VanishedThings;
  readonly #missing: MissingThings;
  readonly #bridges = new Map<string, HomeKitBridge>();
  readonly #controllers = new Map<string, StoredControllers>();
  #state: PublishedState = STARTING;
  #isWanted = false;
  #work: Promise<void> = Promise.resolve();
  #cancelTimer: () => void = () => {};

  constructor(publication: Publication, deps: HomeKitDeps) {
    this.#publication = publication;
    this.#deps = deps;
    this.#vanished = new VanishedThings(deps.clock);
    this.#missing = new MissingThings(deps.clock, this.#vanished);
  }

  get publication(): Publication {
    return this.#publication;
  }

  get state(): PublishedState {
    return this.#state;
  }

  /** Whether it is open or about to be. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  get open(): Iterable<HomeKitBridge> {
    return this.#bridges.values();
  }

  get table(): IdTable {
    this.#table ??= new IdTable(this.#publication.id, this.#deps.store);
    return this.#table;
  }

  /** Opens it, or applies what changed. */
  apply(publication: Publication): Promise<void> {
    this.#publication = publication;
    this.#isWanted = true;
    return this.#enqueue(() => this.#serve());
  }

  close(): Promise<void> {
    this.#isWanted = false;
    this.#cancelTimer();
    return this.#enqueue(async () => {
      const open = [...this.#bridges.values()];
      this.#bridges.clear();
      this.#state = STARTING;
      await Promise.all(open.map((bridge) => this.#stop(bridge)));
    });
  }

  /** The home's layout changed: what is published may have, too. */
  layoutChanged(): void {
    if (this.#isWanted) this.#schedule(LAYOUT_MS);
  }

  shownBridges(): readonly ShownBridge[] {
    return this.table.bridges.flatMap((record) => {
      const bridge = this.#bridges.get(record.id);
      // What stands alone is no bridge of its own until it is there.
      if (!bridge && record.number === null) return [];
      const { category, database } = bridge?.state ?? { category: BRIDGE_CATEGORY, database: undefined };
      return [
        {
          id: record.id,
          name: bridge?.state.name ?? bridgeName(this.#publication.name, record.number),
          port: bridge?.port ?? null,
          deviceId: record.deviceId,
          setupCode: record.setupCode,
          setupUri: setupUri(record, category),
          configNumber: record.configNumber,
          ...{ hasMatterPort: null, windowEndsAt: null },
          ...NO_MATTER,
          accessories: database ? countOf(database, record) : this.table.countOn(record.id),
          controllers: this.controllersOn(record.id).list().length,
        },
      ];
    });
  }

  shownControllers(): readonly ShownController[] {
    return this.table.bridges.flatMap(({ id: bridgeId }) => {
      const connections = new Map(
        this.#bridges
          .get(bridgeId)
          ?.connections()
          .map((one) => [one.identifier, one]),
      );
      return this.controllersOn(bridgeId)
        .list()
        .map(({ publicKey: _, ...controller }) => ({
          ...controller,
          bridgeId,
          name: null,
          isConnected: connections.has(controller.identifier),
          address: connections.get(controller.identifier)?.address ?? null,
        }));
    });
  }

  removeController(identifier: string): boolean {
    const ids = this.table.bridges.map(({ id }) => id);
    const having = ids.filter((id) =>
      this.controllersOn(id)
        .list()
        .some((one) => one.identifier === identifier),
    );
    for (const id of having) {
      const bridge = this.#bridges.get(id);
      if (bridge) bridge.removeController(identifier);
      else this.controllersOn(id).remove(identifier);
    }
    return having.length > 0;
  }

  controllersOn(bridgeId: string): StoredControllers {
    const { store, clock, onChange } = this.#deps;
    const known = this.#controllers.get(bridgeId);
    const changed = (): void => {
      if (controllers.list().length === 0) this.#bridges.get(bridgeId)?.unpaired();
      onChange(this.#publication);
    };
    const controllers: StoredControllers =
      known ?? new StoredControllers({ bridgeId, store, clock, onChange: changed });
    this.#controllers.set(bridgeId, controllers);
    return controllers;
  }

  /** The things of the selection, each as an accessory or with the reason why it can't be one. */
  describe({ selection, homeId }: Publication): readonly DescribedThing[] {
    const { state, thingsOf } = this.#deps;
    return thingsOf({ selection, homeId }).map((thing) => ({ thing, described: this.#described(thing, state) }));
  }

  #described(thing: Thing, state: HomeState): Described {
    const described = describeThing(thing, state);
    if (isTemplate(described)) return complete(described);
    const isThere = thing.kind === 'scene' || (thing.accessory?.services.length ?? 0) > 0;
    return (isThere ? undefined : this.#templates.get(thing.key)) ?? described;
  }

  async #serve(): Promise<void> {
    if (!this.#isWanted) return;
    const before = this.#state;
    try {
      if (this.#isIncomplete()) {
        this.#schedule(LAYOUT_MS);
        return;
      }
      await this.#reconcile(this.#build());
      this.#state = { status: 'open', error: null };
      const vanishesIn = this.#vanished.nextIn();
      if (vanishesIn !== undefined) this.#schedule(vanishesIn);
    } catch (error) {
      const sentence = error instanceof HearthError ? error.message : `It could not be opened: ${messageOf(error)}`;
      this.#deps.logger.error({ publication: this.#publication.name, error: sentence }, 'Could not publish to HomeKit');
      this.#state = { status: 'error', error: sentence };
      this.#schedule(RETRY_MS);
    }
    if (before.status !== this.#state.status) this.#deps.onChange(this.#publication);
  }

  /** Whether it is about to open without an accessory that controllers know, and that may be described any moment. */
  #isIncomplete(): boolean {
    if (this.#bridges.size > 0) return false;
    const things = this.#deps.thingsOf(this.#publication);
    return this.#missing.areAwaited(things, ({ key }) => this.table.bridgeOf(key) !== undefined);
  }

  /**
   * Stores all ids and numbers, then describes the bridges. @throws what the database throws; nothing changed then
   */
  #build(): readonly BridgeState[] {
    const wanted = this.describe(this.#publication).flatMap(({ thing, described }): WantedThing[] =>
      isTemplate(described) && !this.#vanished.isGone(thing) ? [{ key: thing.key, template: described }] : [],
    );
    try {
      return this.#deps.store.transaction(() => {
        const layouts = this.table.assign(wanted, (record) => bridgeTemplate(record, this.#publication.name));
        for (const { key, template } of wanted) this.#templates.set(key, template);
        return layouts.filter(({ things }) => things.length > 0).map((layout) => this.#stateOf(layout));
      });
    } catch (error) {
      this.#table = undefined;
      throw error;
    }
  }

  #stateOf(layout: BridgeLayout): BridgeState {
    const { bridge, things } = layout;
    const database = new PublishedDatabase(layout);
    const alone = bridge.number === null ? things[0]?.template : undefined;
    const record = database.hash === bridge.databaseHash ? bridge : this.table.saveDatabase(bridge, database.hash);
    return {
      record,
      name: alone?.name ?? bridgeName(this.#publication.name, bridge.number),
      category: alone?.category ?? BRIDGE_CATEGORY,
      database,
      groupsOf: groupsByMember(this.#deps.state, this.#publication),
    };
  }

  /** Opens, updates and closes servers. @throws the first error, after all were tried */
  async #reconcile(states: readonly BridgeState[]): Promise<void> {
    const wanted = new Map(states.map((state) => [state.record.id, state]));
    const gone = [...this.#bridges].filter(([id, bridge]) => !isSameServer(wanted.get(id), bridge.state));
    for (const [id] of gone) this.#bridges.delete(id);
    await Promise.all(gone.map(([, bridge]) => this.#stop(bridge)));
    const started = states.map(async (state) => {
      const known = this.#bridges.get(state.record.id);
      if (known) known.update(state);
      else await this.#start(state);
    });
    const failed = (await Promise.allSettled(started)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  async #start(state: BridgeState): Promise<void> {
    const { id, port: preferred } = state.record;
    const bridge = new HomeKitBridge(state, this.#publication, this.controllersOn(id), this.#deps);
    try {
      await bridge.start();
    } catch (error) {
      await this.#stop(bridge);
      throw error;
    }
    this.#bridges.set(id, bridge);
    if (bridge.port !== undefined && bridge.port !== preferred) this.#savePort(id, bridge.port);
  }

  /** A full disk: the next start takes another port, which controllers learn over mDNS. */
  #savePort(bridgeId: string, port: number): void {
    try {
      this.table.savePort(bridgeId, port);
    } catch (error) {
      this.#deps.logger.warn({ port, error: messageOf(error) }, 'Could not save the port of a HomeKit bridge');
    }
  }

  async #stop(bridge: HomeKitBridge): Promise<void> {
    try {
      await bridge.stop();
    } catch (error) {
      this.#deps.logger.error({ error: messageOf(error) }, 'A HomeKit bridge did not stop cleanly');
    }
  }

  #schedule(delayMs: number): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#deps.clock.after(delayMs, () => void this.#enqueue(() => this.#serve()));
  }

  #enqueue(step: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(step);
    return this.#work;
  }
}

const STARTING: PublishedState = { status: 'starting', error: null };
const NO_MATTER = { passcode: null, discriminator: null, manualCode: null, qrCode: null };

function countOf({ accessories }: PublishedDatabase, { number }: BridgeRecord): number {
  return number === null ? accessories.length : accessories.length - 1;
}

/** Whether a server can go on: the name that it advertises is fixed when it opens. */
function isSameServer(wanted: BridgeState | undefined, current: BridgeState): boolean {
  return wanted !== undefined && wanted.name === current.name && wanted.category === current.category;
}
