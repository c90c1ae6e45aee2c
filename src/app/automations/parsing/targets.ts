/**
 * Resolves the targets of a flow: accessories, groups, their characteristics, and the values that these accept. Each
 * must exist in the flow's home. Only objects that the flow already referred to may be missing, so that the flow can
 * still be saved.
 */
import { characteristicName } from '../../../hap-spec/characteristics.ts';
import { fullUuid } from '../../../hap-spec/uuid.ts';
import { foldWord } from '../../../hap-spec/words.ts';
import { asAccessory } from '../../../home/group-accessory.ts';
import type { Accessory, Characteristic, CharacteristicValue } from '../../../home/model.ts';
import { bindingsOf, type ServiceCharacteristic } from '../../../home/vocabulary/bindings.ts';
import { type Conversion, flag, plain, thermostatActive } from '../../../home/vocabulary/conversions.ts';
import { requireWritable, resolveCharacteristic } from '../../../home/vocabulary/settings.ts';
import { formatOf, parseValue } from '../../../home/vocabulary/values.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { Json } from '../../../kernel/json.ts';
import { resolveWrite } from '../../control/resolve-write.ts';
import type { Target } from '../field-types.ts';
import { at, fault, invalid, missing } from './faults.ts';
import type { Fields } from './fields.ts';
import { hasTemplate, type Parsing } from './parsing.ts';

/** Longer than any name or UUID. */
const MAX_NAME_LENGTH = 100;

export interface ResolvedTarget {
  readonly target: Target;
  /** The accessory, or the accessory that presents the group; nothing if it no longer exists. */
  readonly accessory: Accessory | undefined;
}

/**
 * Either `accessoryId` or `serviceGroupId`. @throws `accessory_not_found` · `service_group_not_found` ·
 * `invalid_value`
 */
export function resolveTarget(fields: Fields, parsing: Parsing): ResolvedTarget {
  if (!fields.has('serviceGroupId')) {
    const { id: accessoryId, accessory } = resolveAccessory(fields, parsing);
    return { target: { accessoryId }, accessory };
  }
  if (fields.has('accessoryId')) {
    throw invalid(fields.at('serviceGroupId'), 'give it or accessoryId, not both');
  }
  const { id: serviceGroupId, accessory } = resolveGroup(fields, 'serviceGroupId', parsing);
  return { target: { serviceGroupId }, accessory };
}

/** @throws `accessory_not_found` */
export function resolveAccessory(
  fields: Fields,
  parsing: Parsing,
): { readonly id: string; readonly accessory: Accessory | undefined } {
  const { state, homeId } = parsing.context;
  const id = fields.text('accessoryId', "an accessory's id").toLowerCase();
  const accessory = state.accessoryIn(homeId, id);
  if (accessory && accessory.vanishedAt === null) return { id: accessory.id, accessory };
  if (parsing.usedBefore(id)) return { id, accessory: undefined };
  throw fault('accessory_not_found', fields.at('accessoryId'), 'Accessory not found');
}

/** @throws `service_group_not_found` · `invalid_value` no member of it exists */
export function resolveGroup(
  fields: Fields,
  name: 'serviceGroupId' | 'groupId',
  parsing: Parsing,
): { readonly id: string; readonly accessory: Accessory | undefined } {
  const { state, homeId } = parsing.context;
  const id = fields.text(name, "a group's id").toLowerCase();
  const group = state.serviceGroups.find(id);
  const found = group?.homeId === homeId ? group : undefined;
  const accessory = found && asAccessory(found, state);
  if (accessory || parsing.usedBefore(id)) return { id, accessory };
  if (found) throw invalid(fields.at(name), `none of the accessories of "${found.name}" is there now`);
  throw fault('service_group_not_found', fields.at(name), 'Service group not found');
}

export interface ResolvedCharacteristic {
  /** The name in flows: `power_state_2`. */
  readonly name: string;
  /** Nothing if the accessory no longer exists. */
  readonly characteristic: Characteristic | undefined;
  /** Converts a value to the device's form. @throws `invalid_value` naming the accepted values */
  value(input: unknown, path: string): CharacteristicValue;
}

/** The characteristic that `characteristicType` names, in any spelling. @throws `characteristic_not_found` */
export function resolveReading(
  { target, accessory }: ResolvedTarget,
  fields: Fields,
  parsing: Parsing,
): ResolvedCharacteristic {
  const spelling = spellingOf(fields);
  const id = target.accessoryId ?? target.serviceGroupId;
  const place = accessory && findPlace(accessory, spelling, fields, parsing.usedBefore(id, spelling));
  if (!accessory || !place) return { name: spelling, characteristic: undefined, value: scalar };
  const { characteristic } = place;
  const conversion = conversionOf(accessory, spelling, characteristic);
  return {
    name: nameOf(accessory, place),
    characteristic,
    value(input, path) {
      if (conversion === thermostatActive) {
        throw invalid(path, `'${spelling}' has no value of its own here; compare hvac_mode instead`);
      }
      return at(path, () => conversion.write(characteristic, input, spelling));
    },
  };
}

/** @throws `invalid_value` its values are not numbers */
export function requireNumeric({ name, characteristic }: ResolvedCharacteristic, fields: Fields): void {
  const format = characteristic && formatOf(characteristic);
  if (format === 'bool' || format === 'string' || format === 'tlv8' || format === 'data') {
    throw invalid(fields.at('characteristicType'), `'${name}' has no numbers to compare; use a state instead`);
  }
}

export interface ResolvedSetting {
  readonly characteristicType: string;
  readonly value: Json;
}

/**
 * `characteristicType` and `value` of an accessory. A value without templates is validated and converted to the
 * device's form.
 * @throws `characteristic_not_found` · `characteristic_not_writable` · `invalid_value` naming the range
 */
