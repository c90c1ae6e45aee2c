/** Who may give whom which role, as the page about people offers it. */
import { describe, expect, it } from 'vitest';
import { type MemberLike, mayRemove, rolesFor, rolesToGive } from '../../../src/web/dashboard/pages/people/roles.ts';

const member = (id: string, role: string, isPending = false): MemberLike => ({ id, role, isPending });
const ada = member('ada', 'owner');
const grace = member('grace', 'admin');
const joan = member('joan', 'control');
const invited = member('new', 'view', true);
const ALL = [ada, grace, joan, invited];

describe('roles', () => {
  it.each([
    { mine: 'owner', gives: ['owner', 'admin', 'control', 'view'] },
    { mine: 'admin', gives: ['control', 'view'] },
    { mine: 'control', gives: [] },
    { mine: 'view', gives: [] },
  ])('are given by $mine as far as they may', ({ mine, gives }) => {
    expect(rolesToGive(mine)).toEqual(gives);
  });

  it('of admins and owners are the business of owners alone', () => {
    expect(rolesFor('owner', grace, ALL)).toContain('owner');
    expect(rolesFor('admin', grace, ALL)).toEqual([]);
    expect(rolesFor('admin', joan, ALL)).toEqual(['control', 'view']);
    expect([mayRemove('admin', grace, ALL), mayRemove('admin', joan, ALL)]).toEqual([false, true]);
  });

  it('leave a home its last owner, for every caller', () => {
    expect(rolesFor('owner', ada, ALL)).toEqual([]);
    expect(mayRemove('owner', ada, ALL)).toBe(false);
    const withInvited = [...ALL, member('second', 'owner', true)];
    expect(rolesFor('owner', ada, withInvited)).toEqual([]);
    expect(rolesFor('owner', ada, [...ALL, member('second', 'owner')])).toContain('view');
  });

  it('of an invitation are not changed: it is taken back', () => {
    expect(rolesFor('owner', invited, ALL)).toEqual([]);
    expect(mayRemove('admin', invited, ALL)).toBe(true);
  });
});
