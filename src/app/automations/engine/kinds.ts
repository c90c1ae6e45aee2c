/** The trigger, condition and action kinds that the engine uses: it knows none of them by name. */
import type { HomeState } from '../../../home/home-state.ts';
import type { Json } from '../../../kernel/json.ts';
import type { ActionNode } from '../action-node.ts';
import type { ActionKind } from '../actions/action-kind.ts';
import type { ConditionContext } from '../conditions/condition-kind.ts';
import type { ConditionBlock } from '../conditions/index.ts';
import type { Trigger } from '../triggers/index.ts';
import type { TriggerPlace, TriggerWatch } from '../triggers/trigger-kind.ts';

export interface Kinds {
  readonly actionKind: (action: ActionNode) => ActionKind;
  readonly watchTrigger: (trigger: Trigger, watch: TriggerWatch) => () => void;
  readonly nextOf: (trigger: Trigger, place: TriggerPlace, after: number) => number | null;
  readonly summarizeTrigger: (trigger: Trigger, state: HomeState) => string;
  readonly evaluateConditions: (
    block: ConditionBlock,
    context: ConditionContext,
  ) => { readonly passed: boolean; readonly results: Json };
  readonly summarizeConditions: (block: ConditionBlock, state: HomeState) => string;
}
