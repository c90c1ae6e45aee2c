/**
 * One server's characteristics by id, with their last known values. This is the session's own state; the home model has
 * another copy.
 */
import { CHARACTERISTIC, PRESS_TYPES } from '../../../hap-spec/characteristics.ts';
import { SERVICE } from '../../../hap-spec/services.ts';
import type { Characteristic, CharacteristicValue, HapId } from '../../../home/model.ts';
import type { AttributeDatabase } from '../wire/accessory-database.ts';
import { type CharacteristicId, keyOf } from '../wire/characteristics-codec.ts';

export interface Tracked extends CharacteristicId {
  readonly key: string;
  readonly characteristic: Characteristic;
  /** In the accessory information service, which a bridge answers for its children even if they are unreachable. */
  readonly isInformation: boolean;
  /** The value that the device last sent or confirmed; `undefined` before that. */
  value: CharacteristicValue | undefined;
  /** The index's sequence number when the device last sent an event or confirmed a write. */
  confirmedAt: number;
  /** The index's sequence number when the device last sent an event. */
  announcedAt: number;
  /** When we last wrote it, in monotonic time. */
  writtenAt: number;
  /** The value comes from a confirmed write only: no event and no read has returned it since. */
  isWrittenOnly: boolean;
}

export class CharacteristicIndex {
  readonly #byKey = new Map<string, Tracked>();
  /** Rises with every value that no read asked for, so that a read in progress can detect that it is out of date. */
  sequence = 0;

  /** @param before the index that this one replaces: its values are kept */
  constructor(database: AttributeDatabase, before?: CharacteristicIndex) {
    for (const { aid, services } of database) {
      for (const service of services) {
        for (const characteristic of service.characteristics) {
          const key = keyOf({ aid, iid: characteristic.iid });
          const found = before?.find({ aid, iid: characteristic.iid });
          const known = found?.characteristic.type === characteristic.type ? found : undefined;
          this.#byKey.set(key, {
            aid,
            iid: characteristic.iid,
            key,
            characteristic,
            isInformation: service.type === SERVICE.accessoryInformation,
            value: known?.value,
            confirmedAt: 0,
            announcedAt: 0,
            writtenAt: Number.NEGATIVE_INFINITY,
            isWrittenOnly: known?.isWrittenOnly ?? false,
          });
        }
      }
    }
  }

  find(id: CharacteristicId): Tracked | undefined {
    return this.#byKey.get(keyOf(id));
  }

  /** The Identify characteristic of an accessory. */
  findIdentify(aid: HapId): Tracked | undefined {
    for (const tracked of this.#byKey.values()) {
      if (tracked.aid === aid && tracked.characteristic.type === CHARACTERISTIC.identify) return tracked;
    }
    return undefined;
  }

  /** All characteristics with a readable value, changeable ones first. */
  readable(): readonly Tracked[] {
    const readable = [...this.#byKey.values()].filter(isReadable);
    return [...readable.filter(announces), ...readable.filter((tracked) => !announces(tracked))];
  }

  /** All characteristics that support events. */
  announced(): readonly Tracked[] {
    return [...this.#byKey.values()].filter(announces);
  }

  /** Records a value that the device confirmed. */
  record(tracked: Tracked, value: CharacteristicValue): void {
    this.sequence += 1;
    tracked.confirmedAt = this.sequence;
    tracked.value = value;
  }

  /** Records a value from an event. */
  recordEvent(tracked: Tracked, value: CharacteristicValue): void {
    this.record(tracked, value);
    tracked.announcedAt = this.sequence;
    tracked.isWrittenOnly = false;
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

/** TLV8 and data values are protocols of their own: a write is a message, and a read may have side effects. */
export function isMessage({ characteristic: { format } }: Tracked): boolean {
  return format === 'tlv8' || format === 'data';
}

/** False for names and serial numbers, which do not change. */
export function isWorthAsking(tracked: Tracked): boolean {
  return isReadable(tracked) && !tracked.isInformation && !isMessage(tracked);
}
