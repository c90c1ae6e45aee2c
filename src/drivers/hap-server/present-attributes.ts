/**
 * Accessories and values as JSON text, in the member order of HAP-NodeJS. Ids are written as raw digits: a JavaScript
 * number can't hold all of them.
 */
import { CHARACTERISTIC } from '../../hap-spec/characteristics.ts';
import type { CharacteristicValue } from '../../home/model.ts';
import type {
  BridgeContent,
  PublishedAccessory,
  PublishedCharacteristic,
  PublishedService,
} from '../../home/publication-port.ts';
import { encodeValue } from '../hap/wire/characteristic-values.ts';

/** The body of `GET /accessories`. @param controller that reads */
export function presentAccessories(
  accessories: readonly PublishedAccessory[],
  content: BridgeContent,
  controller: string,
): string {
  const texts = accessories.map(({ aid, services }) => {
    const present = (service: PublishedService): string =>
      presentService(
        service,
        service.characteristics.map((characteristic) => {
          const { iid } = characteristic;
          if (!characteristic.permissions.includes('pr')) return presentCharacteristic(characteristic, undefined);
          const result = content.read(aid, iid, controller);
          const value = result.ok ? result.value : defaultValue(characteristic);
          return presentCharacteristic(characteristic, presentValue(characteristic, value));
        }),
      );
    return `{"aid":${aid},"services":[${services.map(present).join()}]}`;
  });
  return `{"accessories":[${texts.join()}]}`;
}

function presentService({ type, iid, hidden, primary, linked }: PublishedService, characteristics: string[]): string {
  const members = [`"type":${JSON.stringify(type)}`, `"iid":${iid}`, `"characteristics":[${characteristics.join()}]`];
  if (hidden) members.push('"hidden":true');
  if (primary) members.push('"primary":true');
  if (linked.length > 0) members.push(`"linked":[${linked.join()}]`);
  return `{${members.join()}}`;
}

/** @param value JSON text */
function presentCharacteristic(characteristic: PublishedCharacteristic, value: string | undefined): string {
  const { iid, type, permissions, description, maxLength, validValues, format } = characteristic;
  const members = [`"type":${JSON.stringify(type)}`, `"iid":${iid}`];
  if (value !== undefined) members.push(`"value":${value}`);
  members.push(`"perms":${JSON.stringify(permissions)}`);
  if (description !== undefined) members.push(`"description":${JSON.stringify(description)}`);
  members.push(...rangeMembers(characteristic));
  if (maxLength !== undefined) members.push(`"${format === 'data' ? 'maxDataLen' : 'maxLen'}":${maxLength}`);
  if (validValues) members.push(`"valid-values":${JSON.stringify(validValues)}`);
  return `{${members.join()}}`;
}

/** The members that `meta=1` adds to a read. */
export function metaMembers(characteristic: PublishedCharacteristic): readonly string[] {
  const { maxLength } = characteristic;
  const members = rangeMembers(characteristic);
  return maxLength === undefined ? members : [...members, `"maxLen":${maxLength}`];
}

function rangeMembers({ format, unit, minValue, maxValue, minStep }: PublishedCharacteristic): readonly string[] {
  const members = [`"format":${JSON.stringify(format)}`];
  if (unit !== undefined) members.push(`"unit":${JSON.stringify(unit)}`);
  if (minValue !== undefined) members.push(`"minValue":${minValue}`);
  if (maxValue !== undefined) members.push(`"maxValue":${maxValue}`);
  if (minStep !== undefined) members.push(`"minStep":${minStep}`);
  return members;
}

/** As JSON text. HAP-NodeJS sends booleans as 0 and 1, and numbers on the steps of their range. */
export function presentValue(characteristic: PublishedCharacteristic, value: CharacteristicValue): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') return JSON.stringify(onStep(characteristic, value));
  return encodeValue(characteristic.format, value);
}

/** Only fractions need it: 20.400000000000002 is 20.4. */
function onStep({ minStep, minValue = 0 }: PublishedCharacteristic, value: number): number {
  if (minStep === undefined || minStep <= 0 || minStep >= 1) return value;
  const steps = Math.round((value - minValue) / minStep);
  return Math.round((minValue + steps * minStep) * 10_000) / 10_000;
}

/** A valid value for one that can't be read now: controllers refuse a database without values. */
function defaultValue({ format, type, validValues, minValue }: PublishedCharacteristic): CharacteristicValue {
  if (type === CHARACTERISTIC.programmableSwitchEvent) return null;
  if (format === 'bool') return false;
  if (format === 'string' || format === 'data' || format === 'tlv8') return '';
  if (type === CHARACTERISTIC.currentTemperature) return 0;
  return validValues?.[0] ?? minValue ?? 0;
}
