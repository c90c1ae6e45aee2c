import type { ConditionKind } from './condition-kind.ts';

/** The given trigger fired. */
export const trigger: ConditionKind<'trigger'> = {
  type: 'trigger',
  summarize: ({ triggerId }) => `Trigger ${triggerId} fired`,
  evaluate({ triggerId }, { scope }) {
    const fired = scope.trigger?.id ?? null;
    return { passed: fired === triggerId, found: { triggerId: fired } };
  },
};
