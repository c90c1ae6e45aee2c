import type { ActionOf, JsonObject } from '../flow.ts';
import type { Program } from '../program.ts';
import type { ActionKind, RunContext } from './action-kind.ts';
import { requireProgram } from './other-program.ts';

const VERBS = { enable: 'Enable', disable: 'Disable', toggle: 'Toggle', trigger: 'Trigger' } as const;

/** Switches another automation of the home on or off, or begins a run of it and does not wait for that. */
export const toggleAutomation: ActionKind<'toggle_automation'> = {
  type: 'toggle_automation',
  // A toggle that was done twice would be none at all; a run that was begun twice might unlock a door twice, and none must get lost.
  effect: 'atomic',
  summarize: ({ action }) => `${VERBS[action]} another automation`,
  execute({ automationId, action }, run) {
    const program = requireProgram(run, automationId);
    return action === 'trigger' ? trigger(program, run) : setEnabled(program, action, run);
  },
};

function setEnabled(
  { id, enabled: before }: Program,
  action: Exclude<ActionOf<'toggle_automation'>['action'], 'trigger'>,
  run: RunContext,
): JsonObject {
  const enabled = action === 'toggle' ? !before : action === 'enable';
  if (enabled !== before) run.ports.automations.setEnabled(id, enabled);
  return { automationId: id, action, enabled, success: true };
}

/** A run that is refused has a trace of its own, which says why: no failure of this one. */
function trigger({ id }: Program, run: RunContext): JsonObject {
  const { runId, blockedReason } = run.ports.automations.trigger(id, run.cause);
  return { automationId: id, action: 'trigger', runId, blockedReason, success: blockedReason === null };
}
