/** A home in memory in which conditions are judged. */

import type { Condition, ConditionBlock } from '../../../../src/app/automations/conditions/index.ts';
import { evaluateConditions } from '../../../../src/app/automations/conditions/index.ts';
import type { ExpressionScope } from '../../../../src/app/automations/scope.ts';
import type { Home } from '../../../../src/home/model.ts';
import type { Json } from '../../../../src/kernel/json.ts';
import { createExpressionHome, EMPTY_SCOPE, HOME_ID } from '../expressions/expression-home.ts';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly atHome: boolean | null;
}

export type ConditionHome = ReturnType<typeof createConditionHome>;

export function createConditionHome(home: Partial<Home> = {}) {
  const inventory = createExpressionHome({ home });
  let people: readonly Person[] = [];

  function judge(
    block: ConditionBlock,
    at?: string,
    scope: Partial<ExpressionScope> = {},
  ): { passed: boolean; results: Json } {
    return evaluateConditions(block, {
      homeId: HOME_ID,
      state: inventory.state,
      presence: { people: () => people },
      expressions: inventory.expressions,
      scope: { ...EMPTY_SCOPE, ...scope },
      now: at === undefined ? inventory.clock.now() : Date.parse(at),
    });
  }

  return {
    ...inventory,
    judge,
    setPeople(all: readonly Person[]): void {
      people = all;
    },
    /** Whether one condition holds. @param at ISO 8601; now if left out */
    holds(condition: Condition, at?: string, scope?: Partial<ExpressionScope>): boolean {
      return judge({ operator: 'and', conditions: [condition] }, at, scope).passed;
    },
    /** What one condition found. */
    found(condition: Condition, at?: string): Json {
      const { results } = judge({ operator: 'and', conditions: [condition] }, at);
      const { conditions } = results as { readonly conditions: readonly { readonly found: Json }[] };
      return conditions[0]?.found ?? null;
    },
  };
}
