import type { JsonObject } from '../../../kernel/json.ts';
import type { ActionOf } from '../flow.ts';
import type { Program } from '../program.ts';
import type { ActionKind, RunContext } from './action-kind.ts';
import { requireProgram } from './other-program.ts';

const VERBS = { enable: 'Enable', disable: 'Disable', toggle: 'Toggle', trigger: 'Trigger' } as const;

/** Enables or disables another automation of the home, or starts a run of it without waiting. */
export const toggleAutomation: ActionKind<'toggle_automation'> = {
  type: 'toggle_automation',
  // A repeated toggle would cancel itself; a repeated run might unlock a door twice. Neither may get lost.
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

/** A refused run has a trace of its own with the reason: this run does not fail. */
function trigger({ id }: Program, run: RunContext): JsonObject {
  const { runId, blockedReason } = run.ports.automations.trigger(id, run.cause);
  return { automationId: id, action: 'trigger', runId, blockedReason, success: blockedReason === null };
}
