/** Traverses all the actions and triggers of a flow, including nested ones. */
import type { ActionNode } from './action-node.ts';
import type { Action } from './actions/index.ts';
import type { Trigger } from './triggers/index.ts';

export interface PlacedAction {
  readonly action: Action;
  /** The path in the flow: `actions[2].then[0]`. */
  readonly path: string;
}

/** Each action before its nested actions. */
export function* actionsIn(actions: readonly ActionNode[], path = 'actions'): Iterable<PlacedAction> {
  for (const [index, node] of actions.entries()) {
    // The parser of actions makes nested ones too.
    const action = node as Action;
    const here = `${path}[${index}]`;
    yield { action, path: here };
    for (const [list, within] of listsIn(action)) yield* actionsIn(list, `${here}.${within}`);
  }
}

/** The flow's own triggers, then those of its waits. */
export function* triggersIn({
  triggers,
  actions,
}: {
  readonly triggers: readonly Trigger[];
  readonly actions: readonly ActionNode[];
}): Iterable<Trigger> {
  yield* triggers;
  for (const { action } of actionsIn(actions)) {
    if (action.type === 'wait_for_trigger') yield* action.triggers;
  }
}

/** The nested lists of an action, each with its path in it. */
function listsIn(action: Action): readonly (readonly [readonly ActionNode[], string])[] {
  switch (action.type) {
    case 'if_then_else':
      return [
        [action.then, 'then'],
        [action.else, 'else'],
      ];
    case 'choose':
      return [
        ...action.choices.map(({ actions }, index) => [actions, `choices[${index}].actions`] as const),
        [action.default ?? [], 'default'],
      ];
    case 'repeat':
      return [[action.sequence, 'sequence']];
    case 'parallel':
      return action.branches.map((branch, index) => [branch, `branches[${index}]`] as const);
    default:
      return [];
  }
}
