import type { Json, JsonObject } from '../../../kernel/json.ts';
import type { Cause, ExpressionScope, RepeatScope, TriggerData } from '../scope.ts';

type NodeOutputs = Readonly<Record<string, { readonly data: JsonObject }>>;

export class Frame {
  readonly cause: Cause;
  readonly #trigger: TriggerData;
  #variables: Readonly<Record<string, Json>>;
  /** Of the trigger: few expressions read it. */
  readonly #firstNodes: () => NodeOutputs;
  #nodes: NodeOutputs | undefined;
  #wait: ExpressionScope['wait'] = null;
  /** The last step that set each variable, and the wait: its position in the order of all steps. */
  readonly #setBy = new Map<string, number>();
  #waitSetBy = 0;

  constructor(deps: {
    trigger: TriggerData;
    cause: Cause;
    variables: Readonly<Record<string, Json>>;
    /** The outputs from before the first step. */
    nodes?: () => NodeOutputs;
  }) {
    this.#trigger = deps.trigger;
    this.cause = deps.cause;
    this.#variables = deps.variables;
    this.#firstNodes = deps.nodes ?? (() => ({}));
  }

  get variables(): Readonly<Record<string, Json>> {
    return this.#variables;
  }

  get wait(): ExpressionScope['wait'] {
    return this.#wait;
  }

  scope(repeat: RepeatScope | null): ExpressionScope {
    const nodes = (): NodeOutputs => this.#outputs();
    return {
      trigger: this.#trigger,
      variables: this.#variables,
      get nodes() {
        return nodes();
      },
      repeat,
      wait: this.#wait,
    };
  }

  #outputs(): NodeOutputs {
    this.#nodes ??= this.#firstNodes();
    return this.#nodes;
  }

  // Always new objects with own properties: `__proto__` is an ordinary name.

  /**
   * @param order after a restart, branches replay their steps one by one: the value that was set last wins, regardless
   * of replay order.
   */
  setVariables(variables: Readonly<Record<string, Json>>, order: number): void {
    const later = Object.entries(variables).filter(([name]) => (this.#setBy.get(name) ?? 0) <= order);
    for (const [name] of later) this.#setBy.set(name, order);
    this.#variables = { ...this.#variables, ...Object.fromEntries(later) };
  }

  setOutput(nodeId: string, data: JsonObject): void {
    this.#nodes = { ...this.#outputs(), [nodeId]: { data } };
  }

  setWait(wait: NonNullable<ExpressionScope['wait']>, order: number): void {
    if (order < this.#waitSetBy) return;
    this.#waitSetBy = order;
    this.#wait = wait;
  }
}
