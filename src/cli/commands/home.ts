import { Command } from 'commander';
import type { Home } from '../../contract/homes.ts';
import { type Cli, examples } from '../action.ts';
import { EXIT, usageError } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';

interface PlaceOptions {
  readonly latitude?: number;
  readonly longitude?: number;
  readonly radius?: number;
  readonly timeZone?: string;
}

const HOME_ARGUMENT = ['<home>', 'name, slug key or id of the home'] as const;

/** `hearthd home …`: the homes of this relay. */
export function homeCommand(cli: Cli): Command {
  const command = new Command('home')
    .description('list, create, rename, delete, pause or resume homes')
    .addHelpText('after', examples('hearthd home list', 'hearthd home create Cottage', 'hearthd home pause Cottage'));
  command
    .command('list')
    .description('list the homes')
    .action(
      cli.run(async ({ api, output }) => {
        const homes = await api.get<Home[]>('/rest/homes');
        const rows = homes.map((home) => [
          home.name,
          statusOf(home),
          home.roomCount,
          home.accessoryCount,
          home.key,
          home.id,
        ]);
        const head = ['Name', 'Status', 'Rooms', 'Accessories', 'Key', 'Id'];
        output.result(homes, () => output.table(head, rows, 'No homes.'));
        return EXIT.ok;
      }),
    );
  command
    .command('create')
    .description('create a home')
    .argument('<name>')
    .action(
      cli.run(async ({ api, output }, name: string) => {
        const home = await api.send<Home>('POST', '/rest/homes', { name });
        output.result(home, () => output.line(`Created the home ${home.name} (${home.id}).`));
        return EXIT.ok;
      }),
    );
  command
    .command('rename')
    .description('rename a home')
    .argument(...HOME_ARGUMENT)
    .argument('<name>', 'new name')
    .action(
      cli.run(async ({ api, output }, text: string, name: string) => {
        const home = (await loadInventory(api)).home(text);
        const renamed = await api.send<Home>('PATCH', `/rest/homes/${home.id}`, { name });
        output.result(renamed, () => output.line(`Renamed the home ${home.name} to ${renamed.name}.`));
        return EXIT.ok;
      }),
    );
  command
    .command('delete')
    .description('delete a home without paired devices')
    .argument(...HOME_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string) => {
        const home = (await loadInventory(api)).home(text);
        const answer = await api.send('DELETE', `/rest/homes/${home.id}`);
        output.result(answer, () => output.line(`Deleted the home ${home.name}.`));
        return EXIT.ok;
      }),
    );
  command
    .command('locate')
    .description('set the location and time zone of a home, for sun times, schedules and presence')
    .argument(...HOME_ARGUMENT)
    .option('--latitude <degrees>', 'degrees north', Number)
    .option('--longitude <degrees>', 'degrees east', Number)
    .option('--radius <metres>', 'people inside this distance are at home', Number)
    .option('--time-zone <zone>', 'IANA name such as Europe/Berlin; "" for the time zone of the computer')
    .action(
      cli.run(async ({ api, output }, text: string, { timeZone, ...location }: PlaceOptions) => {
        const home = (await loadInventory(api)).home(text);
        const isLocated = Object.keys(location).length > 0;
        if (!isLocated && timeZone === undefined)
          throw usageError('Pass --latitude and --longitude, --time-zone or both.');
        const changes = { ...(isLocated && { location }), ...(timeZone !== undefined && { timeZone }) };
        const changed = await api.send<Home>('PATCH', `/rest/homes/${home.id}`, changes);
        output.result(changed, () => output.line(`${home.name} is ${describePlace(changed)}.`));
        return EXIT.ok;
      }),
    );
  for (const [verb, paused, meaning] of [
    ['pause', true, 'disconnect from the devices of a home until it is resumed'],
    ['resume', false, 'reconnect to the devices of a home'],
  ] as const) {
    command
      .command(verb)
      .description(meaning)
      .argument(...HOME_ARGUMENT)
      .action(
        cli.run(async ({ api, output }, text: string) => {
          const home = (await loadInventory(api)).home(text);
          const changed = await api.send<Home>('PATCH', `/rest/homes/${home.id}`, { paused });
          output.result(changed, () => output.line(`Home ${home.name} is ${paused ? 'paused' : 'running'}.`));
          return EXIT.ok;
        }),
      );
  }
  return command;
}

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
