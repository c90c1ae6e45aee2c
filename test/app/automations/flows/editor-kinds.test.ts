/** The editor of flows in the dashboard knows every kind that flows can have. It can't import ours, so the two lists are held together here. */
import { describe, expect, it } from 'vitest';
import { ACTION_TYPES } from '../../../../src/app/automations/actions/index.ts';
import { CONDITION_TYPES } from '../../../../src/app/automations/conditions/index.ts';
import { TRIGGER_TYPES } from '../../../../src/app/automations/triggers/index.ts';
import { kindsOf } from '../../../../src/web/dashboard/pages/automations/flow/registry.ts';

const KINDS = { trigger: TRIGGER_TYPES, condition: CONDITION_TYPES, action: ACTION_TYPES } as const;

describe('the editor of flows', () => {
  it.each(['trigger', 'condition', 'action'] as const)('has a form for every kind of %s, and for no other', (role) => {
    expect(
      kindsOf(role)
        .map(({ type }) => type)
        .toSorted(),
    ).toEqual([...KINDS[role]].toSorted());
  });
});
