import type { Collection, CollectionItem } from '../../contract/collections.ts';
import { defineCommand } from '../define-command.ts';
import { usageError } from '../exit-codes.ts';
import { COLLECTION } from '../find-things.ts';
import { type Inventory, loadInventory } from '../inventory.ts';
import { readJson } from '../read-file.ts';
import { create, list, remove, show } from '../resource-commands.ts';

/** `hearthd collection …`: selections of accessories across homes, for a screen or for sharing. */
export const collectionCommand = defineCommand({
  name: 'collection',
  description: 'list, create, show, change or delete collections: accessories picked across homes',
  examples: [
    'hearthd collection create Evening "Living Room/Lamp" Thermostat',
    'hearthd collection update Evening --name Night --file night.json',
  ],
  commands: [
    list({
      description: 'list the collections',
      load: (api) => api.get<Collection[]>('/rest/collections'),
      columns: ({ name, payload, id }) => ({ Name: name, Items: payload.items.length, Id: id }),
      empty: 'No collections.',
    }),
    create({
      description: 'create a collection',
      arguments: [['<name>'], ['[accessories...]', 'accessories of any home']],
      path: '/rest/collections',
      async body(api, name, texts) {
        const inventory = await loadInventory(api);
        const items = texts
          .map((text) => inventory.accessory(text))
          .map(({ homeId, id }) => ({ home_id: homeId, accessory_id: id }));
        return { name, payload: { groups: [], items } };
      },
      done: ({ name, id }: Collection) => `Created the collection ${name} (${id}).`,
    }),
    show(COLLECTION, {
      description: 'show a collection',
      async print({ payload }, { api, output }) {
        const inventory = await loadInventory(api);
        const groupNames = new Map(payload.groups.map(({ id, name }) => [id, name]));
        output.list(
          payload.items,
          (item) => ({
            Home: item.home_name,
            Item: itemName(item, inventory),
            Group: item.group_id === undefined ? '' : groupNames.get(item.group_id),
            Id: 'accessory_id' in item ? item.accessory_id : item.service_group_id,
          }),
          'The collection is empty.',
        );
      },
    }),
    defineCommand({
      name: 'update',
      description: 'rename a collection or replace its contents',
      arguments: [COLLECTION.argument],
      options: [
        ['--name <name>', 'new name'],
        [
          '--file <file>',
          'new contents as JSON: {"groups": […], "items": […]}, the "payload" of hearthd collection show --json',
        ],
      ],
      async run({ api, output }, text, { name, file }) {
        if (name === undefined && file === undefined) throw usageError('Pass --name, --file or both.');
        const path = COLLECTION.path(await COLLECTION.find(api, text));
        // The daemon validates the content.
        const changes = { name, payload: file === undefined ? undefined : readJson(file) };
        const collection = await api.send<Collection>('PATCH', path, changes);
        output.done(collection, `Updated the collection ${collection.name}.`);
      },
    }),
    remove(COLLECTION, {
      description: 'delete a collection (not its accessories)',
      done: ({ name }) => `Deleted the collection ${name}.`,
    }),
  ],
});

function itemName(item: CollectionItem, inventory: Inventory): string {
  if ('service_group_id' in item) return '(service group)';
  return inventory.accessories.find(({ id }) => id === item.accessory_id)?.name ?? '(gone)';
}
