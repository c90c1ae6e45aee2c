import type { Member } from '../../contract/members.ts';
import type { Person } from '../../contract/people.ts';
import { findAccount } from '../accounts.ts';
import { HOME_OPTION } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import { defineCommand } from '../define-command.ts';
import { usageError } from '../exit-codes.ts';
import { type Inventory, loadInventory } from '../inventory.ts';
import { change, create, listInHomes, type ResourceRow, remove, rename } from '../resource-commands.ts';
import { listMembers } from './member.ts';

const PERSON: ResourceRow<Person> = {
  argument: ['<person>', 'name, "Home/Name" or id'],
  async find(api, text) {
    const [inventory, people] = await Promise.all([loadInventory(api), listPeople(api)]);
    return inventory.thing('person', text, people);
  },
  path: ({ id }) => `/rest/people/${id}`,
};

/** `hearthd person …`: the people of a home, and their presence. */
export const personCommand = defineCommand({
  name: 'person',
  description: 'list, add, rename, link or remove people, or set their location',
  examples: [
    'hearthd person add Ada',
    'hearthd person link Ada ada@example.org',
    'hearthd person set Ada home',
    'hearthd person set Ada --latitude 52.5 --longitude 13.4',
  ],
  commands: [
    listInHomes({
      description: 'list the people and whether they are at home',
      load: loadWithAddresses,
      columns: (person, inventory) => ({
        Home: inventory.homeName(person),
        Name: person.name,
        Account: person.address,
        Where: whereabouts(person),
        Since: person.changedAt,
        Id: person.id,
      }),
      empty: 'No people. Add one with hearthd person add.',
    }),
    create({
      name: 'add',
      description: 'add a person',
      arguments: [['<name>']],
      options: [['--account <member>', 'their account: address, name or id of a member of the home'], HOME_OPTION],
      path: '/rest/people',
      body: async (api, name, { home, account }) => {
        const inventory = await loadInventory(api);
        const homeId = inventory.home(home).id;
        if (account === undefined) return { homeId, name };
        return { homeId, name, userId: (await findMember(api, inventory, homeId, account)).id };
      },
      done: ({ name, id }: Person) => `Added ${name} (${id}).`,
    }),
    rename(PERSON, {
      description: 'rename a person',
      done: (name, person) => `Renamed ${person.name} to ${name}.`,
    }),
    defineCommand({
      name: 'link',
      description: 'link a person to the account of a member of the home',
      arguments: [PERSON.argument, ['<member>', 'address, name or id']],
      async run({ api, output }, text, account) {
        const [person, inventory] = await Promise.all([PERSON.find(api, text), loadInventory(api)]);
        const member = await findMember(api, inventory, person.homeId, account);
        const linked = await api.send<Person>('PATCH', PERSON.path(person), { userId: member.id });
        output.done(linked, `${linked.name} has the account ${member.email}.`);
      },
    }),
    change(PERSON, {
      name: 'unlink',
      description: 'take the account of a person away; both stay',
      body: () => ({ userId: null }),
      done: ({ name }: Person) => `${name} has no account.`,
    }),
    remove(PERSON, {
      name: 'remove',
      description: 'remove a person',
      done: ({ name }) => `Removed ${name}.`,
    }),
    change(PERSON, {
      name: 'set',
      description: 'set whether a person is home or away, or their location',
      arguments: [['[where]', 'home or away']],
      options: [
        ['--latitude <degrees>', 'degrees north', Number],
        ['--longitude <degrees>', 'degrees east', Number],
        ['--accuracy <metres>', 'accuracy of the location', Number],
      ],
      method: 'POST',
      suffix: '/presence',
      body: (where, position) => (where === undefined ? position : { atHome: parseWhere(where), ...position }),
      done: (person: Person) => `${person.name}: ${whereabouts(person)}.`,
    }),
  ],
});

function parseWhere(word: string): boolean {
  if (word === 'home') return true;
  if (word === 'away') return false;
  throw usageError('Use "home" or "away".');
}

function whereabouts({ atHome }: Person): string {
  if (atHome === null) return 'not known';
  return atHome ? 'at home' : 'away';
}

function listPeople(api: ApiClient, homeId?: string): Promise<Person[]> {
  return api.get<Person[]>('/rest/people', { home: homeId });
}

/** With the addresses of their accounts. */
async function loadWithAddresses(api: ApiClient, homeId: string | undefined, inventory: Inventory) {
  const people = await listPeople(api, homeId);
  const homes = inventory.homes.filter(({ id }) => people.some((one) => one.homeId === id && one.userId !== null));
  const members = (await Promise.all(homes.map((home) => listMembers(api, home)))).flat();
  const addresses = new Map(members.map(({ id, email }) => [id, email]));
  return people.map((person) => ({ ...person, address: addresses.get(person.userId ?? '') ?? null }));
}

async function findMember(api: ApiClient, inventory: Inventory, homeId: string, text: string): Promise<Member> {
  return findAccount(await listMembers(api, inventory.home(homeId)), text, 'hearthd member list');
}
