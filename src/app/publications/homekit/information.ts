/**
 * Accessory Information, which every accessory has as its first service, and Protocol Information of every bridge.
 */
import { CHARACTERISTIC, type CharacteristicSpec, characteristicByType } from '../../../hap-spec/characteristics.ts';
import { DEFAULT_MAX_LENGTH } from '../../../hap-spec/formats.ts';
import { SERVICE } from '../../../hap-spec/services.ts';
import type { Accessory } from '../../../home/model.ts';
import { VERSION } from '../../../kernel/version.ts';
import type { CharacteristicTemplate, ServiceTemplate, ValueSource } from './template.ts';

export const MANUFACTURER = 'hearthd';
/** The model of every bridge, by which another hearthd knows what it must not publish again. */
export const BRIDGE_MODEL = 'hearthd bridge';
/** HAP over IP, as in the TXT key `pv`. */
const PROTOCOL_VERSION = '1.1.0';

export interface Information {
  readonly name: string;
  readonly manufacturer: string;
  readonly model: string;
  readonly serialNumber: string;
  readonly firmwareRevision: string;
  readonly hardwareRevision?: string | undefined;
}

/** @param accessoryId the accessory that identifies itself; `null`: nothing does */
export function informationService(information: Information, accessoryId: string | null): ServiceTemplate {
  const { hardwareRevision } = information;
  return service(SERVICE.accessoryInformation, 'information', [
    fixedSpec(CHARACTERISTIC.identify, { kind: 'identify', accessoryId }),
    fixedText(CHARACTERISTIC.manufacturer, information.manufacturer),
    fixedText(CHARACTERISTIC.model, information.model),
    fixedText(CHARACTERISTIC.name, information.name),
    fixedText(CHARACTERISTIC.serialNumber, information.serialNumber),
    fixedText(CHARACTERISTIC.firmwareRevision, information.firmwareRevision),
    ...(hardwareRevision === undefined ? [] : [fixedText(CHARACTERISTIC.hardwareRevision, hardwareRevision)]),
  ]);
}

export function protocolService(): ServiceTemplate {
  return service(SERVICE.protocolInformation, 'protocol', [fixedText(CHARACTERISTIC.version, PROTOCOL_VERSION)]);
}

/** Of what stands alone: its information is that of the device, so another hearthd knows it by the name here. */
export function ownProtocolService(): ServiceTemplate {
  const names = [fixedText(CHARACTERISTIC.version, PROTOCOL_VERSION), fixedText(CHARACTERISTIC.name, MANUFACTURER)];
  return service(SERVICE.protocolInformation, 'protocol', names);
}

/** Of something that only this home has: a virtual accessory, a group, a scene. */
export function ownInformation(name: string, model: string, id: string): Information {
  return { name, manufacturer: MANUFACTURER, model, serialNumber: id, firmwareRevision: VERSION };
}

/** Of a device, with our own values where it gives none. */
export function deviceInformation({ id, name, services }: Accessory): Information {
  const own = services.find(({ type }) => type === SERVICE.accessoryInformation);
  const text = (type: string): string | undefined => {
    const value = own?.characteristics.find((one) => one.type === type)?.value;
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  return {
    name,
    manufacturer: text(CHARACTERISTIC.manufacturer) ?? 'Unknown',
    model: text(CHARACTERISTIC.model) ?? 'Unknown',
    // HAP asks for more than one character.
    serialNumber: (text(CHARACTERISTIC.serialNumber) ?? id).padStart(2, '0'),
    firmwareRevision: text(CHARACTERISTIC.firmwareRevision) ?? VERSION,
    hardwareRevision: text(CHARACTERISTIC.hardwareRevision),
  };
}

/** The types in a device's own Accessory Information that are published. */
export const INFORMATION_TYPES: ReadonlySet<string> = new Set([
  CHARACTERISTIC.manufacturer,
  CHARACTERISTIC.model,
  CHARACTERISTIC.serialNumber,
  CHARACTERISTIC.firmwareRevision,
  CHARACTERISTIC.hardwareRevision,
]);

export function service(
  type: string,
  key: string,
  characteristics: readonly Omit<CharacteristicTemplate, 'key'>[],
): ServiceTemplate {
  const keyed = characteristics.map((one) => ({ ...one, key: `${key}/${one.shape.type}` }));
  return { key, type, primary: false, hidden: false, linked: [], characteristics: keyed };
}

/** A switch, as an own service. @param label what distinguishes it from other switches of its accessory */
export function switchService(key: string, source: ValueSource, label?: string): ServiceTemplate {
  const labels =
    label === undefined
      ? []
      : [
          fixedText(CHARACTERISTIC.name, label),
          // Recent versions of Apple Home show this name and not the other.
          fixedText(CHARACTERISTIC.configuredName, label),
        ];
  return service(SERVICE.switch, key, [fixedSpec(CHARACTERISTIC.powerState, source), ...labels]);
}

function fixedText(type: string, value: string): Omit<CharacteristicTemplate, 'key'> {
  return fixedSpec(type, { kind: 'fixed', value: cut(value) });
}

/** A characteristic with the metadata of the specification. */
export function fixedSpec(type: string, source: ValueSource): Omit<CharacteristicTemplate, 'key'> {
  const { format, permissions } = requireSpec(type);
  // A controller can't write what is always the same.
  const isFixed = source.kind === 'fixed';
  return { shape: { type, format, permissions: permissions.filter((one) => !isFixed || one !== 'pw') }, source };
}

function requireSpec(type: string): CharacteristicSpec {
  const spec = characteristicByType(type);
  if (!spec) throw new Error(`HAP has no characteristic ${type}`);
  return spec;
}

/** HAP counts bytes of UTF-8. */
function cut(text: string): string {
  let short = text;
  while (Buffer.byteLength(short) > DEFAULT_MAX_LENGTH) short = [...short].slice(0, -1).join('');
  return short;
}
