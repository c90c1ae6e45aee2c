/**
 * The ids of one publication: bridges, the aid of each thing and the iid of each of its services and characteristics.
 * Ids are only added. A thing stays on its bridge, also when it is away for years: controllers keep rooms and
 * automations by these ids.
 */
import type { HapId } from '../../../home/model.ts';
import { type BridgeRecord, type BridgeStore, MAX_CONFIG_NUMBER } from './bridge-store.ts';
import { newBridge } from './identity.ts';
import type { ThingTemplate } from './template.ts';

/** HAP specification §2.5.3.2: a bridge has at most 150 accessories, itself included. */
export const MAX_THINGS = 149;
/** HAP specification §2.6.1: the bridge itself, or the accessory that stands alone. */
const FIRST_AID = 1;

export interface WantedThing {
  readonly key: string;
  readonly template: ThingTemplate;
}

export interface PlacedThing extends WantedThing {
  readonly aid: number;
  /** The iid of a service or a characteristic, by its key. */
  readonly iids: ReadonlyMap<string, HapId>;
}

export interface BridgeLayout {
  readonly bridge: BridgeRecord;
  /** By aid. */
  readonly things: readonly PlacedThing[];
}

interface BridgeIds {
  record: BridgeRecord;
  readonly aids: Map<string, number>;
  readonly iids: Map<number, Map<string, HapId>>;
}

export class IdTable {
  readonly #publicationId: string;
  readonly #store: BridgeStore;
  /** By number, then those that stand alone. */
  readonly #bridges: BridgeIds[];

