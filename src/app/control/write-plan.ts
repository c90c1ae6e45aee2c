/** Converts the settings of a request to writes, and the results back to one outcome per setting. */
import type { DriverWrite, WriteOutcome } from '../../home/accessory-driver.ts';
import type { Accessory, HapId } from '../../home/model.ts';
import { isPowerProperty } from '../../home/vocabulary/settings.ts';
import { HearthError } from '../../kernel/errors.ts';
import { type AccessoryOutcome, attempt, failureOf, type SettingOutcome } from './outcome.ts';
import { resolveWrite, type WantedSetting } from './resolve-write.ts';

export interface AccessorySettings {
  readonly accessoryId: string;
  /** Simplified properties (API §4.1.1), e.g. `{ brightness: 40 }`, or any other spelling of a characteristic. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Settings of one accessory that belong together. */
export interface WantedSettings {
  readonly accessoryId: string;
  readonly settings: readonly WantedSetting[];
}

/** The plan of one setting: already rejected, or decided by the write at `index`. */
type Planned =
  | { readonly property: string; readonly error: HearthError }
  | { readonly property: string; readonly index: number };

interface PlannedWrite {
  /** The index of its item. */
  readonly item: number;
  readonly property: string;
  readonly write: DriverWrite;
  readonly target: WriteTarget;
}

/** The write in terms of the home model. */
export interface WriteTarget {
  readonly accessoryId: string;
  readonly serviceIid: HapId;
  readonly iid: HapId;
}

export interface WritePlan {
  readonly writes: readonly DriverWrite[];
  /** The target of each write. */
  readonly targets: readonly WriteTarget[];
  /** @param results one per write, in order. */
  outcomes(results: readonly WriteOutcome[]): readonly AccessoryOutcome[];
}

/**
 * Plans one write per characteristic. Of several settings for the same one the last wins, as if they had been sent one
 * after the other. On a thermostat `active` and `hvac_mode` map to one characteristic, and the key order of an object
 * has no meaning. Beside a mode, switching on adds nothing, and switching off wins.
 * @param find returns the accessory to write to, or throws the reason why not.
 */
export function planWrites(items: readonly WantedSettings[], find: (accessoryId: string) => Accessory): WritePlan {
  const writes: PlannedWrite[] = [];
  // Made with the second setting: most requests have one.
  let indexes: Map<string, number> | undefined;
  const keyOf = ({ accessoryId, iid }: WriteTarget): string => `${accessoryId} ${iid}`;

  const add = (item: number, accessory: Accessory, setting: WantedSetting): number => {
    const { property } = setting;
    const { service, characteristic, value } = resolveWrite(accessory, setting);
    const planned: PlannedWrite = {
      item,
      property,
      write: { address: accessory.address, iid: characteristic.iid, value },
      target: { accessoryId: accessory.id, serviceIid: service.iid, iid: characteristic.iid },
    };
    if (writes.length === 0) return writes.push(planned) - 1;
    indexes ??= new Map(writes.map(({ target }, at) => [keyOf(target), at]));
    const key = keyOf(planned.target);
    const index = indexes.get(key);
    const earlier = index === undefined ? undefined : writes[index];
    if (index === undefined || !earlier) {
      indexes.set(key, writes.length);
      return writes.push(planned) - 1;
    }
    if (!givesWay(planned, earlier)) writes[index] = planned;
    return index;
  };

  const plan = items.map(({ accessoryId, settings }, item) => {
    const target = attempt(() => find(accessoryId));
    const planned = settings.map((setting): Planned => {
      const { property } = setting;
      if (target instanceof HearthError) return { property, error: target };
      const index = attempt(() => add(item, target, setting));
      return index instanceof HearthError ? { property, error: index } : { property, index };
    });
    return { accessoryId, planned };
  });

  return {
    writes: writes.map(({ write }) => write),
    targets: writes.map(({ target }) => target),
    outcomes: (results) =>
      plan.map(({ accessoryId, planned }) => ({
        accessoryId,
        settings: planned.map((setting) => outcomeOf(setting, results)),
      })),
  };
}

/** Whether a later setting for the same characteristic keeps the earlier one. */
function givesWay(later: PlannedWrite, earlier: PlannedWrite): boolean {
  const laterIsPower = isPowerProperty(later.property);
  if (laterIsPower === isPowerProperty(earlier.property)) return false;
  const together = later.item === earlier.item;
  if (laterIsPower) return turnsOn(later) && (together || turnsOn(earlier));
  return together && !turnsOn(earlier);
}

/** Off is 0 or false, set by a switch or by a mode. */
function turnsOn({ write: { value } }: PlannedWrite): boolean {
  return value !== 0 && value !== false;
}

function outcomeOf(setting: Planned, results: readonly WriteOutcome[]): SettingOutcome {
  const { property } = setting;
  if ('error' in setting) return { property, ok: false, code: setting.error.code, message: setting.error.message };
  const result = results[setting.index];
  if (result?.ok) return { property, ok: true, value: result.value };
  const { code, message } = failureOf(result);
  return { property, ok: false, code, message };
}

/** The writable targets of an accessory, or of one characteristic. */
export function targetsOf(accessory: Accessory | undefined, only?: HapId): readonly WriteTarget[] {
  const { id: accessoryId, services = [] } = accessory ?? { id: '' };
  return services.flatMap(({ iid: serviceIid, characteristics }) =>
    characteristics
      .filter(({ iid }) => only === undefined || iid === only)
      .map(({ iid }) => ({ accessoryId, serviceIid, iid })),
  );
}
