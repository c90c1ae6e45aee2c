/**
 * Operations through an open share. They use the share's own caller, so that `Access` authorizes it like any other. In
 * addition, an accessory shared through a group is reached only through the group's services.
 */
import type { ShareReport } from '../../contract/share-links.ts';
import { asAccessory, membersOf } from '../../home/group-accessory.ts';
import { memberCharacteristic } from '../../home/group-service.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory, CharacteristicValue, HapId, ServiceGroup } from '../../home/model.ts';
import { bindingsOf } from '../../home/vocabulary/bindings.ts';
import { opensUnlocksOrDisarms } from '../../home/vocabulary/guarded.ts';
import {
  type CharacteristicSetting,
  requireWritable,
  resolveCharacteristic,
  resolveSetting,
} from '../../home/vocabulary/settings.ts';
import { parseValue, shorten } from '../../home/vocabulary/values.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { addressKey } from '../access/attempts.ts';
import { insufficientPermissions, notFound } from '../access/authorize.ts';
import type { CharacteristicWrite, Control } from '../control/control.ts';
import { attempt, type CharacteristicOutcome } from '../control/outcome.ts';
import type { OpenShare } from './open-share.ts';
import { ShareRateLimits } from './request-limits.ts';

/** A command for all accessories of a share that support it. */
export interface ShareCommand {
  /**
   * `toggle`: if any accessory is on, all are switched off, else all on. Otherwise simplified properties (API §4.1.1),
   * such as `{ hue: 30 }`.
   */
  readonly settings: 'toggle' | Readonly<Record<string, unknown>>;
  /** Only these; all if absent. */
  readonly accessoryIds?: ReadonlySet<string> | undefined;
}

export interface ShareWrite {
  readonly accessoryId: string;
  /** Any spelling. */
  readonly characteristicType: string;
  readonly serviceIid?: HapId | undefined;
  readonly value: unknown;
}

/** One setting of one accessory: its target, or why there is none. */
interface Planned {
  readonly accessory: Accessory;
  readonly property: string;
  readonly setting: CharacteristicSetting | HearthError;
}

/** Errors of an accessory without this property: it is skipped, which is no failure. */
const NO_PART: ReadonlySet<string> = new Set(['characteristic_not_found', 'characteristic_not_writable']);

export class ShareControl {
  readonly #state: HomeState;
  readonly #control: Pick<Control, 'writeCharacteristics'>;
  readonly #limits: ShareRateLimits;

  constructor(deps: { state: HomeState; control: Pick<Control, 'writeCharacteristics'>; clock: Clock }) {
    this.#state = deps.state;
    this.#control = deps.control;
    this.#limits = new ShareRateLimits(deps);
  }

  /**
   * Sets properties of every accessory of the share that has them, in one write, and waits for the devices. Units are
   * those of `Control.setProperties`. For shares opened with the role control.
   * @throws `insufficient_permissions` · `accessory_not_found` a requested one is not in the share ·
   *         `characteristic_not_found` no accessory has any of the properties · `invalid_value` no accessory with the
   *         property accepts the value; names the accepted ones · `rate_limited` too many acts
   */
  async control(share: OpenShare, command: 'toggle' | ShareCommand): Promise<ShareReport> {
    requireControl(share);
    const { settings, accessoryIds } = command === 'toggle' ? { settings: command, accessoryIds: undefined } : command;
    const accessories = accessoriesOf(share, accessoryIds);
    this.#count(share);
    const wanted = Object.entries(settings === 'toggle' ? { on: !runsAny(accessories) } : settings);
    const planned = accessories.flatMap((accessory) =>
      wanted.flatMap(([property, input]) => plan(accessory, property, input) ?? []),
    );
    requireTaken(planned, wanted);
    const writes = planned.flatMap(({ accessory, setting }) =>
      setting instanceof HearthError ? [] : [writeOf(accessory, setting)],
    );
    const outcomes = await this.#control.writeCharacteristics(share.caller, writes);
    return report(planned, outcomes, Object.fromEntries(wanted));
  }

  /**
   * Whether GET may not do this: the share requires POST, or the command opens, unlocks or disarms something and its
   * owner did not allow that. Messenger previews, mail scanners and browser prefetching fetch links (decisions §14).
   */
  requiresPost(share: OpenShare, { settings, accessoryIds }: ShareCommand): boolean {
    if (share.requirePost || share.allowGet) return share.requirePost;
    const accessories = accessoriesOf(share, accessoryIds);
    const wanted = Object.entries(settings === 'toggle' ? { on: !runsAny(accessories) } : settings);
    return accessories.some((accessory) =>
      wanted.some(([property, input]) => {
        const setting = plan(accessory, property, input)?.setting;
        return setting !== undefined && !(setting instanceof HearthError) && opensUnlocksOrDisarms(setting);
      }),
    );
  }

