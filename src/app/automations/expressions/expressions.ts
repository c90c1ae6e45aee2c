import type { Json } from '../flow.ts';
import type { Scope } from '../program.ts';

/** What an evaluation looked at: when any of it changes, the answer may. */
export interface Dependencies {
  readonly accessoryIds: ReadonlySet<string>;
  /** It asked for the time. */
  readonly usesTime: boolean;
}

export declare class Expressions {
  /** @throws `invalid_value` with `details.field` and the place of the fault (line and column) in the message */
  check(expression: string, field: string): void;
  /** Checks every template in a value. @throws as `check`, `field` with the path in the value: `data.items[2]` */
  checkTemplates(value: Json, field: string): void;
  /** @throws `invalid_value` with the place of the fault */
  evaluate(expression: string, scope: Scope, homeId: string): Json;
  evaluateWatching(
    expression: string,
    scope: Scope,
    homeId: string,
  ): { readonly value: Json; readonly dependencies: Dependencies };
  /** Every template in a value replaced. @throws `invalid_value` */
  render(value: Json, scope: Scope, homeId: string): Json;
}

/** What counts as true: `true`, numbers but 0, texts but `''`, `false`, `0`, `off`, `no`. */
export declare function isTruthy(value: Json): boolean;
