/** Accessories for tests, built from the tables or from recorded databases of real products. */
import { characteristicByType } from '../../../src/hap-spec/characteristics.ts';
import { FORMATS } from '../../../src/hap-spec/formats.ts';
import { serviceByName } from '../../../src/hap-spec/services.ts';
import { canonicalType } from '../../../src/hap-spec/uuid.ts';
import type { Accessory, Characteristic, CharacteristicFormat, Service } from '../../../src/home/model.ts';
import { listRecorded, readRecordedText } from '../../support/accessories/sample-databases.ts';

let nextIid = 1;

/** A characteristic as its type defines it. */
export function characteristic(type: string, overrides: Partial<Characteristic> = {}): Characteristic {
  const spec = characteristicByType(type);
  nextIid += 1;
  return {
    iid: String(nextIid),
    type,
    format: spec?.format ?? 'unknown',
    permissions: spec?.permissions ?? ['pr', 'pw', 'ev'],
    value: null,
    ...overrides,
  };
}

export function service(
  name: string,
  characteristics: readonly Characteristic[],
  overrides: Partial<Service> = {},
): Service {
  nextIid += 1;
  const type = serviceByName(name)?.type;
  if (!type) throw new Error(`No such service: ${name}`);
  return { iid: String(nextIid), type, primary: false, hidden: false, linked: [], characteristics, ...overrides };
}

export function accessory(services: readonly Service[], overrides: Partial<Accessory> = {}): Accessory {
  return {
    id: '5c0d2c7e-6f1c-5b0e-9d7a-0242ac12a1b2',
    homeId: '11111111-1111-4111-8111-111111111111',
    roomId: '22222222-2222-4222-8222-222222222222',
    name: 'Test Lamp',
    address: { source: 'AA:BB:CC:DD:EE:FF', aid: '1' },
    category: 1,
    reachable: true,
    lastSeenAt: null,
    vanishedAt: null,
    icon: null,
    virtual: null,
    services,
    ...overrides,
  };
}

export interface RecordedDatabase {
  readonly file: string;
  readonly accessories: readonly Accessory[];
}

export function recordedDatabases(): readonly RecordedDatabase[] {
  return listRecorded().map((name) => ({ file: `${name}.json`, accessories: parseDatabase(readRecordedText(name)) }));
}

interface RawCharacteristic {
  readonly iid: number;
  readonly type: string;
  readonly format?: string | null;
  readonly perms: Characteristic['permissions'];
  readonly value?: Characteristic['value'];
  readonly minValue?: number;
  readonly maxValue?: number;
  readonly minStep?: number;
  readonly maxLen?: number;
  readonly 'valid-values'?: readonly number[];
}

interface RawService {
  readonly iid: number;
  readonly type: string;
  readonly primary?: boolean;
  readonly hidden?: boolean;
  readonly linked?: readonly number[];
  readonly characteristics: readonly RawCharacteristic[];
}

function parseDatabase(text: string): readonly Accessory[] {
  const raw = JSON.parse(text) as readonly { readonly aid: number; readonly services: readonly RawService[] }[];
  return raw.map(({ aid, services }) =>
    accessory(services.map(toService), { address: { source: 'AA:BB:CC:DD:EE:FF', aid: String(aid) } }),
  );
}

function toService(raw: RawService): Service {
  return {
    iid: String(raw.iid),
    type: canonicalType(raw.type),
    primary: raw.primary ?? false,
    hidden: raw.hidden ?? false,
    linked: (raw.linked ?? []).map(String),
    characteristics: raw.characteristics.map(toCharacteristic),
  };
}

function toCharacteristic(raw: RawCharacteristic): Characteristic {
  const { minValue, maxValue, minStep, maxLen: maxLength, 'valid-values': validValues } = raw;
  return {
    iid: String(raw.iid),
    type: canonicalType(raw.type),
    format: FORMATS.has(raw.format ?? '') ? (raw.format as CharacteristicFormat) : 'unknown',
    permissions: raw.perms,
    value: raw.value ?? null,
    ...(minValue !== undefined && { minValue }),
    ...(maxValue !== undefined && { maxValue }),
    ...(minStep !== undefined && { minStep }),
    ...(maxLength !== undefined && { maxLength }),
    ...(validValues && { validValues }),
  };
}