  /**
   * Writes one characteristic of one accessory of the share and waits for the device.
   * @returns the value that the device confirmed.
   * @throws `accessory_not_found` · `insufficient_permissions` · `characteristic_not_found` ·
   *         `characteristic_not_writable` · `invalid_value` · `relay_not_connected` · `accessory_unreachable` ·
   *         `accessory_error` · `rate_limited` too many acts
   */
  async setCharacteristic(share: OpenShare, write: ShareWrite): Promise<{ readonly value: CharacteristicValue }> {
    const [accessory] = accessoriesOf(share, new Set([write.accessoryId.toLowerCase()]));
    requireControl(share);
    this.#count(share);
    if (!accessory) throw notFound('accessory_not_found');
    const { service } = resolveCharacteristic(accessory, write.characteristicType, write.serviceIid);
    const [outcome] = await this.#control.writeCharacteristics(share.caller, [
      { ...write, accessoryId: accessory.id, serviceIid: service.iid },
    ]);
    if (!outcome) throw new Error('A write has no outcome');
    if (!outcome.ok) throw new HearthError(outcome.code, outcome.message);
    return { value: outcome.value };
  }

  /**
   * Writes one characteristic of every member of a group of the share that has it, in one write.
   * @returns how many members accepted it, and one line for each that did not.
   * @throws `service_group_not_found` · as `setCharacteristic`
   */
  async setServiceGroup(
    share: OpenShare,
    { groupId, characteristicType, value }: { groupId: string; characteristicType: string; value: unknown },
  ): Promise<{ readonly groupId: string; readonly affectedCount: number; readonly errors: readonly string[] }> {
    const group = share.serviceGroups().find(({ id }) => id === groupId.toLowerCase());
    if (!group) throw notFound('service_group_not_found');
    requireControl(share);
    this.#count(share);
    const writes = this.#groupWrites(group, characteristicType, value);
    const outcomes = await this.#control.writeCharacteristics(share.caller, writes);
    const errors = outcomes.flatMap((outcome) =>
      outcome.ok ? [] : [`${this.#state.accessory(outcome.accessoryId)?.name}: ${outcome.message}`],
    );
    return { groupId: group.id, affectedCount: outcomes.length - errors.length, errors };
  }

  /** Counted here, so that every API has the same limits. @throws `rate_limited` */
  #count({ hash, caller }: OpenShare): void {
    this.#limits.countAct(addressKey(caller.address), hash);
  }

  #groupWrites(group: ServiceGroup, characteristicType: string, input: unknown): readonly CharacteristicWrite[] {
    const whole = asAccessory(group, this.#state);
    if (!whole) throw notFound('accessory_not_found');
    const { characteristic } = resolveCharacteristic(whole, characteristicType);
    requireWritable(whole, characteristic, characteristicType);
    const value = parseValue(characteristic, input, characteristicType);
    return membersOf(group, this.#state).flatMap(({ accessory, service }) => {
      const own = memberCharacteristic(service, characteristic.type);
      if (!own) return [];
      return [{ accessoryId: accessory.id, characteristicType: own.type, serviceIid: service.iid, value }];
    });
  }
}

function requireControl({ role }: OpenShare): void {
  if (role !== 'control') throw insufficientPermissions();
}

/** @throws `accessory_not_found` */
function accessoriesOf(share: OpenShare, ids: ReadonlySet<string> | undefined): readonly Accessory[] {
  const accessories = share.accessories();
  if (!ids) return accessories;
  const wanted = accessories.filter(({ id }) => ids.has(id));
  if (wanted.length < ids.size) throw notFound('accessory_not_found');
  return wanted;
}

function runsAny(accessories: readonly Accessory[]): boolean {
  return accessories.some(({ services }) => {
    const power = bindingsOf(services).byWord.get('on');
    return power?.conversion.read(power.characteristic, power.service) === true;
  });
}

/** @returns `undefined` if the accessory is skipped. */
function plan(accessory: Accessory, property: string, input: unknown): Planned | undefined {
  // Only accessories with the property itself: a thermostat, which has its own power switch, is no lamp.
  if (property === 'on' && !bindingsOf(accessory.services).byWord.has('on')) return undefined;
  const setting = attempt(() => resolveSetting(accessory, property, input));
  if (setting instanceof HearthError && NO_PART.has(setting.code)) return undefined;
  return { accessory, property, setting };
}

function requireTaken(planned: readonly Planned[], wanted: readonly (readonly [string, unknown])[]): void {
  const names = wanted.map(([property]) => shorten(property)).join(', ');
  if (planned.length === 0) {
    throw new HearthError('characteristic_not_found', `Nothing in this share can be set by ${names}.`);
  }
  const faults = planned.map(({ setting }) => setting);
  const [fault] = faults;
  if (fault instanceof HearthError && faults.every((one) => one instanceof HearthError)) throw fault;
}

/** By type and service, with the device's own value: writes exactly what was resolved. */
function writeOf(accessory: Accessory, { service, characteristic, value }: CharacteristicSetting): CharacteristicWrite {
  return { accessoryId: accessory.id, characteristicType: characteristic.type, serviceIid: service.iid, value };
}

function report(
  planned: readonly Planned[],
  outcomes: readonly CharacteristicOutcome[],
  given: Readonly<Record<string, unknown>>,
): ShareReport {
  const results = outcomes.values();
  const done = new Map<Accessory, string[]>();
  const failed = new Set<Accessory>();
  const errors: string[] = [];
  for (const { accessory, property, setting } of planned) {
    const fault = setting instanceof HearthError ? setting : failureOf(results.next().value);
    if (fault) {
      failed.add(accessory);
      errors.push(`${accessory.name}.${shorten(property)}: ${fault.message}`);
    } else {
      done.set(accessory, [...(done.get(accessory) ?? []), `${property}=${String(given[property])}`]);
    }
  }
  const changes = [...done].map(([{ name }, settings]) => `${name}: ${settings.join(', ')}`);
  return { success: errors.length === 0, updated: done.size, failed: failed.size, changes, errors };
}

function failureOf(outcome: CharacteristicOutcome | undefined): { readonly message: string } | undefined {
  if (!outcome) throw new Error('A write has no outcome');
  return outcome.ok ? undefined : outcome;
}