  /** Loads the stored ids. */
  constructor(publicationId: string, store: BridgeStore) {
    this.#publicationId = publicationId;
    this.#store = store;
    this.#bridges = store.bridgesOf(publicationId).map((record) => {
      const iids = new Map<number, Map<string, HapId>>();
      for (const { aid, part, iid } of store.iidsOf(record.id)) ofAid(iids, aid).set(part, String(iid));
      return { record, aids: new Map(store.aidsOf(record.id)), iids };
    });
  }

  get bridges(): readonly BridgeRecord[] {
    return this.#bridges.map(({ record }) => record);
  }

  /** The bridge that a thing is on. */
  bridgeOf(key: string): BridgeRecord | undefined {
    return this.#bridges.find(({ aids }) => aids.has(key))?.record;
  }

  /** How many things have an aid on a bridge. */
  countOn(bridgeId: string): number {
    return this.#bridges.find(({ record }) => record.id === bridgeId)?.aids.size ?? 0;
  }

  /**
   * The numbers of the bridges that things would get, without giving them ids. `null`: the thing stands alone.
   * @returns by key
   */
  plan(wanted: readonly WantedThing[]): ReadonlyMap<string, number | null> {
    const counts = new Map(this.#bridges.flatMap(({ record, aids }) => [[record.number, aids.size] as const]));
    return new Map(
      wanted.map(({ key, template }) => {
        const known = this.bridgeOf(key);
        if (known) return [key, known.number];
        if (template.standsAlone) return [key, null];
        const number = firstWithRoom((one) => counts.get(one) ?? 0);
        counts.set(number, (counts.get(number) ?? 0) + 1);
        return [key, number];
      }),
    );
  }

  /**
   * Gives everything that is new its ids and stores them. Call in a transaction; if it throws, load a new table.
   * @param bridgeTemplate what every bridge has as its own accessory
   */
  assign(
    wanted: readonly WantedThing[],
    bridgeTemplate: (bridge: BridgeRecord) => ThingTemplate,
  ): readonly BridgeLayout[] {
    this.#numbered(1);
    const placed = new Map<BridgeIds, WantedThing[]>(this.#bridges.map((bridge) => [bridge, []]));
    for (const thing of wanted) {
      const bridge = this.#place(thing);
      const things = placed.get(bridge) ?? [];
      placed.set(bridge, [...things, thing]);
    }
    return [...placed].map(([bridge, things]) => {
      const { record, aids } = bridge;
      const own: WantedThing[] = record.number === null ? [] : [{ key: OWN_KEY, template: bridgeTemplate(record) }];
      const all = [...own, ...things].map((thing) => {
        const aid = aids.get(thing.key) ?? FIRST_AID;
        return { ...thing, aid, iids: this.#number(bridge, aid, thing.template) };
      });
      return { bridge: record, things: all.sort((a, b) => a.aid - b.aid) };
    });
  }

  /** Notes the hash of a bridge's new database, and counts it unless it is the first one. */
  saveDatabase({ id, configNumber: last, databaseHash: before }: BridgeRecord, databaseHash: string): BridgeRecord {
    const configNumber = before === null ? last : (last % MAX_CONFIG_NUMBER) + 1;
    this.#store.saveDatabase(id, configNumber, databaseHash);
    return this.#change(id, { configNumber, databaseHash });
  }

  savePort(bridgeId: string, port: number): void {
    this.#store.savePort(bridgeId, port);
    this.#change(bridgeId, { port });
  }

  /**
   * Gives every bridge another identity and forgets all ids. Ports stay. Call in a transaction, then load a new
   * table.
   */
  reset(): void {
    this.#store.deleteBridges(this.#publicationId);
    for (const { number, thing, port } of this.bridges) {
      if (number === 1) this.#store.addBridge(newBridge({ publicationId: this.#publicationId, number, thing }, port));
    }
  }

  #change(bridgeId: string, changes: Partial<BridgeRecord>): BridgeRecord {
    const bridge = this.#bridges.find(({ record }) => record.id === bridgeId);
    if (!bridge) throw new Error(`There is no bridge ${bridgeId}`);
    bridge.record = { ...bridge.record, ...changes };
    return bridge.record;
  }

  #place({ key, template }: WantedThing): BridgeIds {
    const known = this.#bridges.find(({ aids }) => aids.has(key));
    if (known) return known;
    const bridge = template.standsAlone ? this.#add({ number: null, thing: key }) : this.#withRoom();
    // The bridge itself has no row, and is the first.
    const aid = template.standsAlone ? FIRST_AID : Math.max(FIRST_AID, ...bridge.aids.values()) + 1;
    this.#store.addThing(bridge.record.id, key, aid);
    bridge.aids.set(key, aid);
    return bridge;
  }

  #withRoom(): BridgeIds {
    return this.#numbered(firstWithRoom((number) => this.#find(number)?.aids.size ?? 0));
  }

  #numbered(number: number): BridgeIds {
    return this.#find(number) ?? this.#add({ number, thing: null });
  }

  #find(number: number): BridgeIds | undefined {
    return this.#bridges.find(({ record }) => record.number === number);
  }

  #add(place: Pick<BridgeRecord, 'number' | 'thing'>): BridgeIds {
    const record = newBridge({ publicationId: this.#publicationId, ...place });
    this.#store.addBridge(record);
    const bridge: BridgeIds = { record, aids: new Map(), iids: new Map() };
    this.#bridges.push(bridge);
    return bridge;
  }

  #number({ record, iids }: BridgeIds, aid: number, { services }: ThingTemplate): ReadonlyMap<string, HapId> {
    const known = ofAid(iids, aid);
    const last = [...known.values()].reduce((highest, iid) => Math.max(highest, Number(iid)), 0);
    const keys = services.flatMap(({ key, characteristics }) => [
      `service ${key}`,
      ...characteristics.map((characteristic) => characteristic.key),
    ]);
    const added = keys.filter((key) => !known.has(key)).map((key, index) => [key, last + index + 1] as const);
    this.#store.addIids(record.id, aid, added);
    for (const [key, iid] of added) known.set(key, String(iid));
    return known;
  }
}

/** The key under which the bridge itself is placed. It has no row: it is always aid 1. */
const OWN_KEY = 'bridge';

function firstWithRoom(countOf: (number: number) => number): number {
  let number = 1;
  while (countOf(number) >= MAX_THINGS) number += 1;
  return number;
}

function ofAid(iids: Map<number, Map<string, HapId>>, aid: number): Map<string, HapId> {
  const known = iids.get(aid) ?? new Map<string, HapId>();
  iids.set(aid, known);
  return known;
}
