/** What a scene does: each accessory once, by the action that shows most of it; those with the same words together. */
import { isPlain } from '../../pickers/property-words.ts';
import type { SceneAction } from './scene-documents.ts';

type Action = Pick<SceneAction, 'accessoryName' | 'accessoryId' | 'propertyName' | 'targetValue'>;

/** A property with the value that the words are about. */
type WordedValue = readonly [property: string, value: unknown];

export interface SceneEffect {
  /** `undefined`: values that are not understood beside a name alone, as a hue is. */
  readonly setting: WordedValue | undefined;
  readonly accessoryId: string;
  /** `null`: the accessory is gone. */
  readonly names: readonly (string | null)[];
}

/** Also those of the second outlet of a strip. */
const POWER = /^(power_state|active)(_\d+)?$/;
const ON: WordedValue = ['power_state', true];
const OFF: WordedValue = ['power_state', false];
/** Blinds and windows at an end of their way, in the words of doors. */
const AT_END: ReadonlyMap<unknown, WordedValue> = new Map([
  [0, ['target_door_state', 1]],
  [100, ['target_door_state', 0]],
]);

/** What it turns on, what it turns off, then the others as they come. @param hasWords whether a value has words */
export function effectsOf(
  actions: readonly Action[],
  hasWords: (property: string, value: unknown) => boolean,
): readonly SceneEffect[] {
  const effects = new Map<string, SceneEffect>();
  const seen = new Set<string>();
  const put = (choose: (setting: WordedValue) => boolean, isWorded = true) => {
    const those = actions.filter((action) => !seen.has(action.accessoryId) && choose(settingOf(action)));
    for (const action of those) {
      const { accessoryId, accessoryName } = action;
      if (seen.has(accessoryId)) continue;
      seen.add(accessoryId);
      const setting = isWorded ? settingOf(action) : undefined;
      const key = JSON.stringify(setting ?? null);
      const names = effects.get(key)?.names ?? [];
      effects.set(key, { accessoryId, ...effects.get(key), setting, names: [...names, accessoryName] });
    }
  };
  put((setting) => setting === ON);
  put((setting) => setting === OFF);
  put(([property]) => isAmount(property));
  put((setting) => hasWords(...setting));
  put(() => true, false);
  return [...effects.values()];
}

function settingOf({ propertyName, targetValue }: Action): WordedValue {
  if (POWER.test(propertyName)) return targetValue === true || targetValue === 1 ? ON : OFF;
  if (propertyName === 'heating_cooling_target' && targetValue === 0) return OFF;
  const end = propertyName === 'target_position' ? AT_END.get(targetValue) : undefined;
  return end ?? [propertyName, targetValue];
}

function isAmount(property: string): boolean {
  return property === 'target_position' || isPlain(property);
}
