import { Command } from 'commander';
import type { ServiceGroup } from '../../contract/service-groups.ts';
import { type Cli, examples, HOME_OPTION, repeated } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import { parseSettings } from '../assignments.ts';
import { CliError, EXIT, usageError } from '../exit-codes.ts';
import { type Inventory, loadInventory } from '../inventory.ts';
import type { Output } from '../output.ts';
import { stateInWords } from '../state-words.ts';
import { setProperties } from './set.ts';

const GROUP_ARGUMENT = ['<group>', 'name, "Home/Name" or id'] as const;

/** A service by its id, as `hearthd accessories --json` shows it: `<accessory id>.<number>`. */
const SERVICE_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.\d+$/i;

/** `hearthd group …`: lights, switches, outlets, fans or blinds that are controlled together. */
export function groupCommand(cli: Cli): Command {
  const command = new Command('group')
    .description('manage service groups: lights, switches … that act as one')
    .addHelpText(
      'after',
      examples(
        'hearthd group create Ceiling "Living Room/Lamp" "Living Room/Lamp 2"',
        'hearthd group set Ceiling on=true brightness=40',
        'hearthd group update Ceiling --name "All Lamps"',
      ),
    );
  for (const add of [addList, addCreate, addShow, addSet, addUpdate, addDelete]) add(command, cli);
  return command;
}

function addList(command: Command, cli: Cli): void {
  command
    .command('list')
    .description('list the service groups')
    .option('--home <home>', 'only in this home')
    .action(
      cli.run(async ({ api, output }, { home }: { home?: string }) => {
        const inventory = await loadInventory(api);
        const homeId = home === undefined ? undefined : inventory.home(home).id;
        const groups = await api.get<ServiceGroup[]>('/rest/service-groups', { home: homeId });
        const rows = groups.map((group) => [
          inventory.homeName(group),
          group.name,
          group.type,
          group.serviceIds.length,
          stateText(group),
          group.id,
        ]);
        const head = ['Home', 'Name', 'Type', 'Members', 'State', 'Id'];
        output.result(groups, () =>
          output.table(head, rows, 'No service groups. Create one with hearthd group create.'),
        );
        return EXIT.ok;
      }),
    );
}

function addCreate(command: Command, cli: Cli): void {
  command
    .command('create')
    .description('create a service group')
    .argument('<name>')
    .argument('<members...>', 'accessories of one type, or ids of their services')
    .option(...HOME_OPTION)
    .action(
      cli.run(async ({ api, output }, name: string, texts: readonly string[], { home }: { home?: string }) => {
        const inventory = await loadInventory(api);
        const { homeId, members } = parseMembers(texts, inventory, home);
        const body = { homeId, name, ...members };
        const group = await api.send<ServiceGroup>('POST', '/rest/service-groups', body);
        output.result(group, () => {
          output.line(`Created the service group ${group.name} (${group.id}).`);
          showMembers(group, inventory, output);
        });
        return EXIT.ok;
      }),
    );
}

function addShow(command: Command, cli: Cli): void {
  command
    .command('show')
    .description('show the members and state of a service group')
    .argument(...GROUP_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string) => {
        const inventory = await loadInventory(api);
        const group = await findGroup(api, inventory, text);
        output.result(group, () => {
          output.line(`${group.name}: ${stateText(group)}`);
          showMembers(group, inventory, output);
        });
        return EXIT.ok;
      }),
    );
}

function addSet(command: Command, cli: Cli): void {
  command
    .command('set')
    .description('set properties of every member and wait for the devices')
    .argument(...GROUP_ARGUMENT)
    .argument('<property=value...>', 'on=true, brightness=40, target=100 …')
    .action(
      cli.run(async ({ api, output }, text: string, assignments: readonly string[]) => {
        const settings = parseSettings(assignments);
        const inventory = await loadInventory(api);
        const group = await findGroup(api, inventory, text);
        const entry = inventory.locate(group);
        if (!entry) {
          throw new CliError(EXIT.unreachable, 'accessory_unreachable', `No member of ${group.name} is available.`);
        }
        const result = await setProperties(api, entry, settings);
        output.result(result, () => output.line(`${group.name}: ${assignments.join(' ')}`));
        return EXIT.ok;
      }),
    );
}

function addUpdate(command: Command, cli: Cli): void {
  command
    .command('update')
    .description('rename a service group or replace its members')
    .argument(...GROUP_ARGUMENT)
    .option('--name <name>', 'new name')
    .option('--member <accessory>', 'new member; replaces all members (repeatable)', repeated)
    .action(
      cli.run(
        async ({ api, output }, text: string, { name, member }: { name?: string; member?: readonly string[] }) => {
          if (name === undefined && member === undefined) throw usageError('Pass --name, --member or both.');
          const inventory = await loadInventory(api);
          const { id, homeId } = await findGroup(api, inventory, text);
          const members = member && parseMembers(member, inventory, homeId).members;
          const changes = { name, ...members };
          const group = await api.send<ServiceGroup>('PATCH', `/rest/service-groups/${id}`, changes);
          output.result(group, () => {
            output.line(`Updated the service group ${group.name}.`);
            showMembers(group, inventory, output);
          });
          return EXIT.ok;
        },
      ),
    );
}

function addDelete(command: Command, cli: Cli): void {
  command
    .command('delete')
    .description('delete a service group (not its members)')
    .argument(...GROUP_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string) => {
        const group = await findGroup(api, await loadInventory(api), text);
        const answer = await api.send('DELETE', `/rest/service-groups/${group.id}`);
        output.result(answer, () => output.line(`Deleted the service group ${group.name}.`));
        return EXIT.ok;
      }),
    );
}

async function findGroup(api: ApiClient, inventory: Inventory, text: string): Promise<ServiceGroup> {
  return inventory.thing('group', text, await api.get<ServiceGroup[]>('/rest/service-groups'));
}

/** @param home the home; if omitted, that of the first accessory. */
function parseMembers(texts: readonly string[], inventory: Inventory, home: string | undefined) {
  const serviceIds = texts.filter((text) => SERVICE_ID.test(text));
  const accessories = texts.filter((text) => !SERVICE_ID.test(text)).map((text) => inventory.accessory(text));
  const ofService = inventory.accessories.find(({ id }) => serviceIds[0]?.toLowerCase().startsWith(id));
  const { id: homeId } = inventory.home(home ?? (accessories[0] ?? ofService)?.homeId);
  return { homeId, members: { serviceIds, accessoryIds: accessories.map(({ id }) => id) } };
}

function stateText({ state, isReachable, accessoryIds }: ServiceGroup): string {
  const shown = stateInWords(state).map(([name, value]) => `${name}=${value}`);
  if (shown.length === 0 && accessoryIds.length > 0) return '(no members available)';
  return [...(isReachable ? [] : ['(unreachable)']), ...shown].join(' ');
}

function showMembers({ serviceIds }: ServiceGroup, inventory: Inventory, output: Output): void {
  const rows = serviceIds.map((serviceId) => {
    const [accessoryId = '', service] = serviceId.split('.');
    const accessory = inventory.accessories.find(({ id }) => id === accessoryId);
    return [accessory?.name ?? '(gone)', accessory?.roomName, service, accessoryId];
  });
  output.table(['Member', 'Room', 'Service', 'Id'], rows, 'No members.');
}
