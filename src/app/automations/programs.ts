/** The common operations of flows and native automations: a description in words, and a manual run. */
import type { AutomationOutline, OutlineAction } from '../../contract/automation-runs.ts';
import type { AppDeps } from '../access/app-deps.ts';
import type { AccessLevel as AccessAction } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { ActionNode } from './action-node.ts';
import type { Engine } from './engine/engine.ts';
import type { Kinds } from './engine/kinds.ts';
import { parseRunVariables } from './flows/parse-run.ts';
import type { Admission, Program } from './program.ts';
import { actionsIn } from './walk.ts';

interface ProgramsDeps extends AppDeps<'state' | 'access'> {
  readonly engine: Pick<Engine, 'find' | 'trigger'>;
  readonly kinds: Pick<Kinds, 'summarizeTrigger' | 'summarizeConditions' | 'actionKind'>;
}

export class Programs {
  readonly #deps: ProgramsDeps;

  constructor(deps: ProgramsDeps) {
    this.#deps = deps;
  }

  /**
   * Describes an automation in words, with the current names. Requires view access to its home. @throws
   * `automation_not_found`
   */
  outline(caller: Caller, automationId: string): AutomationOutline {
    return this.describe(this.#find(caller, 'view', automationId));
  }

  /** An automation as the engine runs it. Requires view access to its home. @throws `automation_not_found` */
  get(caller: Caller, automationId: string): Program {
    return this.#find(caller, 'view', automationId);
  }

  /** The words for a program that may not be saved. Checks no permission. */
  describe(program: Program): AutomationOutline {
    const { kinds, state } = this.#deps;
    const { id, kind, homeId, name, enabled, triggers, conditions, actions } = program;
    return {
      id,
      kind,
      homeId,
      name,
      enabled,
      triggers: triggers.map((trigger) => {
        return { id: trigger.id, summary: kinds.summarizeTrigger(trigger, state), enabled: trigger.enabled };
      }),
      conditions: conditions.conditions.length === 0 ? null : kinds.summarizeConditions(conditions, state),
      actions: [...this.#outlineActions(actions)],
    };
  }

  /**
   * Runs an automation now, if its conditions hold; does not wait for it. Requires control access to its home.
   * @param variables for this run, override the automation's own
   * @returns the run's id, and the reason if it did not start
   * @throws `automation_not_found` · `insufficient_permissions` · `invalid_value` the variables
   */
  run(caller: Caller, automationId: string, { variables }: { readonly variables?: unknown } = {}): Admission {
    const { id } = this.#find(caller, 'control', automationId);
    const given = parseRunVariables(variables);
    return this.#deps.engine.trigger(id, { ...(given && { variables: given }) });
  }

  *#outlineActions(actions: readonly ActionNode[]): Iterable<OutlineAction> {
    const { kinds, state } = this.#deps;
    const within: string[] = [];
    for (const { action, path } of actionsIn(actions)) {
      while (within.length > 0 && !path.startsWith(`${within.at(-1)}.`)) within.pop();
      const parent = within.at(-1);
      yield {
        id: action.id,
        depth: within.length,
        branch: parent === undefined ? null : path.slice(parent.length + 1).replace(/(\.actions)?\[\d+\]$/, ''),
        summary: action.alias ?? kinds.actionKind(action).summarize(action, state),
        enabled: action.enabled,
      };
      within.push(path);
    }
  }

  #find(caller: Caller, need: AccessAction, automationId: string): Program {
    const program = this.#deps.engine.find(automationId.toLowerCase());
    return this.#deps.access.authorizeIn(caller, need, program, 'automation_not_found');
  }
}
