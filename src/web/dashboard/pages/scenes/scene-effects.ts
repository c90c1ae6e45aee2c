/** What a scene does, in groups: what it turns off, what it turns on, and what else it sets. */
import type { SceneAction } from './scene-documents.ts';

type Action = Pick<SceneAction, 'accessoryName' | 'accessoryId' | 'propertyName' | 'targetValue'>;

export interface SceneEffects {
  /** Names, each in the first group that it fits into; `null`: the accessory is gone. */
  readonly off: readonly (string | null)[];
  readonly on: readonly (string | null)[];
  readonly sets: readonly (string | null)[];
}

/** Also those of the second outlet of a strip. */
const POWER = /^(power_state|active)(_\d+)?$/;

export function effectsOf(actions: readonly Action[]): SceneEffects {
  const groups = { off: new Map<string, string | null>(), on: new Map(), sets: new Map() };
  const seen = new Set<string>();
  const put = (group: keyof typeof groups, those: readonly Action[]) => {
    for (const { accessoryId, accessoryName } of those) {
      if (!seen.has(accessoryId)) groups[group].set(accessoryId, accessoryName);
    }
    for (const { accessoryId } of those) seen.add(accessoryId);
  };
  const power = actions.filter(({ propertyName }) => POWER.test(propertyName));
  put(
    'on',
    power.filter(({ targetValue }) => isOn(targetValue)),
  );
  put('off', power);
  put('sets', actions);
  return {
    off: [...groups.off.values()],
    on: [...groups.on.values()],
    sets: [...groups.sets.values()],
  };
}

function isOn(value: unknown): boolean {
  return value === true || value === 1;
}
