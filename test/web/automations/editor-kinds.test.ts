/**
 * The editor of flows knows every kind that flows can have. It can't import the relay's lists; they are compared here.
 */
import { describe, expect, it } from 'vitest';
import { kindsOf } from '../../../src/web/dashboard/pages/automations/flow/registry.ts';

/** Loaded without types, which would need those of Node. */
const LISTS = import.meta.glob<Readonly<Record<string, readonly string[]>>>(
  '../../../src/app/automations/{triggers,conditions,actions}/index.ts',
  { eager: true },
);

describe('the editor of flows', () => {
  it.each(['trigger', 'condition', 'action'] as const)('has a form for every kind of %s, and for no other', (role) => {
    const types = LISTS[`../../../src/app/automations/${role}s/index.ts`]?.[`${role.toUpperCase()}_TYPES`] ?? [];
    expect(types.length).toBeGreaterThan(5);
    expect(
      kindsOf(role)
        .map(({ type }) => type)
        .toSorted(),
    ).toEqual([...types].toSorted());
  });
});
