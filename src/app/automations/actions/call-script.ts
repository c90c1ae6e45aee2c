/**
 * Runs the actions of another flow as part of this run, with separate variables, and returns its answer. The flow's
 * triggers and conditions are ignored: the caller has already decided.
 */

import { HearthError } from '../../../kernel/errors.ts';
import type { Json, JsonObject } from '../../../kernel/json.ts';
import { notFound } from '../../access/authorize.ts';
import type { ActionNode } from '../action-node.ts';
import { nestingFault } from '../cause-chain.ts';
import { optional } from '../parsing/field.ts';
import { automationId } from '../parsing/field-kinds.ts';
import type { Cause } from '../scope.ts';
import { ActionFailure, actionKind, type RunContext } from './action-kind.ts';
import { VARIABLES, variableName } from './fields.ts';
import { requireProgram } from './other-program.ts';

/**
 * The parts of the other flow that the call needs. Persisted, so that a run that waits in the script resumes with the
 * version it called.
 */
interface Script {
  readonly id: string;
  readonly name: string;
  readonly actions: readonly ActionNode[];
  readonly variables: Readonly<Record<string, Json>>;
}

export const callScript = actionKind({
  type: 'call_script',
  fields: {
    scriptId: automationId('Another flow of the home.', false),
    variables: VARIABLES,
    responseVariable: optional(variableName('The variable that gets its response.')),
  },
  effect: 'none',
  summarize: () => 'Run the actions of another flow',
  async execute({ scriptId, responseVariable, ...action }, run) {
    const script = run.decide('script', () => presentScript(scriptOf(run, scriptId)));
    const given = run.decide('variables', () => run.render(action.variables ?? {}) as JsonObject);
    const { id, name, actions, variables } = readScript(script);
    const end = await run.sequence(actions, 'script', {
      variables: withoutHoles({ ...variables, ...given }),
      cause: { chain: [...run.cause.chain, { automationId: id, name }] },
    });
    const response = end.completed ? null : end.response;
    const output = { scriptId: id, response, completed: end.completed };
    if (!end.completed && end.isError) {
      const reason = end.reason === null ? '' : `: ${end.reason}`;
      throw new ActionFailure('conflict', `'${name}' stopped with an error${reason}`, output, {
        reason: 'script_stopped',
      });
    }
    if (responseVariable !== undefined) run.setVariables({ [responseVariable]: response });
    return output;
  },
});

/**
 * @throws `automation_not_found` · `conflict` the flow is disabled, calls itself indirectly, or the calls are nested
 * too deep
 */
function scriptOf(run: RunContext, scriptId: string): Script {
  const { kind, id, name, enabled, actions, variables } = requireProgram(run, scriptId);
  if (kind !== 'flow') throw notFound('automation_not_found');
  if (!enabled)
    throw new HearthError('conflict', `'${name}' is switched off. Enable it, or take it out of here.`, {
      reason: 'script_off',
    });
  requireNoLoop(run.cause, id, name);
  return { id, name, actions, variables };
}

/** The chain ends with the calling automation or script. Here a loop is detected without a second round. */
function requireNoLoop(cause: Cause, id: string, name: string): void {
  const begin = cause.chain.findIndex(({ automationId }) => automationId === id);
  if (begin >= 0) {
    const loop = [...cause.chain.slice(begin).map((link) => link.name), name].join(' → ');
    throw new HearthError('conflict', `These automations call each other in a circle: ${loop}`, { reason: 'loop' });
  }
  const fault = nestingFault(cause, { automationId: id, name });
  if (fault) throw new HearthError('conflict', fault.sentence, { reason: fault.reason });
}

/** Actions and variables are already JSON; only their types are narrower. */
function presentScript(script: Script): JsonObject {
  return { ...script, actions: script.actions as readonly unknown[] as readonly Json[] };
}

function readScript(script: JsonObject): Script {
  return script as unknown as Script;
}

function withoutHoles(object: JsonObject): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
