import type { Home } from '../../contract/homes.ts';
import { defineCommand } from '../define-command.ts';
import { usageError } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';
import { change, create, list, type ResourceRow, remove, rename } from '../resource-commands.ts';

const HOME: ResourceRow<Home> = {
  argument: ['<home>', 'name, slug key or id of the home'],
  find: async (api, text) => (await loadInventory(api)).home(text),
  path: ({ id }) => `/rest/homes/${id}`,
};

/** `hearthd home …`: the homes of this relay. */
export const homeCommand = defineCommand({
  name: 'home',
  description: 'list, create, rename, delete, pause or resume homes',
  examples: ['hearthd home list', 'hearthd home create Cottage', 'hearthd home pause Cottage'],
  commands: [
    list({
      description: 'list the homes',
      load: (api) => api.get<Home[]>('/rest/homes'),
      columns: (home) => ({
        Name: home.name,
        Status: statusOf(home),
        Rooms: home.roomCount,
        Accessories: home.accessoryCount,
        Key: home.key,
        Id: home.id,
      }),
      empty: 'No homes.',
    }),
    create({
      description: 'create a home',
      arguments: [['<name>']],
      path: '/rest/homes',
      body: (_api, name) => ({ name }),
      done: ({ name, id }: Home) => `Created the home ${name} (${id}).`,
    }),
    rename(HOME, {
      description: 'rename a home',
      done: (name, home) => `Renamed the home ${home.name} to ${name}.`,
    }),
    remove(HOME, {
      description: 'delete a home without paired devices',
      done: ({ name }) => `Deleted the home ${name}.`,
    }),
    change(HOME, {
      name: 'locate',
      description: 'set the location and time zone of a home, for sun times, schedules and presence',
      options: [
        ['--latitude <degrees>', 'degrees north', Number],
        ['--longitude <degrees>', 'degrees east', Number],
        ['--radius <metres>', 'people inside this distance are at home', Number],
        ['--time-zone <zone>', 'IANA name such as Europe/Berlin; "" for the time zone of the computer'],
      ],
      body({ timeZone, ...location }) {
        const isLocated = Object.keys(location).length > 0;
        if (!isLocated && timeZone === undefined) {
          throw usageError('Pass --latitude and --longitude, --time-zone or both.');
        }
        return { ...(isLocated && { location }), ...(timeZone !== undefined && { timeZone }) };
      },
      done: (changed: Home, { name }) => `${name} is ${describePlace(changed)}.`,
    }),
    change(HOME, {
      name: 'pause',
      description: 'disconnect from the devices of a home until it is resumed',
      body: () => ({ paused: true }),
      done: (_answer, { name }) => `Home ${name} is paused.`,
    }),
    change(HOME, {
      name: 'resume',
      description: 'reconnect to the devices of a home',
      body: () => ({ paused: false }),
      done: (_answer, { name }) => `Home ${name} is running.`,
    }),
  ],
});

function statusOf({ paused, connected }: Home): string {
  if (paused) return 'paused';
  return connected ? 'running' : 'starting';
}

function describePlace({ location, timeZone }: Home): string {
  const place = location
    ? `at ${location.latitude}, ${location.longitude} (within ${location.radius} m)`
    : 'without a location';
  return `${place}, in ${timeZone ? `the time zone ${timeZone}` : 'the computer’s time zone'}`;
}
