import { Command } from 'commander';
import type { HomeResource } from '../api-resources.ts';
import { EXIT } from '../exit-codes.ts';
import { loadHouse } from '../house.ts';
import { type Cli, examples } from '../session.ts';

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
        const homes = await api.get<HomeResource[]>('/rest/homes');
        const rows = homes.map((home) => [
          home.name,
          statusOf(home),
          home.roomCount,
          home.accessoryCount,
          home.key,
          home.id,
        ]);
        const head = ['Name', 'Status', 'Rooms', 'Accessories', 'Key', 'Id'];
        output.result(homes, () => output.table(head, rows, 'There is no home.'));
        return EXIT.ok;
      }),
    );
  command
    .command('create')
    .description('create a home')
    .argument('<name>')
    .action(
      cli.run(async ({ api, output }, name: string) => {
        const home = await api.send<HomeResource>('POST', '/rest/homes', { name });
        output.result(home, () => output.line(`Home ${home.name} is created (${home.id}).`));
        return EXIT.ok;
      }),
    );
  command
    .command('rename')
    .description('rename a home')
    .argument(...HOME_ARGUMENT)
    .argument('<name>', 'the new name')
    .action(
      cli.run(async ({ api, output }, text: string, name: string) => {
        const home = (await loadHouse(api)).home(text);
        const renamed = await api.send<HomeResource>('PATCH', `/rest/homes/${home.id}`, { name });
        output.result(renamed, () => output.line(`Home ${home.name} is now called ${renamed.name}.`));
        return EXIT.ok;
      }),
    );
  command
    .command('delete')
    .description('delete a home that nothing is paired into')
    .argument(...HOME_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string) => {
        const home = (await loadHouse(api)).home(text);
        const answer = await api.send('DELETE', `/rest/homes/${home.id}`);
        output.result(answer, () => output.line(`Home ${home.name} is deleted.`));
        return EXIT.ok;
      }),
    );
  for (const [verb, paused, meaning] of [
    ['pause', true, 'let go of the home’s devices until it is resumed'],
    ['resume', false, 'connect to the home’s devices again'],
  ] as const) {
    command
      .command(verb)
      .description(meaning)
      .argument(...HOME_ARGUMENT)
      .action(
        cli.run(async ({ api, output }, text: string) => {
          const home = (await loadHouse(api)).home(text);
          const changed = await api.send<HomeResource>('PATCH', `/rest/homes/${home.id}`, { paused });
          output.result(changed, () => output.line(`Home ${home.name} is ${paused ? 'paused' : 'running'}.`));
          return EXIT.ok;
        }),
      );
  }
  return command;
}

function statusOf({ paused, connected }: HomeResource): string {
  if (paused) return 'paused';
  return connected ? 'running' : 'starting';
}
