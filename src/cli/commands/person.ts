import { Command } from 'commander';
import { type Cli, examples, HOME_OPTION } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import type { PersonResource } from '../api-resources.ts';
import { EXIT, usageError } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';

const PERSON_ARGUMENT = ['<person>', 'name, "Home/Name" or id'] as const;

interface Position {
  readonly latitude?: number;
  readonly longitude?: number;
  readonly accuracy?: number;
}

/** `hearthd person …`: the people of a home, and their presence. */
export function personCommand(cli: Cli): Command {
  const command = new Command('person')
    .description('list, add, rename or remove people, or set their location')
    .addHelpText(
      'after',
      examples(
        'hearthd person add Ada',
        'hearthd person set Ada home',
        'hearthd person set Ada --latitude 52.5 --longitude 13.4',
      ),
    );
  for (const add of [addList, addAdd, addRename, addRemove, addSet]) add(command, cli);
  return command;
}

function addList(command: Command, cli: Cli): void {
  command
    .command('list')
    .description('list the people and whether they are at home')
    .option('--home <home>', 'only in this home')
    .action(
      cli.run(async ({ api, output }, { home }: { home?: string }) => {
        const inventory = await loadInventory(api);
        const people = await listPeople(api, home === undefined ? undefined : inventory.home(home).id);
        const rows = people.map((person) => [
          inventory.homeName(person),
          person.name,
          whereabouts(person),
          person.changedAt ?? '',
          person.id,
        ]);
        const head = ['Home', 'Name', 'Where', 'Since', 'Id'];
        output.result(people, () => output.table(head, rows, 'No people. Add one with hearthd person add.'));
        return EXIT.ok;
      }),
    );
}

function addAdd(command: Command, cli: Cli): void {
  command
    .command('add')
    .description('add a person')
    .argument('<name>')
    .option(...HOME_OPTION)
    .action(
      cli.run(async ({ api, output }, name: string, { home }: { home?: string }) => {
        const { id: homeId } = (await loadInventory(api)).home(home);
        const person = await api.send<PersonResource>('POST', '/rest/people', { homeId, name });
        output.result(person, () => output.line(`Added ${person.name} (${person.id}).`));
        return EXIT.ok;
      }),
    );
}

function addRename(command: Command, cli: Cli): void {
  command
    .command('rename')
    .description('rename a person')
    .argument(...PERSON_ARGUMENT)
    .argument('<name>', 'new name')
    .action(
      cli.run(async ({ api, output }, text: string, name: string) => {
        const person = await findPerson(api, text);
        const renamed = await api.send<PersonResource>('PATCH', `/rest/people/${person.id}`, { name });
        output.result(renamed, () => output.line(`Renamed ${person.name} to ${renamed.name}.`));
        return EXIT.ok;
      }),
    );
}

function addRemove(command: Command, cli: Cli): void {
  command
    .command('remove')
    .description('remove a person')
    .argument(...PERSON_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string) => {
        const person = await findPerson(api, text);
        const answer = await api.send('DELETE', `/rest/people/${person.id}`);
        output.result(answer, () => output.line(`Removed ${person.name}.`));
        return EXIT.ok;
      }),
    );
}

function addSet(command: Command, cli: Cli): void {
  command
    .command('set')
    .description('set whether a person is home or away, or their location')
    .argument(...PERSON_ARGUMENT)
    .argument('[where]', 'home or away')
    .option('--latitude <degrees>', 'degrees north', Number)
    .option('--longitude <degrees>', 'degrees east', Number)
    .option('--accuracy <metres>', 'accuracy of the location', Number)
    .action(
      cli.run(async ({ api, output }, text: string, where: string | undefined, position: Position) => {
        const person = await findPerson(api, text);
        const report = where === undefined ? position : { atHome: parseWhere(where), ...position };
        const presented = await api.send<PersonResource>('POST', `/rest/people/${person.id}/presence`, report);
        output.result(presented, () => output.line(`${presented.name}: ${whereabouts(presented)}.`));
        return EXIT.ok;
      }),
    );
}

function parseWhere(word: string): boolean {
  if (word === 'home') return true;
  if (word === 'away') return false;
  throw usageError('Use "home" or "away".');
}

function whereabouts({ atHome }: PersonResource): string {
  if (atHome === null) return 'not known';
  return atHome ? 'at home' : 'away';
}

async function listPeople(api: ApiClient, homeId?: string): Promise<readonly PersonResource[]> {
  return api.get<PersonResource[]>('/rest/people', { home: homeId });
}

async function findPerson(api: ApiClient, text: string): Promise<PersonResource> {
  const [inventory, people] = await Promise.all([loadInventory(api), listPeople(api)]);
  return inventory.thing('person', text, people);
}
