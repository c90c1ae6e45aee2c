/**
 * Parses and presents the actions of a scene. Everything is checked here, so that a stored scene can be executed at
 * once. Later changes to its accessories are detected on execution.
 */
import { parseInput } from '../../contract/parse.ts';
import { type NewSceneAction, SceneActionList } from '../../contract/scenes.ts';
import { characteristicByType, characteristicName } from '../../hap-spec/characteristics.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory, Characteristic, CharacteristicValue, HapId, SceneAction } from '../../home/model.ts';
import { bindingsOf, type ServiceCharacteristic } from '../../home/vocabulary/bindings.ts';
import { parseValue, shorten } from '../../home/vocabulary/values.ts';
import { type ErrorCode, HearthError } from '../../kernel/errors.ts';
import { resolveWrite } from '../control/resolve-write.ts';

/** The form of characteristic types in scenes (API §4.1, scene rules). */
const PLATFORM_PREFIX = 'public.hap.characteristic.';

/**
 * @throws `accessory_not_found` not in this home · `characteristic_not_found` · `characteristic_not_writable` ·
 *         `invalid_value`. Each error names the index in the list, also in `details.field`.
 */
export function parseActions(
  actions: readonly NewSceneAction[],
  homeId: string,
  state: HomeState,
): readonly SceneAction[] {
  const seen = new Map<string, number>();
  return actions.map((item, index) => {
    const { accessory, place, value } = parseAction(item, `actions[${index}]`, homeId, state);
    const key = `${accessory.id} ${place.characteristic.iid}`;
    const earlier = seen.get(key);
    if (earlier !== undefined) {
      const what = `${nameIn(accessory, place)} of '${accessory.name}'`;
      throw fault(
        'invalid_value',
        `actions[${index}]`,
        `actions[${earlier}] sets ${what} already; keep one of the two`,
      );
    }
    seen.set(key, index);
    return actionOn(accessory, place, value);
  });
}

/** Parses actions that no schema has parsed yet. @throws as `parseInput` and `parseActions` */
export function parseActionList(actions: unknown, homeId: string, state: HomeState): readonly SceneAction[] {
  return parseActions(parseInput(SceneActionList, { actions }).actions, homeId, state);
}

/** The stored form of setting a characteristic: includes the service only if the plain name would mean another one. */
export function actionOn(
  accessory: Accessory,
  { service, characteristic: { type } }: ServiceCharacteristic,
  value: CharacteristicValue,
): SceneAction {
  const [plain] = placesOf(accessory, type);
  return { accessoryId: accessory.id, serviceIid: plain?.service === service ? null : service.iid, type, value };
}

/** The value as its device accepts it; `null` if it cannot be set: read-only or out of range. */
export function valueToSet(characteristic: Characteristic, value: CharacteristicValue): CharacteristicValue {
  if (value === null || !characteristic.permissions.includes('pw')) return null;
  try {
    return parseValue(characteristic, value);
  } catch (error) {
    if (error instanceof HearthError) return null;
    throw error;
  }
}

/** `public.hap.characteristic.on`; a type without a HAP name is its full UUID. */
export function platformType(type: string): string {
  const spec = characteristicByType(type);
  return spec ? PLATFORM_PREFIX + spec.hapName : characteristicName(type);
}

/** The property name: `brightness`, or `power_state_2` for the second of an accessory. */
export function nameOfAction({ type, serviceIid }: SceneAction, accessory: Accessory | undefined): string {
  const name = characteristicName(type);
  if (!accessory || serviceIid === null) return name;
  return numbered(
    name,
    placesOf(accessory, type).findIndex(({ service }) => service.iid === serviceIid),
  );
}

interface ParsedAction {
  readonly accessory: Accessory;
  readonly place: ServiceCharacteristic;
  readonly value: CharacteristicValue;
}

function parseAction(action: NewSceneAction, path: string, homeId: string, state: HomeState): ParsedAction {
  const accessory = state.accessory(action.accessoryId);
  if (!accessory || accessory.homeId !== homeId) {
    throw fault('accessory_not_found', `${path}.accessoryId`, 'Accessory not found');
  }
  const serviceIid = parseServiceId(action.serviceId, accessory, `${path}.serviceId`);
  try {
    const { characteristicType: property, targetValue: input } = action;
    const { value, ...place } = resolveWrite(accessory, { property, serviceIid, input });
    return { accessory, place, value };
  } catch (error) {
    if (!(error instanceof HearthError)) throw error;
    const field = error.code === 'invalid_value' ? 'targetValue' : 'characteristicType';
    throw fault(error.code, `${path}.${field}`, error.message);
  }
}

/** A service id is the accessory id followed by the iid; the iid alone is accepted. */
function parseServiceId(
  given: string | null | undefined,
  { id, name, services }: Accessory,
  field: string,
): HapId | undefined {
  if (given === undefined || given === null) return undefined;
  const text = given.toLowerCase();
  const iid = text.startsWith(`${id}.`) ? text.slice(id.length + 1) : text;
  if (services.some((service) => service.iid === iid)) return iid;
  throw fault('characteristic_not_found', field, `'${name}' has no service '${shorten(text)}'`);
}

function nameIn(accessory: Accessory, { service, characteristic: { type } }: ServiceCharacteristic): string {
  const index = placesOf(accessory, type).findIndex((place) => place.service === service);
  return numbered(characteristicName(type), index);
}

function numbered(name: string, index: number): string {
  return index > 0 ? `${name}_${index + 1}` : name;
}

/** Every service of an accessory with the characteristic; first the one with the plain name. */
function placesOf({ services }: Accessory, type: string): readonly ServiceCharacteristic[] {
  return bindingsOf(services).byType.get(type) ?? [];
}

function fault(code: ErrorCode, field: string, sentence: string): HearthError {
  return new HearthError(code, `${field}: ${sentence}`, { field });
}
