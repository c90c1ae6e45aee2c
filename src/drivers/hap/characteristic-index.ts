/** One server's characteristics by id, with what was last heard of each. The session's memory; the home has its own. */
import type { Characteristic, CharacteristicValue, HapId } from '../../home/model.ts';
import type { AttributeDatabase } from './accessory-database.ts';
import { type CharacteristicId, keyOf } from './characteristics-codec.ts';

const ACCESSORY_INFORMATION = '3E';
const IDENTIFY = '14';
/** Programmable Switch Event and Button Event: a press, not a state. Reading one would replay it. */
const PRESS_TYPES: ReadonlySet<string> = new Set(['73', '126']);

export interface Tracked extends CharacteristicId {
  readonly key: string;
  readonly characteristic: Characteristic;
  /** In the accessory information service, which a bridge answers for its children even while they are away. */
  readonly isInformation: boolean;
  /** As the device last said or confirmed; `undefined` until it has. */
  value: CharacteristicValue | undefined;
  /** The index's sequence number when the device last announced or confirmed a value by itself. */
  heardAt: number;
  /** That when it last announced one, asked for by nobody. */
  announcedAt: number;
  /** When we last wrote it, on the monotonic clock. */
  writtenAt: number;
}

export class CharacteristicIndex {
  readonly #byKey = new Map<string, Tracked>();
  /** Rises with everything heard without asking, so that a read under way can tell that it was overtaken. */
  sequence = 0;

  /** @param before the index that this one replaces: what it heard stays heard. */
  constructor(database: AttributeDatabase, before?: CharacteristicIndex) {
    for (const { aid, services } of database) {
      for (const service of services) {
        for (const characteristic of service.characteristics) {
          const key = keyOf({ aid, iid: characteristic.iid });
          const known = before?.find({ aid, iid: characteristic.iid });
          this.#byKey.set(key, {
            aid,
            iid: characteristic.iid,
            key,
            characteristic,
            isInformation: service.type === ACCESSORY_INFORMATION,
            value: known?.characteristic.type === characteristic.type ? known.value : undefined,
            heardAt: 0,
            announcedAt: 0,
            writtenAt: Number.NEGATIVE_INFINITY,
          });
        }
      }
    }
  }

  find(id: CharacteristicId): Tracked | undefined {
    return this.#byKey.get(keyOf(id));
  }

  /** The characteristic that makes an accessory show itself. */
  findIdentify(aid: HapId): Tracked | undefined {
    for (const tracked of this.#byKey.values()) {
      if (tracked.aid === aid && tracked.characteristic.type === IDENTIFY) return tracked;
    }
    return undefined;
  }

  /** Everything that has a value to read, what can change first. */
  readable(): readonly Tracked[] {
    const readable = [...this.#byKey.values()].filter(isReadable);
    return [...readable.filter(announces), ...readable.filter((tracked) => !announces(tracked))];
  }

  /** Everything that offers events. */
  announced(): readonly Tracked[] {
    return [...this.#byKey.values()].filter(announces);
  }

  /** Notes a value that the device confirmed. */
  heard(tracked: Tracked, value: CharacteristicValue): void {
    this.sequence += 1;
    tracked.heardAt = this.sequence;
    tracked.value = value;
  }

  /** Notes a value that it announced. */
  heardUnasked(tracked: Tracked, value: CharacteristicValue): void {
    this.heard(tracked, value);
    tracked.announcedAt = this.sequence;
  }
}

export function isPress({ characteristic }: Tracked): boolean {
  return PRESS_TYPES.has(characteristic.type);
}

export function isReadable(tracked: Tracked): boolean {
  return tracked.characteristic.permissions.includes('pr') && !isPress(tracked);
}

export function announces({ characteristic }: Tracked): boolean {
  return characteristic.permissions.includes('ev');
}
