/** One bridge's accessories with their ids, as controllers read them, and what is behind each id. */

import type { HapId } from '../../../home/model.ts';
import type { PublishedAccessory, PublishedCharacteristic, PublishedService } from '../../../home/publication-port.ts';
import { sha256Hex } from '../../../kernel/secrets.ts';
import type { BridgeLayout, PlacedThing } from './id-table.ts';
import type { ServiceTemplate, ValueSource } from './template.ts';

export interface PublishedPoint {
  readonly aid: HapId;
  readonly iid: HapId;
  readonly characteristic: PublishedCharacteristic;
  readonly source: ValueSource;
  /** Of its accessory: the iid of each characteristic, by its key. */
  readonly iids: ReadonlyMap<string, HapId>;
}

export class PublishedDatabase {
  readonly accessories: readonly PublishedAccessory[];
  /** Differs from that of every other database that controllers would read differently. */
  readonly hash: string;
  readonly #points = new Map<HapId, Map<HapId, PublishedPoint>>();
  /** By what the value comes from: an accessory, a group or a scene. */
  readonly #bySubject = new Map<string, PublishedPoint[]>();

  constructor({ things }: BridgeLayout) {
    this.accessories = things.map((thing) => this.#accessory(thing));
    this.hash = hashOf(this.accessories, [...this.#all()]);
  }

  point(aid: HapId, iid: HapId): PublishedPoint | undefined {
    return this.#points.get(aid)?.get(iid);
  }

  /** The points of an accessory, a group or a scene, by its id. */
  pointsOf(subjectId: string): readonly PublishedPoint[] {
    return this.#bySubject.get(subjectId) ?? [];
  }

  /** The Identify characteristic of an accessory. */
  identifyPoint(aid: HapId): PublishedPoint | undefined {
    for (const point of this.#points.get(aid)?.values() ?? []) if (point.source.kind === 'identify') return point;
    return undefined;
  }

  /** The set-up of a camera's stream. @param aid `undefined`: of any accessory */
  streamPoint(aid: HapId | undefined): PublishedPoint | undefined {
    for (const points of this.#points.values()) {
      for (const point of points.values()) {
        if (point.source.kind === 'stream' && (aid === undefined || aid === point.aid)) return point;
      }
    }
    return undefined;
  }

  *#all(): Iterable<PublishedPoint> {
    for (const points of this.#points.values()) yield* points.values();
  }

  #accessory(thing: PlacedThing): PublishedAccessory {
    const aid = String(thing.aid);
    this.#points.set(aid, new Map());
    return { aid, services: thing.template.services.map((service) => this.#service(aid, thing, service)) };
  }

  #service(aid: HapId, { iids }: PlacedThing, service: ServiceTemplate): PublishedService {
    const { key, type, primary, hidden, linked } = service;
    const serviceIid = (one: string): HapId => iids.get(`service ${one}`) ?? '';
    const characteristics = service.characteristics.map(({ key, shape, source }) => {
      const characteristic: PublishedCharacteristic = { iid: iids.get(key) ?? '', ...shape };
      this.#add({ aid, iid: characteristic.iid, characteristic, source, iids });
      return characteristic;
    });
    return { iid: serviceIid(key), type, primary, hidden, linked: linked.map(serviceIid), characteristics };
  }

  #add(point: PublishedPoint): void {
    this.#points.get(point.aid)?.set(point.iid, point);
    const subject = subjectOf(point.source);
    if (subject === null) return;
    const points = this.#bySubject.get(subject) ?? [];
    points.push(point);
    this.#bySubject.set(subject, points);
  }
}

function subjectOf(source: ValueSource): string | null {
  switch (source.kind) {
    case 'characteristic':
    case 'word':
    case 'transition':
    case 'stream':
    case 'identify':
      return source.accessoryId;
    case 'group':
      return source.groupId;
    case 'scene':
      return source.sceneId;
    case 'fixed':
      return null;
  }
}

/** Values that never change by themselves are a part of it: a name is read again when the number rises. */
function hashOf(accessories: readonly PublishedAccessory[], points: readonly PublishedPoint[]): string {
  const fixed = points.flatMap(({ aid, iid, source }) => (source.kind === 'fixed' ? [[aid, iid, source.value]] : []));
  return sha256Hex(JSON.stringify([accessories, fixed]));
}
