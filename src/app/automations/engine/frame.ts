/** What the steps of a run share: variables and outputs. A script that a run calls has a frame of its own. */
import type { Json, JsonObject } from '../flow.ts';
import type { Cause, RepeatScope, Scope, TriggerData } from '../program.ts';

export class Frame {
  readonly cause: Cause;
  readonly #trigger: TriggerData;
  #variables: Readonly<Record<string, Json>>;
  #nodes: Readonly<Record<string, { readonly data: JsonObject }>>;
  #wait: Scope['wait'] = null;

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

  setVariables(variables: Readonly<Record<string, Json>>): void {
    this.#variables = { ...this.#variables, ...variables };
  }

  setOutput(nodeId: string, data: JsonObject): void {
    this.#nodes = { ...this.#nodes, [nodeId]: { data } };
  }

  setWait(wait: NonNullable<Scope['wait']>): void {
    this.#wait = wait;
  }
}
