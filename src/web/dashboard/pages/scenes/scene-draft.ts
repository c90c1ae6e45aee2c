/** A scene during editing. */
import type { PropertyRef } from '../../pickers/property.ts';
import type { SceneAction } from './scene-documents.ts';

/** One action of the scene. */
export interface DraftAction {
  readonly accessoryId: string;
  /** In snake_case, numbered from the second service that has it. */
  readonly property: string;
  readonly value: unknown;
  /** The stored action in the relay's format, to send back unchanged; undefined for a new action. */
  readonly kept: Pick<SceneAction, 'characteristicType' | 'serviceId' | 'accessoryName'> | undefined;
}

export interface SceneDraft {
  readonly name: string;
  readonly icon: string | null;
  readonly color: string | null;
  readonly actions: readonly DraftAction[];
}

export function draftOf({
  name,
  icon,
  color,
  actionList,
}: Pick<SceneDraft, 'name' | 'icon' | 'color'> & { readonly actionList: readonly SceneAction[] }): SceneDraft {
  return {
    name,
    icon,
    color,
    actions: actionList.map(({ accessoryId, propertyName, targetValue, ...kept }) => ({
      accessoryId,
      property: propertyName,
      value: targetValue,
      kept,
    })),
  };
}

export function refOf({ accessoryId, property }: DraftAction): PropertyRef {
  return { accessoryId, characteristicType: property };
}

export function keyOf({ accessoryId, property }: Pick<DraftAction, 'accessoryId' | 'property'>): string {
  return `${accessoryId} ${property}`;
}

export function withValue(draft: SceneDraft, key: string, value: unknown): SceneDraft {
  return {
    ...draft,
    actions: draft.actions.map((action) => (keyOf(action) === key ? { ...action, value } : action)),
  };
}

export function withoutAction(draft: SceneDraft, key: string): SceneDraft {
  return { ...draft, actions: draft.actions.filter((action) => keyOf(action) !== key) };
}

/** Appends the action; an existing action for the same property gets its value. */
export function withAction(
  draft: SceneDraft,
  { accessoryId, characteristicType }: PropertyRef,
  value: unknown,
): SceneDraft {
  const key = keyOf({ accessoryId, property: characteristicType });
  if (draft.actions.some((action) => keyOf(action) === key)) return withValue(draft, key, value);
  const added: DraftAction = { accessoryId, property: characteristicType, value, kept: undefined };
  return { ...draft, actions: [...draft.actions, added] };
}

/** @param valueNow the current value of a property; nothing if unknown */
export function recaptured(draft: SceneDraft, valueNow: (ref: PropertyRef) => unknown): SceneDraft {
  return {
    ...draft,
    actions: draft.actions.map((action) => ({ ...action, value: valueNow(refOf(action)) ?? action.value })),
  };
}

/** In the API's format. */
export function presentActions({ actions }: SceneDraft): readonly Record<string, unknown>[] {
  return actions.map(({ accessoryId, property, value, kept }) => ({
    accessoryId,
    characteristicType: kept?.characteristicType ?? property,
    targetValue: value,
    ...(kept?.serviceId != null && { serviceId: kept.serviceId }),
  }));
}

/** Whether the draft has unsaved changes. */
export function isChanged(draft: SceneDraft, saved: SceneDraft): boolean {
  const plain = ({ name, icon, color, actions }: SceneDraft) =>
    JSON.stringify([name.trim(), icon, color, actions.map((action) => [keyOf(action), action.value])]);
  return plain(draft) !== plain(saved);
}
