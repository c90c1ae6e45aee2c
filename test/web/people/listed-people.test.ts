/** The one list of people: what is linked is one person, in an order that does not jump. */
import { describe, expect, it } from 'vitest';
import { freeMembers, listPeople, sameNames } from '../../../src/web/dashboard/pages/people/listed-people.ts';

const account = (id: string, name: string | null = null) => ({ id, name, email: `${id}@example.org` });
const member = (id: string, name: string | null = null) => ({ ...account(id, name), role: 'view', isPending: false });
const person = (id: string, name: string, userId: string | null = null) => ({ id, name, userId });

const me = account('ada', 'Ada');
const data = {
  me,
  members: [member('grace', 'Grace Hopper'), member('ada', 'Ada'), member('joan', 'Joan')],
  accounts: [account('zoe', 'Zoe'), account('grace', 'Grace Hopper'), account('ada', 'Ada'), account('amy', 'Amy')],
  presences: [person('1', 'Mia'), person('2', 'Grace', 'grace'), person('3', 'joan')],
};

describe('the list of people', () => {
  it('has each person once: the user, the people of the home, then accounts without a role in it', () => {
    const all = listPeople(data);
    const rows = all.map(({ name, email, isMe }) => [name, email, isMe]);
    expect(rows).toEqual([
      ['Ada', 'ada@example.org', true],
      ['Grace', 'grace@example.org', false],
      ['Joan', 'joan@example.org', false],
      ['joan', undefined, false],
      ['Mia', undefined, false],
      ['Amy', 'amy@example.org', false],
      ['Zoe', 'zoe@example.org', false],
    ]);
    expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
    expect(all[1]).toMatchObject({ presence: { id: '2' }, member: { id: 'grace' }, account: { id: 'grace' } });
  });

  it('has the user also where members are not shown, linked to their own presence', () => {
    const presences = [person('1', 'Mia'), person('2', 'Ada Lovelace', 'ada')];
    const all = listPeople({ me, members: [], accounts: [], presences });
    expect(all.map(({ name, email, isMe }) => [name, email, isMe])).toEqual([
      ['Ada Lovelace', 'ada@example.org', true],
      ['Mia', undefined, false],
    ]);
  });

  it('keeps a person whose account is not in the list', () => {
    const all = listPeople({ me, members: [], accounts: [], presences: [person('1', 'Grace', 'grace')] });
    expect(all.map(({ name }) => name)).toEqual(['Ada', 'Grace']);
  });

  it('shows the address as the name where there is no other, and no second time', () => {
    const [, row] = listPeople({ me, members: [member('eve')], accounts: [], presences: [] });
    expect(row).toMatchObject({ name: 'eve@example.org', email: undefined });
  });

  it('links nothing by name, and offers it where neither is linked', () => {
    const all = listPeople(data);
    expect(all.filter(({ name }) => name.toLowerCase() === 'joan')).toHaveLength(2);
    expect(sameNames(all).map(({ person: { id }, member: { id: userId } }) => [id, userId])).toEqual([['3', 'joan']]);
    const linked = listPeople({ ...data, presences: [person('3', 'joan', 'joan'), person('4', 'Joan ')] });
    expect(sameNames(linked)).toEqual([]);
  });

  it('knows the members who may be linked still', () => {
    expect(freeMembers(data.presences, data.members).map(({ id }) => id)).toEqual(['ada', 'joan']);
  });
});
