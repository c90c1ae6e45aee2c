import type { JsonObject } from '../../../kernel/json.ts';
import { automationId, oneOf } from '../parsing/field-kinds.ts';
import type { Program } from '../program.ts';
import { actionKind, type RunContext } from './action-kind.ts';
import { requireProgram } from './other-program.ts';

const VERBS = { enable: 'Enable', disable: 'Disable', toggle: 'Toggle', trigger: 'Trigger' } as const;

const ACTS = ['enable', 'disable', 'toggle', 'trigger'] as const;
type Act = (typeof ACTS)[number];

/** Enables or disables another automation of the home, or starts a run of it without waiting. */
export const toggleAutomation = actionKind({
  type: 'toggle_automation',
  fields: {
    automationId: automationId('A flow or a native automation.', true),
    action: oneOf(ACTS, 'What is done with it.'),
  },
  // A repeated toggle would cancel itself; a repeated run might unlock a door twice. Neither may get lost.
  effect: 'atomic',
  summarize: ({ action }) => `${VERBS[action]} another automation`,
  execute({ action, ...other }, run) {
    const program = requireProgram(run, other.automationId);
    return action === 'trigger' ? trigger(program, run) : setEnabled(program, action, run);
  },
});

function setEnabled({ id, enabled: before }: Program, action: Exclude<Act, 'trigger'>, run: RunContext): JsonObject {
  const enabled = action === 'toggle' ? !before : action === 'enable';
  if (enabled !== before) run.ports.automations.setEnabled(id, enabled);
  return { automationId: id, action, enabled, success: true };
}

/** A refused run has a trace of its own with the reason: this run does not fail. */
function trigger({ id }: Program, run: RunContext): JsonObject {
  const { runId, blockedReason } = run.ports.automations.trigger(id, run.cause);
  return { automationId: id, action: 'trigger', runId, blockedReason, success: blockedReason === null };
}
