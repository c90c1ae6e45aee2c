/** What the steps of a run share: variables and outputs. A script that a run calls has a frame of its own. */
import type { Json, JsonObject } from '../flow.ts';
import type { Cause, RepeatScope, Scope, TriggerData } from '../program.ts';

export class Frame {
  readonly cause: Cause;
  readonly #trigger: TriggerData;
  #variables: Readonly<Record<string, Json>>;
  #nodes: Readonly<Record<string, { readonly data: JsonObject }>>;
  #wait: Scope['wait'] = null;
  /** Which step set each variable, and the wait, last: the place of what it left in the order of all. */
  readonly #setBy = new Map<string, number>();
  #waitSetBy = 0;

  constructor(parts: {
    trigger: TriggerData;
    cause: Cause;
    variables: Readonly<Record<string, Json>>;
    nodes?: Readonly<Record<string, { readonly data: JsonObject }>>;
  }) {
    this.#trigger = parts.trigger;
    this.cause = parts.cause;
    this.#variables = parts.variables;
    this.#nodes = parts.nodes ?? {};
  }

  get variables(): Readonly<Record<string, Json>> {
    return this.#variables;
  }

  get wait(): Scope['wait'] {
    return this.#wait;
  }

  scope(repeat: RepeatScope | null): Scope {
    return { trigger: this.#trigger, variables: this.#variables, nodes: this.#nodes, repeat, wait: this.#wait };
  }

  // Always new objects, with own properties whatever the names are: `__proto__` is a name like any other.

  /** @param order after a restart branches go through what they did one by one: what was set later stays, whoever comes last. */
  setVariables(variables: Readonly<Record<string, Json>>, order: number): void {
    const later = Object.entries(variables).filter(([name]) => (this.#setBy.get(name) ?? 0) <= order);
    for (const [name] of later) this.#setBy.set(name, order);
    this.#variables = { ...this.#variables, ...Object.fromEntries(later) };
  }

  setOutput(nodeId: string, data: JsonObject): void {
    this.#nodes = { ...this.#nodes, [nodeId]: { data } };
  }

  setWait(wait: NonNullable<Scope['wait']>, order: number): void {
    if (order < this.#waitSetBy) return;
    this.#waitSetBy = order;
    this.#wait = wait;
  }
}
