/**
 * Expands the settings of a group to settings of its members, so that a request with groups and accessories is still
 * one write. Folds the results back to one outcome per property, and one more for each member that failed.
 */
import { asAccessory } from '../../home/group-accessory.ts';
import { memberCharacteristic } from '../../home/group-service.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory, Characteristic, ServiceGroup } from '../../home/model.ts';
import { bindingsOf } from '../../home/vocabulary/bindings.ts';
import { type CharacteristicSetting, resolveSetting } from '../../home/vocabulary/settings.ts';
import { HearthError } from '../../kernel/errors.ts';
import { notFound } from '../access/authorize.ts';
import { type AccessoryOutcome, attempt, type SettingOutcome } from '../control/outcome.ts';
import type { AccessorySettings } from '../control/write-plan.ts';
import { type MemberTarget, targetsOf } from './group-members.ts';

/** As for an accessory; for a group's failure, with the name of the failed member. */
export type GroupSettingOutcome = SettingOutcome & { readonly member?: string };

export interface ExpandedGroup {
  /** One per present member. */
  readonly items: readonly AccessorySettings[];
  /** @param outcomes one for each item, in order. */
  fold(outcomes: readonly AccessoryOutcome[]): readonly GroupSettingOutcome[];
}

interface Planned {
  readonly property: string;
  /** The setting of the group as a whole, or its error. */
  readonly setting: CharacteristicSetting | HearthError;
}

/** The settings of one member. */
interface MemberSettings {
  readonly target: MemberTarget;
  /** Its settings; none if the member is absent. */
  readonly item?: AccessorySettings;
  /**
   * The name of the member's property for each setting; none if the member lacks the characteristic, such as colour for
   * a white lamp. Resolved before anything is sent, because a device may describe itself again meanwhile.
   */
  readonly names: ReadonlyMap<Planned, string>;
}

/** Values are checked against the group first, then by each member against its own range. */
export function expandGroup(
  group: ServiceGroup,
  settings: Readonly<Record<string, unknown>>,
  state: HomeState,
  storedName: (accessoryId: string) => string | undefined,
): ExpandedGroup {
  const whole = asAccessory(group, state);
  const planned = Object.entries(settings).map(
    ([property, input]): Planned => ({
      property,
      setting: whole ? attempt(() => resolveSetting(whole, property, input)) : notFound('accessory_not_found'),
    }),
  );
  const shares = targetsOf(group, state, storedName).map((target) => shareOf(target, planned));
  return {
    items: shares.flatMap(({ item }) => item ?? []),
    fold(outcomes) {
      const results = outcomes.values();
      const answered = shares.map((share) => ({ ...share, result: share.item && results.next().value }));
      return planned.flatMap((one) => outcomesOf(one, answered));
    },
  };
}

function shareOf(target: MemberTarget, planned: readonly Planned[]): MemberSettings {
  const names = new Map<Planned, string>();
  if (target.fault) return { target, names };
  const settings: [string, unknown][] = [];
  for (const one of planned) {
    if (one.setting instanceof HearthError) continue;
    const name = memberProperty(target, one.setting.characteristic);
    if (name === undefined) continue;
    names.set(one, name);
    settings.push([name, one.setting.value]);
  }
  return { target, names, item: { accessoryId: target.accessory.id, settings: Object.fromEntries(settings) } };
}

function outcomesOf(
  planned: Planned,
  shares: readonly (MemberSettings & { readonly result: AccessoryOutcome | undefined })[],
): readonly GroupSettingOutcome[] {
  const { property, setting } = planned;
  if (setting instanceof HearthError) return [{ property, ok: false, code: setting.code, message: setting.message }];
  const failures: GroupSettingOutcome[] = [];
  let written = false;
  for (const { target, names, result } of shares) {
    const name = names.get(planned);
    const outcome = target.fault ?? result?.settings.find((one) => one.property === name);
    if (!outcome) continue;
    if ('ok' in outcome && outcome.ok) written = true;
    else failures.push({ property, ok: false, code: outcome.code, message: outcome.message, member: target.name });
  }
  return written ? [{ property, ok: true, value: setting.value }, ...failures] : failures;
}

type PresentTarget = Extract<MemberTarget, { fault: null }>;

/** The name of the property that addresses the member's own characteristic, in any of its services: `on_2`. */
function memberProperty({ accessory, service }: PresentTarget, { type }: Characteristic): string | undefined {
  const own = memberCharacteristic(service, type);
  return own && propertyOf(accessory, own);
}

function propertyOf(accessory: Accessory, characteristic: Characteristic): string | undefined {
  const { list, byType } = bindingsOf(accessory.services);
  const bound = list.find((binding) => binding.characteristic === characteristic)?.property;
  if (bound !== undefined) return bound;
  // A characteristic without a name is addressed by its type, numbered like a property.
  const number =
    (byType.get(characteristic.type) ?? []).findIndex((place) => place.characteristic === characteristic) + 1;
  return number > 1 ? `${characteristic.type}_${number}` : characteristic.type;
}
