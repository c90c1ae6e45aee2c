import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { Collection, CollectionItem } from '../../contract/collections.ts';
import { messageOf } from '../../kernel/errors.ts';
import { type Cli, examples } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import { EXIT, usageError } from '../exit-codes.ts';
import { type Inventory, loadInventory } from '../inventory.ts';
import type { Output } from '../output.ts';
import { findCollection } from '../shared-things.ts';

const COLLECTION_ARGUMENT = ['<collection>', 'name or id'] as const;

/** `hearthd collection …`: selections of accessories across homes, for a screen or for sharing. */
export function collectionCommand(cli: Cli): Command {
  const command = new Command('collection')
    .description('list, create, show, change or delete collections: accessories picked across homes')
    .addHelpText(
      'after',
      examples(
        'hearthd collection create Evening "Living Room/Lamp" Thermostat',
        'hearthd collection update Evening --name Night --file night.json',
      ),
    );
  for (const add of [addList, addCreate, addShow, addUpdate, addDelete]) add(command, cli);
  return command;
}

function addList(command: Command, cli: Cli): void {
  command
    .command('list')
    .description('list the collections')
    .action(
      cli.run(async ({ api, output }) => {
        const collections = await list(api);
        const rows = collections.map(({ name, payload, id }) => [name, payload.items.length, id]);
        output.result(collections, () => output.table(['Name', 'Items', 'Id'], rows, 'No collections.'));
        return EXIT.ok;
      }),
    );
}

function addCreate(command: Command, cli: Cli): void {
  command
    .command('create')
    .description('create a collection')
    .argument('<name>')
    .argument('[accessories...]', 'accessories of any home')
    .action(
      cli.run(async ({ api, output }, name: string, texts: readonly string[], _options: object) => {
        const inventory = await loadInventory(api);
        const items = texts
          .map((text) => inventory.accessory(text))
          .map(({ homeId, id }) => ({ home_id: homeId, accessory_id: id }));
        const body = { name, payload: { groups: [], items } };
        const collection = await api.send<Collection>('POST', '/rest/collections', body);
        output.result(collection, () => output.line(`Created the collection ${collection.name} (${collection.id}).`));
        return EXIT.ok;
      }),
    );
}

function addShow(command: Command, cli: Cli): void {
  command
    .command('show')
    .description('show a collection')
    .argument(...COLLECTION_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string, _options: object) => {
        const inventory = await loadInventory(api);
        const collection = await findCollection(text, api);
        output.result(collection, () => showItems(collection, inventory, output));
        return EXIT.ok;
      }),
    );
}

function addUpdate(command: Command, cli: Cli): void {
  command
    .command('update')
    .description('rename a collection or replace its contents')
    .argument(...COLLECTION_ARGUMENT)
    .option('--name <name>', 'new name')
    .option(
      '--file <file>',
      'new contents as JSON: {"groups": […], "items": […]}, the "payload" of hearthd collection show --json',
    )
    .action(
      cli.run(async ({ api, output }, text: string, { name, file }: { name?: string; file?: string }) => {
        if (name === undefined && file === undefined) throw usageError('Pass --name, --file or both.');
        const { id } = await findCollection(text, api);
        const changes = { name, payload: file === undefined ? undefined : readPayload(file) };
        const collection = await api.send<Collection>('PATCH', `/rest/collections/${id}`, changes);
        output.result(collection, () => output.line(`Updated the collection ${collection.name}.`));
        return EXIT.ok;
      }),
    );
}

function addDelete(command: Command, cli: Cli): void {
  command
    .command('delete')
    .description('delete a collection (not its accessories)')
    .argument(...COLLECTION_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string, _options: object) => {
        const { id, name } = await findCollection(text, api);
        const answer = await api.send('DELETE', `/rest/collections/${id}`);
        output.result(answer, () => output.line(`Deleted the collection ${name}.`));
        return EXIT.ok;
      }),
    );
}

async function list(api: ApiClient): Promise<Collection[]> {
  return api.get<Collection[]>('/rest/collections');
}

function showItems({ payload }: Collection, inventory: Inventory, output: Output): void {
  const groupNames = new Map(payload.groups.map(({ id, name }) => [id, name]));
  const rows = payload.items.map((item) => [
    item.home_name,
    itemName(item, inventory),
    item.group_id === undefined ? '' : groupNames.get(item.group_id),
    'accessory_id' in item ? item.accessory_id : item.service_group_id,
  ]);
  output.table(['Home', 'Item', 'Group', 'Id'], rows, 'The collection is empty.');
}

function itemName(item: CollectionItem, inventory: Inventory): string {
  if ('service_group_id' in item) return '(service group)';
  return inventory.accessories.find(({ id }) => id === item.accessory_id)?.name ?? '(gone)';
}

/** The daemon validates the content. */
function readPayload(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw usageError(`Cannot read ${file} as JSON: ${messageOf(error)}`);
  }
}
