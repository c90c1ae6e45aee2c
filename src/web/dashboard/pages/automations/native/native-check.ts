/** Errors of a draft, by place: the form shows each beside its field before a request. */
import type { NativeAction, NativeCondition, NativeDraft, NativeEvent } from './native-draft.ts';

export type NativeFault =
  | 'name'
  | 'nameEnd'
  | 'noEvents'
  | 'noActions'
  | 'accessory'
  | 'value'
  | 'change'
  | 'date'
  | 'past'
  | 'times'
  | 'range';

export type NativeFaults = Readonly<Record<string, NativeFault>>;

/** Names end with a letter or a number (API §2.4, `home/names.ts`). */
const NAME_END = /[\p{L}\p{N}]$/u;

/** @returns an empty object if the draft is valid; otherwise place → error, such as `trigger.events.0` */
export function faultsOf({ name, trigger, actions }: NativeDraft, now: number): NativeFaults {
  const faults: Record<string, NativeFault> = {};
  const note = (path: string, fault: NativeFault | undefined) => {
    if (fault) faults[path] = fault;
  };
  const trimmed = name.trim();
  if (trimmed === '') note('name', 'name');
  else if (!NAME_END.test(trimmed)) note('name', 'nameEnd');
  if (actions.length === 0) note('actions', 'noActions');
  for (const [index, action] of actions.entries()) note(`actions.${index}`, actionFault(action));
  if (trigger.type === 'timer') {
    const at = Date.parse(trigger.fireDate);
    if (Number.isNaN(at)) note('trigger.fireDate', 'date');
    else if (!trigger.recurrence && at <= now) note('trigger.fireDate', 'past');
    return faults;
  }
  if (trigger.events.length === 0) note('trigger.events', 'noEvents');
  for (const list of ['events', 'endEvents'] as const) {
    for (const [index, event] of trigger[list].entries()) note(`trigger.${list}.${index}`, eventFault(event));
  }
  for (const [index, condition] of trigger.conditions.entries()) {
    note(`trigger.conditions.${index}`, conditionFault(condition));
  }
  return faults;
}

function actionFault({ accessoryId, targetValue }: NativeAction): NativeFault | undefined {
  if (accessoryId === '') return 'accessory';
  return targetValue === undefined || targetValue === null ? 'value' : undefined;
}

function eventFault(event: NativeEvent): NativeFault | undefined {
  switch (event.type) {
    case 'characteristic': {
      const { accessoryId, thresholdMin, thresholdMax, triggerValue } = event;
      if (accessoryId === '') return 'accessory';
      if (triggerValue === null) return 'change';
      return thresholdMin !== undefined && thresholdMax !== undefined && thresholdMin > thresholdMax
        ? 'range'
        : undefined;
    }
    case 'calendar':
      return Object.keys(event.calendarComponents).length === 0 ? 'times' : undefined;
    case 'duration':
      return event.durationSeconds >= 1 ? undefined : 'value';
    case 'location':
      return event.radius > 0 && (event.notifyOnEntry || event.notifyOnExit) ? undefined : 'value';
    default:
      return undefined;
  }
}

function conditionFault(condition: NativeCondition): NativeFault | undefined {
  switch (condition.type) {
    case 'characteristic':
      if (condition.accessoryId === '') return 'accessory';
      return condition.value === undefined || condition.value === null ? 'value' : undefined;
    case 'time':
      return condition.afterTime || condition.beforeTime ? undefined : 'times';
    case 'significantEvent':
      return condition.afterEvent || condition.beforeEvent ? undefined : 'times';
    default:
      return undefined;
  }
}