export function resolveAccessorySetting(
  id: string,
  accessory: Accessory | undefined,
  fields: Fields,
  parsing: Parsing,
): ResolvedSetting {
  return resolveSetting(id, accessory, fields, parsing, ({ accessory, place, spelling, input }) => {
    if (hasTemplate(input)) {
      at(fields.at('characteristicType'), () => requireWritable(accessory, place.characteristic, spelling));
      return {
        characteristicType: nameForTemplates(accessory, spelling, place),
        value: parsing.templates(input, fields.at('value')),
      };
    }
    const setting = orFault(fields, () => resolveWrite(accessory, { property: spelling, input }));
    return { characteristicType: nameOf(accessory, setting), value: setting.value };
  });
}

/** The same for a group, which accepts the characteristics' own values. @throws like it */
export function resolveGroupSetting(
  id: string,
  accessory: Accessory | undefined,
  fields: Fields,
  parsing: Parsing,
): ResolvedSetting {
  return resolveSetting(id, accessory, fields, parsing, ({ accessory, place, spelling, input }) => {
    const { characteristic } = place;
    at(fields.at('characteristicType'), () => requireWritable(accessory, characteristic, spelling));
    const path = fields.at('value');
    return {
      characteristicType: nameOf(accessory, place),
      value: hasTemplate(input)
        ? parsing.templates(input, path)
        : at(path, () => parseValue(characteristic, input, spelling)),
    };
  });
}

interface KnownSetting {
  readonly accessory: Accessory;
  readonly place: ServiceCharacteristic;
  readonly spelling: string;
  readonly input: unknown;
}

/** @param resolve for an existing characteristic; if it no longer exists, the name and the value stay unchanged. */
function resolveSetting(
  id: string,
  accessory: Accessory | undefined,
  fields: Fields,
  parsing: Parsing,
  resolve: (setting: KnownSetting) => ResolvedSetting,
): ResolvedSetting {
  const spelling = spellingOf(fields);
  const input = fields.required('value', 'the value to set');
  const place = accessory && findPlace(accessory, spelling, fields, parsing.usedBefore(id, spelling));
  if (accessory && place) return resolve({ accessory, place, spelling, input });
  return { characteristicType: spelling, value: goneValue(input, fields, parsing) };
}

function spellingOf(fields: Fields): string {
  const text = fields.text('characteristicType', 'the name of a characteristic').trim();
  if (text !== '' && text.length <= MAX_NAME_LENGTH) return text;
  throw invalid(fields.at('characteristicType'), 'it must be the name of a characteristic');
}

/**
 * @param mayBeGone it was used before: then it may be missing now, for example after a device changed its attribute
 * database.
 */
function findPlace(
  accessory: Accessory,
  spelling: string,
  fields: Fields,
  mayBeGone: boolean,
): ServiceCharacteristic | undefined {
  try {
    return resolveCharacteristic(accessory, spelling);
  } catch (error) {
    if (!(error instanceof HearthError)) throw error;
    if (mayBeGone) return undefined;
    throw fault(error.code, fields.at('characteristicType'), error.message);
  }
}

function goneValue(input: unknown, fields: Fields, parsing: Parsing): Json {
  const path = fields.at('value');
  return hasTemplate(input) ? parsing.templates(input, path) : scalar(input, path);
}

/** The only check that is possible without the characteristic. */
function scalar(input: unknown, path: string): CharacteristicValue {
  if (typeof input === 'string' || typeof input === 'boolean') return input;
  if (typeof input === 'number' && Number.isFinite(input)) return input + 0;
  if (input === undefined) throw missing(path, 'a value');
  throw invalid(path, 'it must be true, false, a number or a text');
}

function orFault<T>(fields: Fields, resolve: () => T): T {
  try {
    return resolve();
  } catch (error) {
    if (!(error instanceof HearthError)) throw error;
    const name = error.code === 'invalid_value' ? 'value' : 'characteristicType';
    throw fault(error.code, fields.at(name), error.message);
  }
}

/**
 * The name that identifies this characteristic: snake_case, numbered from the second one. If that is the name of
 * another property, the full UUID.
 */
function nameOf(accessory: Accessory, { characteristic }: Pick<ServiceCharacteristic, 'characteristic'>): string {
  const { type } = characteristic;
  const places = bindingsOf(accessory.services).byType.get(type) ?? [];
  const index = places.findIndex((place) => place.characteristic === characteristic);
  const names = [characteristicName(type), fullUuid(type)].map((name) => (index > 0 ? `${name}_${index + 1}` : name));
  return names.find((name) => means(accessory, name, characteristic)) ?? (names[0] as string);
}

function means(accessory: Accessory, name: string, characteristic: Characteristic): boolean {
  try {
    return resolveCharacteristic(accessory, name).characteristic === characteristic;
  } catch {
    return false;
  }
}

/** A property with its own words keeps its name: the template yields these words, not the characteristic's values. */
function nameForTemplates(accessory: Accessory, spelling: string, place: ServiceCharacteristic): string {
  const binding = bindingsOf(accessory.services).byWord.get(foldWord(spelling));
  const hasOwnWords =
    binding?.characteristic === place.characteristic &&
    binding.conversion.write !== parseValue &&
    binding.conversion.write !== flag.write;
  return hasOwnWords ? binding.property : nameOf(accessory, place);
}

function conversionOf(accessory: Accessory, spelling: string, characteristic: Characteristic): Conversion {
  const binding = bindingsOf(accessory.services).byWord.get(foldWord(spelling));
  return binding?.characteristic === characteristic ? binding.conversion : plain;
}
