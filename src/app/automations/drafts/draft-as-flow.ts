/** A draft as a flow: its end and "once" become steps, so that nothing of it is lost. */

import type { Action } from '../actions/index.ts';
import { RESTORABLE_ACTIONS } from '../actions/restorable.ts';
import type { FlowDefinition } from '../flow.ts';
import { untilEnd } from '../native/until-end.ts';
import type { AutomationDraft } from './draft.ts';

/** @param id the flow's own id: a flow that acts once disables itself */
export function draftAsFlow({ definition, until, executeOnce }: AutomationDraft, id: string): FlowDefinition {
  const taken = idsIn([definition.triggers, definition.actions, until]);
  const idOf = (name: string): string => {
    let free = name;
    for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`;
    taken.add(free);
    return free;
  };
  const ended = until.length === 0 ? definition.actions : withEnd(definition, until, executeOnce, idOf);
  if (!executeOnce) return { ...definition, actions: ended };
  const once = { id: idOf('once'), enabled: true, onError: 'stop' } as const;
  const disable: Action = { ...once, type: 'toggle_automation', automationId: id, action: 'disable' };
  return { ...definition, actions: [disable, ...ended] };
}

function withEnd(
  { actions, triggers, conditions }: FlowDefinition,
  until: AutomationDraft['until'],
  executeOnce: boolean,
  idOf: (name: string) => string,
): readonly Action[] {
  const settings = actions.filter(({ type }) => RESTORABLE_ACTIONS.includes(type));
  return untilEnd({
    acts: actions.map((action) => (settings.includes(action) ? { ...action, onError: 'continue' } : action)),
    actsAgain: settings.map((action) => ({ ...action, id: idOf(`${action.id}_again`), onError: 'continue' })),
    restores: settings.map(({ id: nodeId }) => ({
      ...{ id: idOf(`restore_${nodeId}`), enabled: true, onError: 'continue', type: 'restore_state' },
      nodeId,
    })) as readonly Action[],
    // The address of a webhook belongs to one trigger.
    triggers: triggers.flatMap((one) => (one.type === 'webhook' ? [] : [{ ...one, id: idOf(`${one.id}_again`) }])),
    conditions,
    ends: until,
    executeOnce,
    idOf,
  });
}

/** Those of nested nodes too. */
function idsIn(nodes: readonly object[]): Set<string> {
  const ids = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('id' in value && typeof value.id === 'string') ids.add(value.id);
    for (const child of Object.values(value)) visit(child);
  };
  visit(nodes);
  return ids;
}
