/**
 * Makes the diagnostics file of a device from what the driver knows: HAP's `GET /accessories` with the values of today,
 * and its connections. The file shows what the device is and how it behaves, but not which one it is
 * or whose: it may be attached to a public report, and serves as a recorded device in tests.
 */
import { CHARACTERISTIC, characteristicByType } from '../../hap-spec/characteristics.ts';
import { fullUuid } from '../../hap-spec/uuid.ts';
import type { Accessory, Characteristic, CharacteristicValue, HapId, Service } from '../../home/model.ts';
import type { DeviceTrace, PairedDevice } from '../../home/pairing-driver.ts';
import { VERSION } from '../../kernel/version.ts';

/** Texts that name a product and not a single device of it. All other texts are left out. */
const PRODUCT_TEXTS: ReadonlySet<string> = new Set([
  CHARACTERISTIC.manufacturer,
  CHARACTERISTIC.model,
  CHARACTERISTIC.firmwareRevision,
  CHARACTERISTIC.hardwareRevision,
  CHARACTERISTIC.softwareRevision,
  CHARACTERISTIC.version,
]);
const STAND_INS: ReadonlyMap<string, (aid: number) => string> = new Map([
  [CHARACTERISTIC.name, (aid: number) => `Accessory ${aid}`],
  [CHARACTERISTIC.serialNumber, () => '0000'],
]);
/** Numbers of these formats are states; longer ones of types that HAP does not define may identify the device. */
const STATE_FORMATS: ReadonlySet<string> = new Set(['bool', 'uint8', 'uint16', 'int', 'float']);
/** A longer id may be made of a serial number or an address. */
const MAX_PLAIN_ID_DIGITS = 5;
/** Longer ids are replaced within the range of exact JavaScript numbers. */
const MAX_ID_DIGITS = 15;
const REMOVED = '[removed]';
/** A shorter text would be found in anything. */
const MIN_PRIVATE_LENGTH = 3;
const PRIVATE_PATTERNS = [
  // Setup payloads and codes.
  /X-HM:\/\/\w+/gi,
  /\b\d{3}-\d{2}-\d{3}\b/g,
  // MAC addresses, which device ids look like; UUIDs; long runs of hex digits.
  /\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b/gi,
  /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi,
  /\b[0-9a-f]{12,}\b/gi,
  /(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{1,4}/gi,
];
/** A version of four numbers looks the same. */
const IPV4 = /\b(?:\d{1,3}\.){3}\d{1,3}\b/g;
const VERSION_NUMBER = /^\d+(\.\d+)+$/;

interface Known {
  readonly device: PairedDevice;
  readonly trace: DeviceTrace;
  /** The device's accessories in the home. */
  readonly accessories: readonly Accessory[];
  readonly now: number;
}

export type DeviceReport = ReturnType<typeof diagnosticsOf>;

/** @returns the content of the file; times are milliseconds since the epoch */
export function diagnosticsOf({ device, trace, accessories, now }: Known) {
  const redact = redactor(privateTexts({ device, trace, accessories, now }));
  const aids = new IdMap(trace.accessories.map(({ aid }) => aid));
  const iids = new Map(trace.accessories.map(({ aid, services }) => [aid, new IdMap(idsOf(services))]));
  const values = currentValues(accessories);
  return {
    format: 'hearthd.device-diagnostics' as const,
    version: 1 as const,
    createdAt: now,
    relayVersion: VERSION,
    device: {
      model: redact(device.model),
      manufacturer: device.manufacturer === null ? null : redact(device.manufacturer),
      firmware: device.firmware === null ? null : redact(device.firmware),
      category: device.category,
      configNumber: trace.configNumber,
      accessoryCount: device.accessoryCount,
    },
    connection: {
      status: device.status,
      since: device.since,
      lastSeenAt: device.lastSeenAt,
      reconnects: device.reconnects,
      notifications: device.notifications,
      polls: device.polls,
      lastErrorReason: device.lastErrorReason ?? null,
      lastErrorAt: device.lastErrorAt,
    },
    events: trace.events,
    responses: trace.responses,
    statuses: trace.statuses,
    failures: trace.failures.map(({ aid, iid, ...failure }) => ({
      ...failure,
      aid: aid === null ? null : aids.of(aid),
      iid: aid === null || iid === null ? null : (iids.get(aid)?.of(iid) ?? null),
    })),
    accessories: trace.accessories.map(({ aid, services }) => {
      const newAid = aids.of(aid);
      const ids = iids.get(aid) ?? new IdMap([]);
      const currentOf = ({ iid, value }: Characteristic): CharacteristicValue => values.get(`${aid} ${iid}`) ?? value;
      return {
        aid: newAid,
        services: services.map((service) => presentService(service, { newAid, ids, currentOf, redact })),
      };
    }),
  };
}

interface FileView {
  readonly newAid: number;
  readonly ids: IdMap;
  currentOf(characteristic: Characteristic): CharacteristicValue;
  redact(text: string): string;
}

/** A service in the form of `GET /accessories` (HAP specification §6.3). */
function presentService({ iid, type, primary, hidden, linked, characteristics }: Service, view: FileView) {
  return {
    iid: view.ids.of(iid),
    type: fullUuid(type),
    ...(primary && { primary }),
    ...(hidden && { hidden }),
    ...(linked.length > 0 && { linked: linked.map((id) => view.ids.of(id)) }),
    characteristics: characteristics.map((characteristic) => presentCharacteristic(characteristic, view)),
  };
}

function presentCharacteristic(characteristic: Characteristic, view: FileView) {
  const { iid, type, format, permissions, unit, description } = characteristic;
  const { minValue, maxValue, minStep, maxLength, validValues } = characteristic;
  const value = publicValue(characteristic, view);
  const isOwnType = characteristicByType(type) === undefined;
  return {
    iid: view.ids.of(iid),
    type: fullUuid(type),
    ...(format !== 'unknown' && { format }),
    perms: [...permissions],
    ...(unit !== undefined && { unit: view.redact(unit) }),
    ...(minValue !== undefined && { minValue }),
    ...(maxValue !== undefined && { maxValue }),
    ...(minStep !== undefined && { minStep }),
    ...(maxLength !== undefined && { maxLen: maxLength }),
    ...(validValues && { 'valid-values': [...validValues] }),
    ...(isOwnType && description !== undefined && { description: view.redact(description) }),
    ...(permissions.includes('pr') && { value }),
  };
}

/** The value if it is a state, or describes the product; otherwise one that stands for it. */
function publicValue(characteristic: Characteristic, { newAid, currentOf, redact }: FileView): CharacteristicValue {
  const { type, format } = characteristic;
  const value = currentOf(characteristic);
  if (value === null) return null;
  if (typeof value === 'string') {
    if (PRODUCT_TEXTS.has(type)) return redact(value);
    return STAND_INS.get(type)?.(newAid) ?? '';
  }
  const isState = characteristicByType(type) !== undefined ? format !== 'uint64' : STATE_FORMATS.has(format);
  if (typeof value === 'boolean' || isState) return value;
  return characteristic.minValue ?? 0;
}

/** Replaces ids that may identify the device by others of about the same length, always the same for one id. */
class IdMap {
  readonly #ids: ReadonlyMap<HapId, number>;

  constructor(ids: readonly HapId[]) {
    const plain = ids.filter((id) => id.length <= MAX_PLAIN_ID_DIGITS);
    const long = ids.filter((id) => id.length > MAX_PLAIN_ID_DIGITS);
    this.#ids = new Map([
      ...plain.map((id) => [id, Number(id)] as const),
      ...long.map((id, index) => [id, 10 ** (Math.min(id.length, MAX_ID_DIGITS) - 1) + index] as const),
    ]);
  }

  /** 0 for an unknown id, which no characteristic has. */
  of(id: HapId): number {
    return this.#ids.get(id) ?? 0;
  }
}

