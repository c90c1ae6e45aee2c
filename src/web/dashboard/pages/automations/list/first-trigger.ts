/** What triggers an automation of the list, in the form of a flow. */
import type { FlowNode, Json } from '../flow/flow-record.ts';
import type { NativeEvent } from '../native/native-draft.ts';
import type { AutomationEntry } from './automation-list.ts';

/** The kinds of flows for the events of simple automations. */
const TYPES: Readonly<Record<NativeEvent['type'], string>> = {
  characteristic: 'state',
  significantTime: 'sun',
  calendar: 'time',
  duration: 'duration',
  location: 'location',
  presence: 'presence',
};

/** Its first trigger that is on. @returns none of a flow: it is run by hand, or can not be read */
export function firstTriggerOf(entry: AutomationEntry): FlowNode | undefined {
  if (entry.kind === 'flows') return entry.flow?.triggers.find(({ enabled }) => enabled !== false);
  const { trigger } = entry.draft;
  if (trigger.type === 'timer') return { type: 'timer' };
  const [event] = trigger.events;
  if (!event) return undefined;
  if (event.type !== 'characteristic') return { type: TYPES[event.type] };
  const { accessoryId, characteristicType, triggerValue } = event;
  return { type: 'state', accessoryId, characteristicType, to: triggerValue as Json };
}
