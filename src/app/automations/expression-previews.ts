/**
 * Evaluates expressions and texts with templates while people write them. It reads the present values of one home, and
 * has no effect. The limits of time and size are those of every evaluation (`expressions/work.ts`).
 */
import { type ExpressionPreview, NewExpressionPreview } from '../../contract/expressions.ts';
import { type Input, parseInput } from '../../contract/parse.ts';
import type { HearthError } from '../../kernel/errors.ts';
import type { Json, JsonObject } from '../../kernel/json.ts';
import type { AppDeps } from '../access/app-deps.ts';
import type { Caller } from '../access/caller.ts';
import { ExpressionError, type Expressions } from './expressions/expressions.ts';
import type { ExpressionScope, TriggerData } from './scope.ts';

interface ExpressionPreviewsDeps extends AppDeps<'state' | 'access'> {
  /** Not those of automations: drafts do not replace what automations have compiled. */
  readonly expressions: Pick<Expressions, 'watch' | 'watchText' | 'variablesOf' | 'measure'>;
}

export class ExpressionPreviews {
  readonly #deps: ExpressionPreviewsDeps;

  constructor(deps: ExpressionPreviewsDeps) {
    this.#deps = deps;
  }

  /**
   * What an expression comes to now. An error in it is part of the answer. Requires view access to the home, as a dry
   * run does: an expression reads the accessories of that home and nothing else.
   * @throws `home_not_found` · `invalid_request` · `invalid_value`
   */
  evaluate(
    caller: Caller,
    homeId: string,
    input: Omit<Input<typeof NewExpressionPreview>, 'homeId'>,
  ): ExpressionPreview {
    const { access, state, expressions } = this.#deps;
    const home = access.authorizeHome(caller, 'view', state.home(homeId));
    const { text, kind = 'text', variables = {}, trigger } = parseInput(NewExpressionPreview, { ...input, homeId });
    expressions.measure(variables as JsonObject, 'variables');
    if (trigger !== undefined) expressions.measure(trigger as JsonObject, 'trigger');
    const scope = new PreviewScope(variables as Readonly<Record<string, Json>>, trigger as JsonObject | undefined);
    const { value, error, dependencies } =
      kind === 'text' ? expressions.watchText(text, scope, home.id) : expressions.watch(text, scope, home.id);
    return {
      value,
      error: error && presentError(error),
      accessoryIds: [...dependencies.accessoryIds],
      usesTime: dependencies.usesTime,
      usesRun: scope.usesRun || this.#missesVariable(text, kind, variables),
    };
  }

  #missesVariable(text: string, kind: 'text' | 'expression', variables: object): boolean {
    try {
      return [...this.#deps.expressions.variablesOf(text, kind)].some((name) => !Object.hasOwn(variables, name));
    } catch {
      // It is reported as the error of the evaluation.
      return false;
    }
  }
}

function presentError(error: HearthError): ExpressionPreview['error'] {
  if (!(error instanceof ExpressionError)) throw error;
  const { sentence, line, column } = error;
  return { message: sentence, line, column };
}

/** What a run would know. Notes whether an expression reads it. */
class PreviewScope implements ExpressionScope {
  readonly variables: Readonly<Record<string, Json>>;
  readonly #trigger: JsonObject | undefined;
  usesRun = false;

  constructor(variables: Readonly<Record<string, Json>>, trigger: JsonObject | undefined) {
    this.variables = variables;
    this.#trigger = trigger;
  }

  get trigger(): TriggerData | null {
    if (this.#trigger) return this.#trigger as unknown as TriggerData;
    return this.#unknown();
  }

  get nodes(): ExpressionScope['nodes'] {
    this.usesRun = true;
    return {};
  }

  get repeat(): null {
    return this.#unknown();
  }

  get wait(): null {
    return this.#unknown();
  }

  #unknown(): null {
    this.usesRun = true;
    return null;
  }
}