function idsOf(services: readonly Service[]): readonly HapId[] {
  return services.flatMap(({ iid, characteristics }) => [iid, ...characteristics.map((each) => each.iid)]);
}

function currentValues(accessories: readonly Accessory[]): ReadonlyMap<string, CharacteristicValue> {
  return new Map(
    accessories.flatMap(({ address, services }) =>
      services.flatMap(({ characteristics }) =>
        characteristics.map(({ iid, value }) => [`${address.aid} ${iid}`, value] as const),
      ),
    ),
  );
}

/** What identifies the device, its home or its place in the network, so that it is found within other texts. */
interface PrivateTexts {
  readonly ids: readonly string[];
  /** A name that is the product's own is not private. */
  readonly names: readonly string[];
}

function privateTexts({ device, trace, accessories }: Known): PrivateTexts {
  const described = trace.accessories.flatMap(({ services }) =>
    services.flatMap(({ characteristics }) =>
      characteristics.filter(({ type, format }) => format === 'string' && !PRODUCT_TEXTS.has(type)),
    ),
  );
  const textsOf = (all: readonly Characteristic[]) =>
    all.flatMap(({ value }) => (typeof value === 'string' && !VERSION_NUMBER.test(value) ? value.trim() : []));
  const isSerial = ({ type }: Characteristic) => type === CHARACTERISTIC.serialNumber;
  const { deviceId, address, name } = device;
  const host = address?.replace(/:\d+$/, '') ?? '';
  return {
    ids: [deviceId, deviceId.replaceAll(':', ''), host, ...textsOf(described.filter(isSerial))],
    names: [name, ...accessories.map((each) => each.name), ...textsOf(described.filter((each) => !isSerial(each)))],
  };
}

function redactor({ ids, names }: PrivateTexts): (text: string) => string {
  const sorted = [...new Set([...ids, ...names])]
    .filter(({ length }) => length >= MIN_PRIVATE_LENGTH)
    .sort((a, b) => b.length - a.length);
  const always = new Set(ids);
  return (text) => {
    let rest = text;
    for (const known of sorted) if (always.has(known) || known !== text) rest = replaceAnyCase(rest, known);
    for (const pattern of PRIVATE_PATTERNS) rest = rest.replace(pattern, REMOVED);
    return VERSION_NUMBER.test(text.trim()) ? rest : rest.replace(IPV4, REMOVED);
  };
}

function replaceAnyCase(text: string, known: string): string {
  const at = text.toLowerCase().indexOf(known.toLowerCase());
  if (at < 0) return text;
  return text.slice(0, at) + REMOVED + replaceAnyCase(text.slice(at + known.length), known);
}
