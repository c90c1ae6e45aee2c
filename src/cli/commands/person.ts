import type { Person } from '../../contract/people.ts';
import { HOME_OPTION } from '../action.ts';
import type { ApiClient } from '../api-client.ts';

import { defineCommand } from '../define-command.ts';
import { usageError } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';
import { change, create, listInHomes, type ResourceRow, remove, rename } from '../resource-commands.ts';

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
  description: 'list, add, rename or remove people, or set their location',
  examples: [
    'hearthd person add Ada',
    'hearthd person set Ada home',
    'hearthd person set Ada --latitude 52.5 --longitude 13.4',
  ],
  commands: [
    listInHomes({
      description: 'list the people and whether they are at home',
      load: listPeople,
      columns: (person, inventory) => ({
        Home: inventory.homeName(person),
        Name: person.name,
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
      options: [HOME_OPTION],
      path: '/rest/people',
      body: async (api, name, { home }) => ({ homeId: (await loadInventory(api)).home(home).id, name }),
      done: ({ name, id }: Person) => `Added ${name} (${id}).`,
    }),
    rename(PERSON, {
      description: 'rename a person',
      done: (name, person) => `Renamed ${person.name} to ${name}.`,
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
