/** A native automation as a draft: the form in which the editor edits it. `draft-as-native.ts` is the way back. */
import type { HomeState } from '../../../home/home-state.ts';
import { nameOfAction } from '../../scenes/scene-actions.ts';
import type { Automation } from '../native/automation.ts';
import { conditionsOf, eventTriggers, triggersOf } from '../native/to-program.ts';
import type { FlowParts } from '../parsing/parsing.ts';
import type { Trigger } from '../triggers/index.ts';

/** What `parseDraft` accepts. */
interface DraftData extends FlowParts {
  readonly name: string;
  readonly enabled: boolean;
  readonly mode: 'single';
  readonly until: readonly object[];
  readonly executeOnce: boolean;
}

/** All that a draft has of a native automation. */
type DraftedAutomation = Pick<Automation, 'homeId' | 'name' | 'enabled' | 'trigger' | 'actions'>;

export function nativeAsDraft(automation: DraftedAutomation, state: HomeState): DraftData {
  const { name, enabled, trigger } = automation;
  const isEvent = trigger.type === 'event';
  return {
    name,
    enabled,
    mode: 'single',
    triggers: triggersOf(automation).map(toWire),
    conditions: isEvent ? conditionsOf(trigger) : { operator: 'and', conditions: [] },
    actions: settingsOf(automation, state),
    until: isEvent ? eventTriggers(trigger.endEvents, 'endEvents').map(toWire) : [],
    executeOnce: trigger.executeOnce,
  };
}

/** What it refers to: accessories of it may be missing. */
export function partsOfNative(automation: Automation, state: HomeState): FlowParts {
  const { triggers, until, conditions, actions } = nativeAsDraft(automation, state);
  return { triggers: [...triggers, ...until], conditions, actions };
}

function settingsOf({ homeId, actions }: DraftedAutomation, state: HomeState): readonly object[] {
  return actions.map((action) => ({
    type: 'set_characteristic',
    accessoryId: action.accessoryId,
    characteristicType: nameOfAction(action, state.accessoryIn(homeId, action.accessoryId)),
    value: action.value,
  }));
}

/** Ids of native triggers are paths, which flows do not accept: the editor gives new ones. */
function toWire({ id: _, ...trigger }: Trigger): object {
  if (trigger.type !== 'calendar') return trigger;
  const at = timeOfDay(trigger.components);
  return at === undefined ? trigger : { type: 'time', enabled: trigger.enabled, at };
}

/** `HH:MM` if the components are a time of every day. */
function timeOfDay({ hour, minute, second, ...others }: Readonly<Record<string, number | undefined>>) {
  const isDaily = Object.keys(others).length === 0 && hour !== undefined && minute !== undefined && second !== 0;
  if (!isDaily) return undefined;
  return [hour, minute, ...(second === undefined ? [] : [second])]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
