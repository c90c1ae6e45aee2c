/** A simple automation in the form of a flow, with the ids that the steps of its runs have. */
import { type FlowNode, type FlowRecord, nodesOf } from '../flow/flow-record.ts';

/** The ids that `app/automations/native/to-program.ts` of the relay gives. */
const TIMER_ID = 'fireDate';
export const ACTIONS_ID = 'actions';
const WAIT_ID = 'endEvents';
const RESTORE_ID = 'restore';

/** @param draft as the relay hands it to editors */
export function nativeAsFlow(draft: FlowRecord): FlowRecord {
  const until = nodesOf(draft.until);
  const ending: readonly FlowNode[] = [
    { id: WAIT_ID, type: 'wait_for_trigger', triggers: until },
    { id: RESTORE_ID, type: 'restore_state', nodeId: ACTIONS_ID },
  ];
  return {
    ...draft,
    triggers: draft.triggers.map((node, index) => ({
      ...node,
      id: node.type === 'timer' ? TIMER_ID : `events[${index}]`,
    })),
    actions: [...draft.actions.map((node) => ({ ...node, id: ACTIONS_ID })), ...(until.length > 0 ? ending : [])],
  };
}
