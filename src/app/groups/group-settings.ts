/**
 * What setting properties of a group comes down to: settings of its members, so that a request which names groups and accessories
 * is still one write. And back: one outcome a property, and one more for each member that failed.
 */
import { asAccessory } from '../../home/group-accessory.ts';
import { memberCharacteristic } from '../../home/group-service.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory, Characteristic, ServiceGroup } from '../../home/model.ts';
import { bindingsOf } from '../../home/vocabulary/bindings.ts';
import { resolveSetting, type Setting } from '../../home/vocabulary/settings.ts';
import { HearthError } from '../../kernel/errors.ts';
import { notFound } from '../access/authorize.ts';
import { type AccessoryOutcome, attempt, type SettingOutcome } from '../control/outcome.ts';
import type { AccessorySettings } from '../control/write-plan.ts';
import { type MemberTarget, targetsOf } from './group-members.ts';

/** As of an accessory; of a group with the name of the member that it is about, where it is a failure of one. */
export type GroupSettingOutcome = SettingOutcome & { readonly member?: string };

export interface ExpandedGroup {
  /** One for each member that is there. */
  readonly items: readonly AccessorySettings[];
  /** @param outcomes one for each item, in order. */
  fold(outcomes: readonly AccessoryOutcome[]): readonly GroupSettingOutcome[];
}

interface Planned {
  readonly property: string;
  /** What it means for the group as a whole, or why it means nothing. */
  readonly setting: Setting | HearthError;
}

/** Values are checked against the group first, then by each member against its own range. */
export function expandGroup(
  group: ServiceGroup,
  settings: Readonly<Record<string, unknown>>,
  state: HomeState,
  storedName: (accessoryId: string) => string | undefined,
): ExpandedGroup {
  const whole = asAccessory(group, state);
  const targets = targetsOf(group, state, storedName);
  const planned = Object.entries(settings).map(([property, input]): Planned => {
    return {
      property,
      setting: whole ? attempt(() => resolveSetting(whole, property, input)) : notFound('accessory_not_found'),
    };
  });
  const items: AccessorySettings[] = [];
  /** Which item is a target's. */
  const indexes = new Map<MemberTarget, number>();
  for (const target of targets) {
    if (target.fault) continue;
    const own = planned.flatMap(({ setting }) => {
      const name = setting instanceof HearthError ? undefined : memberProperty(target, setting.characteristic);
      return name === undefined || setting instanceof HearthError ? [] : [[name, setting.value] as const];
    });
    indexes.set(target, items.push({ accessoryId: target.accessory.id, settings: Object.fromEntries(own) }) - 1);
  }

  const outcomesOf = ({ property, setting }: Planned, results: readonly AccessoryOutcome[]): GroupSettingOutcome[] => {
    if (setting instanceof HearthError) {
      const { code, message } = setting;
      return [{ property, ok: false, code, message }];
    }
    const failures: GroupSettingOutcome[] = [];
    let written = false;
    for (const target of targets) {
      const outcome = target.fault ?? resultOf(target, setting.characteristic, results[indexes.get(target) ?? -1]);
      if (!outcome) continue;
      if ('ok' in outcome && outcome.ok) written = true;
      else failures.push({ property, ok: false, code: outcome.code, message: outcome.message, member: target.name });
    }
    return written ? [{ property, ok: true, value: setting.value }, ...failures] : failures;
  };
  return { items, fold: (results) => planned.flatMap((one) => outcomesOf(one, results)) };
}

type PresentTarget = Extract<MemberTarget, { fault: null }>;

/** @returns `undefined` for a member that has no such characteristic: a lamp without colour takes no part in a colour. */
function resultOf(
  target: PresentTarget,
  characteristic: Characteristic,
  result: AccessoryOutcome | undefined,
): SettingOutcome | undefined {
  const name = memberProperty(target, characteristic);
  return name === undefined ? undefined : result?.settings.find(({ property }) => property === name);
}

/** The name of the property by which the member's own characteristic is reached, whatever service it is in: `on_2`. */
function memberProperty({ accessory, service }: PresentTarget, { type }: Characteristic): string | undefined {
  const own = memberCharacteristic(service, type);
  return own && propertyOf(accessory, own);
}

function propertyOf(accessory: Accessory, characteristic: Characteristic): string | undefined {
  const { list, byType } = bindingsOf(accessory.services);
  const bound = list.find((binding) => binding.characteristic === characteristic)?.property;
  if (bound !== undefined) return bound;
  // What has no name of ours is reached by its type, numbered like a property.
  const number =
    (byType.get(characteristic.type) ?? []).findIndex((place) => place.characteristic === characteristic) + 1;
  return number > 1 ? `${characteristic.type}_${number}` : characteristic.type;
}
