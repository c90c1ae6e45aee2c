/**
 * Resolves a client's property name to exactly one characteristic. Accepts every spelling: simplified properties
 * (`color_temp`, `on_2`), snake_case, camelCase, `public.hap.characteristic.*`, short and long UUIDs.
 */
import { CHARACTERISTIC, characteristicByName } from '../../hap-spec/characteristics.ts';
import { canonicalType } from '../../hap-spec/uuid.ts';
import { foldWord } from '../../hap-spec/words.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { Accessory, Characteristic, CharacteristicValue, HapId } from '../model.ts';
import { type Binding, type Bindings, bindingsOf, type ServiceCharacteristic } from './bindings.ts';
import { plain } from './conversions.ts';
import { shorten } from './values.ts';

export interface CharacteristicSetting extends ServiceCharacteristic {
  readonly value: CharacteristicValue;
}

/** Pairs that replace each other on accessories with only one of them (wire-facts §2.6). By characteristic type. */
const STAND_INS: ReadonlyMap<string, { readonly type: string; readonly property: string }> = new Map([
  [CHARACTERISTIC.powerState, { type: CHARACTERISTIC.active, property: 'active' }],
  [CHARACTERISTIC.active, { type: CHARACTERISTIC.powerState, property: 'on' }],
]);

/** `on_2`: the second of its kind. */
const NUMBERED = /^(.+)_([2-9]|[1-9]\d+)$/;

/**
 * Resolves writing `input` to `property`: exactly one characteristic and a value that the device accepts.
 * @throws `characteristic_not_found` with the settable properties · `characteristic_not_writable` · `invalid_value`
 * with the range
 */
export function resolveSetting(accessory: Accessory, property: string, input: unknown): CharacteristicSetting {
  const bindings = bindingsOf(accessory.services);
  const target = findTarget(bindings, property);
  if (!target) throw unknownProperty(accessory, bindings, property);
  const { service, characteristic, conversion, offSwitch } = target;
  if (offSwitch && typeof input === 'string' && input.trim().toLowerCase() === 'off') {
    requireWritable(accessory, offSwitch, property);
    return { service, characteristic: offSwitch, value: plain.write(offSwitch, 0, property) };
  }
  requireWritable(accessory, characteristic, property);
  return { service, characteristic, value: conversion.write(characteristic, input, property) };
}

/**
 * The characteristic to read or write with its plain value.
 * @param serviceIid the service, if several have it; if omitted, the one that the name identifies.
 * @throws `characteristic_not_found`
 */
export function resolveCharacteristic(
  accessory: Accessory,
  characteristicType: string,
  serviceIid?: HapId,
): ServiceCharacteristic {
  const bindings = bindingsOf(accessory.services);
  const place =
    serviceIid === undefined
      ? findTarget(bindings, characteristicType)
      : findInService(bindings, characteristicType, serviceIid);
  if (place) return { service: place.service, characteristic: place.characteristic };
  const where = serviceIid === undefined ? `'${accessory.name}'` : `service ${serviceIid} of '${accessory.name}'`;
  throw new HearthError(
    'characteristic_not_found',
    `Characteristic not found: ${where} has no '${shorten(characteristicType)}'`,
  );
}

/** Whether a name, in any spelling, is a power property: `on`, `active_2`, `public.hap.characteristic.active`. */
export function isPowerProperty(spelling: string): boolean {
  const [, base = spelling] = NUMBERED.exec(spelling.trim()) ?? [];
  return STAND_INS.has(typeOf(base));
}

type BindingTarget = Pick<Binding, 'service' | 'characteristic' | 'conversion' | 'offSwitch'>;

function findTarget(bindings: Bindings, property: string): BindingTarget | undefined {
  const [, base, digits] = NUMBERED.exec(property.trim()) ?? [];
  return (
    bindings.byWord.get(foldWord(property)) ??
    findPlain(bindings, property, 1) ??
    findStandIn(bindings, property, '') ??
    (base && digits ? (findPlain(bindings, base, Number(digits)) ?? findStandIn(bindings, base, digits)) : undefined)
  );
}

/** The characteristic of this type in that service, regardless of its property's number. */
function findInService(
  { byType, byWord }: Bindings,
  spelling: string,
  serviceIid: HapId,
): ServiceCharacteristic | undefined {
  const type = typeOf(spelling);
  const types = [type, byWord.get(foldWord(spelling))?.characteristic.type, STAND_INS.get(type)?.type];
  const places = types.flatMap((one) => byType.get(one ?? '') ?? []);
  return places.find(({ service }) => service.iid === serviceIid);
}

/** @param digits the number suffix of the property: finds `on_2` for `active_2`. */
function findStandIn({ byWord }: Bindings, property: string, digits: string): BindingTarget | undefined {
  const standIn = STAND_INS.get(typeOf(property));
  return standIn && byWord.get(standIn.property + digits);
}

/** Finds a characteristic by its own name instead of the property; accepts the characteristic's own values. */
function findPlain({ byType }: Bindings, spelling: string, number: number): BindingTarget | undefined {
  const place = byType.get(typeOf(spelling))?.[number - 1];
  return place && { ...place, conversion: plain, offSwitch: undefined };
}

function typeOf(spelling: string): string {
  return characteristicByName(spelling)?.type ?? canonicalType(spelling);
}

/**
 * @param spelling the client's name for the characteristic.
 * @throws `characteristic_not_writable`; a virtual accessory has only one, so the error names the accessory.
 */
export function requireWritable(accessory: Accessory, { permissions }: Characteristic, spelling: string): void {
  if (permissions.includes('pw')) return;
  const sentence =
    accessory.virtual === null
      ? `Characteristic not writable: '${shorten(spelling)}' is read only`
      : `${accessory.name} is read-only`;
  throw new HearthError('characteristic_not_writable', sentence);
}

function unknownProperty({ name }: Accessory, { list }: Bindings, property: string): HearthError {
  const settable = list.filter(({ writable }) => writable).map((binding) => binding.property);
  const advice = settable.length > 0 ? `settable are ${settable.join(', ')}` : 'nothing on it can be set';
  return new HearthError('characteristic_not_found', `Unknown property '${shorten(property)}' on '${name}'; ${advice}`);
}
