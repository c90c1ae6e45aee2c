/**
 * An accessory attribute database as it is served: any recorded `GET /accessories` body, quirks and all, with the
 * current values. Reads and writes are judged by the permissions that the database itself states, and by nothing else.
 * Shared by the replaying and the raw accessory; not a model of HAP.
 */

/** An aid or iid: a number where it fits, decimal text or a bigint where it does not. */
export type Id = number | string | bigint;

export interface CharacteristicJson {
  iid: Id;
  type: string;
  format?: string | null;
  perms?: readonly string[];
  value?: unknown;
  minValue?: number;
  maxValue?: number;
  [field: string]: unknown;
}

export interface ServiceJson {
  iid: Id;
  type: string;
  characteristics: CharacteristicJson[];
  [field: string]: unknown;
}

export interface AccessoryJson {
  aid: Id;
  services: ServiceJson[];
  [field: string]: unknown;
}

/** What is wrong with a characteristic, or with a whole accessory where `iid` is left out. */
export interface Failure {
  readonly aid: Id;
  readonly iid?: Id;
  /** HAP status code; negative, as the specification has it, or positive, as some products do. */
  readonly status: number;
  /** Both by default. */
  readonly on?: 'read' | 'write';
  /** How often it fails before it works again; for ever by default. */
  readonly times?: number;
}

export interface WriteItem {
  readonly aid: Id;
  readonly iid: Id;
  readonly value?: unknown;
  readonly ev?: boolean;
  /** Asks for a write response. */
  readonly r?: boolean;
}

export interface ItemResult {
  readonly aid: Id;
  readonly iid: Id;
  readonly status?: number;
  readonly value?: unknown;
  readonly [field: string]: unknown;
}

export interface ReadFlags {
  readonly meta?: boolean;
  readonly perms?: boolean;
  readonly type?: boolean;
  readonly ev?: boolean;
}

/** HAP status codes used here (HAP specification, table 6-11). */
const STATUS = { readOnly: -70404, writeOnly: -70405, noEvents: -70406, missing: -70409, invalid: -70410 } as const;

/** Programmable Switch Event: an event without a state. */
const SWITCH_EVENT = /^(0000)?0*73(-0000-1000-8000-0026BB765291)?$/i;

const META_FIELDS = ['format', 'unit', 'minValue', 'maxValue', 'minStep', 'maxLen'] as const;

export class ServedDatabase {
  readonly accessories: AccessoryJson[];
  readonly #byKey = new Map<string, CharacteristicJson>();
  readonly #failures: { failure: Failure; left: number }[] = [];

  /** @param accessories is copied. */
  constructor(accessories: readonly AccessoryJson[]) {
    this.accessories = structuredClone([...accessories]);
    for (const accessory of this.accessories) {
      for (const characteristic of accessory.services.flatMap((service) => service.characteristics)) {
        this.#byKey.set(keyOf(accessory.aid, characteristic.iid), characteristic);
      }
    }
  }

  find(aid: Id, iid: Id): CharacteristicJson | undefined {
    return this.#byKey.get(keyOf(aid, iid));
  }

  /** @throws if there is no such characteristic: a mistake in the test. */
  get(aid: Id, iid: Id): unknown {
    return this.#require(aid, iid).value;
  }

  /** Sets a value from the accessory's side, without any check. @returns whether it differs from the last. */
  set(aid: Id, iid: Id, value: unknown): boolean {
    const characteristic = this.#require(aid, iid);
    const changed = characteristic.value !== value;
    characteristic.value = SWITCH_EVENT.test(characteristic.type) ? null : value;
    return changed;
  }

  /** Makes reads or writes fail from now on. @returns the function that ends it. */
  fail(failure: Failure): () => void {
    const entry = { failure, left: failure.times ?? Number.POSITIVE_INFINITY };
    this.#failures.push(entry);
    return () => {
      entry.left = 0;
    };
  }

  read(aid: Id, iid: Id, flags: ReadFlags, subscribed: boolean): ItemResult {
    const characteristic = this.find(aid, iid);
    if (!characteristic) return { aid, iid, status: STATUS.missing };
    const status = this.#failing(aid, iid, 'read');
    if (status !== undefined) return { aid, iid, status };
    if (!allows(characteristic, 'pr')) return { aid, iid, status: STATUS.writeOnly };
    const result: Record<string, unknown> = { value: characteristic.value ?? null };
    if (flags.meta) for (const field of META_FIELDS) if (field in characteristic) result[field] = characteristic[field];
    if (flags.perms) result.perms = characteristic.perms ?? [];
    if (flags.type) result.type = characteristic.type;
    if (flags.ev) result.ev = subscribed;
    return { aid, iid, ...result };
  }

  /**
   * Applies a write or judges a subscription. The caller keeps the subscriptions.
   * @param timed the write follows a prepare that is still valid.
   * @returns no status where all is well.
   */
  write(item: WriteItem, timed: boolean): ItemResult {
    const { aid, iid } = item;
    const characteristic = this.find(aid, iid);
    if (!characteristic) return { aid, iid, status: STATUS.missing };
    const status = this.#failing(aid, iid, 'write') ?? refusal(characteristic, item, timed);
    if (status !== undefined) return { aid, iid, status };
    if (item.value === undefined) return { aid, iid };
    characteristic.value = toFormat(characteristic, item.value);
    return item.r ? { aid, iid, status: 0, value: characteristic.value } : { aid, iid };
  }

  #require(aid: Id, iid: Id): CharacteristicJson {
    const characteristic = this.find(aid, iid);
    if (!characteristic) throw new Error(`The served database has no characteristic ${keyOf(aid, iid)}`);
    return characteristic;
  }

  #failing(aid: Id, iid: Id, on: 'read' | 'write'): number | undefined {
    const entry = this.#failures.find(
      ({ failure, left }) =>
        left > 0 &&
        (failure.on ?? on) === on &&
        String(failure.aid) === String(aid) &&
        (failure.iid === undefined || String(failure.iid) === String(iid)),
    );
    if (!entry) return undefined;
    entry.left -= 1;
    return entry.failure.status;
  }
}

/** `aid.iid`, as in a request. */
export function keyOf(aid: Id, iid: Id): string {
  return `${aid}.${iid}`;
}

/** Ids of a request's `id=1.10,1.11`, as text. */
export function parseIds(query: string): readonly { aid: string; iid: string }[] {
  return query.split(',').map((key) => {
    const [aid = '', iid = ''] = key.split('.');
    return { aid, iid };
  });
}

export function allows(characteristic: CharacteristicJson, permission: string): boolean {
  return characteristic.perms?.includes(permission) ?? false;
}

function refusal(characteristic: CharacteristicJson, item: WriteItem, timed: boolean): number | undefined {
  if (item.ev !== undefined && !allows(characteristic, 'ev')) return STATUS.noEvents;
  if (item.value === undefined) return undefined;
  if (!allows(characteristic, 'pw')) return STATUS.readOnly;
  if (allows(characteristic, 'tw') && !timed) return STATUS.invalid;
  const { minValue, maxValue } = characteristic;
  if (typeof item.value === 'number' && minValue !== undefined && item.value < minValue) return STATUS.invalid;
  if (typeof item.value === 'number' && maxValue !== undefined && item.value > maxValue) return STATUS.invalid;
  return undefined;
}

function toFormat(characteristic: CharacteristicJson, value: unknown): unknown {
  return characteristic.format === 'bool' ? value === true || value === 1 || value === '1' || value === 'true' : value;
}
