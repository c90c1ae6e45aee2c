import type { ServiceGroup } from '../../contract/service-groups.ts';
import { HOME_OPTION, repeated } from '../action.ts';
import { parseSettings } from '../assignments.ts';
import { defineCommand } from '../define-command.ts';
import { CliError, EXIT, usageError } from '../exit-codes.ts';
import { findGroup } from '../find-things.ts';
import { type Inventory, loadInventory } from '../inventory.ts';
import type { CommandOutput } from '../output.ts';
import { listInHomes, type ResourceRow, remove } from '../resource-commands.ts';
import { stateInWords } from '../state-words.ts';
import { setProperties } from './set.ts';

/** A service by its id, as `hearthd accessories --json` shows it: `<accessory id>.<number>`. */
const SERVICE_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.\d+$/i;
const GROUPS = '/rest/service-groups';

const GROUP: ResourceRow<ServiceGroup> = {
  argument: ['<group>', 'name, "Home/Name" or id'],
  find: async (api, text) => findGroup(text, api, await loadInventory(api)),
  path: ({ id }) => `${GROUPS}/${id}`,
};

/** `hearthd group …`: lights, switches, outlets, fans or blinds that are controlled together. */
export const groupCommand = defineCommand({
  name: 'group',
  description: 'manage service groups: lights, switches … that act as one',
  examples: [
    'hearthd group create Ceiling "Living Room/Lamp" "Living Room/Lamp 2"',
    'hearthd group set Ceiling on=true brightness=40',
    'hearthd group update Ceiling --name "All Lamps"',
  ],
  commands: [
    listInHomes({
      description: 'list the service groups',
      load: (api, home) => api.get<ServiceGroup[]>(GROUPS, { home }),
      columns: (group, inventory) => ({
        Home: inventory.homeName(group),
        Name: group.name,
        Type: group.type,
        Members: group.serviceIds.length,
        State: stateText(group),
        Id: group.id,
      }),
      empty: 'No service groups. Create one with hearthd group create.',
    }),
    defineCommand({
      name: 'create',
      description: 'create a service group',
      arguments: [['<name>'], ['<members...>', 'accessories of one type, or ids of their services']],
      options: [HOME_OPTION],
      async run({ api, output }, name, texts, { home }) {
        const inventory = await loadInventory(api);
        const { homeId, members } = parseMembers(texts, inventory, home);
        const group = await api.send<ServiceGroup>('POST', GROUPS, { homeId, name, ...members });
        output.result(group, () => {
          output.line(`Created the service group ${group.name} (${group.id}).`);
          showMembers(group, inventory, output);
        });
      },
    }),
    defineCommand({
      name: 'show',
      description: 'show the members and state of a service group',
      arguments: [GROUP.argument],
      async run({ api, output }, text) {
        const inventory = await loadInventory(api);
        const group = await findGroup(text, api, inventory);
        output.result(group, () => {
          output.line(`${group.name}: ${stateText(group)}`);
          showMembers(group, inventory, output);
        });
      },
    }),
    defineCommand({
      name: 'set',
      description: 'set properties of every member and wait for the devices',
      arguments: [GROUP.argument, ['<property=value...>', 'on=true, brightness=40, target=100 …']],
      async run({ api, output }, text, assignments) {
        const settings = parseSettings(assignments);
        const inventory = await loadInventory(api);
        const group = await findGroup(text, api, inventory);
        const entry = inventory.locate(group);
        if (!entry) {
          throw new CliError(EXIT.unreachable, 'accessory_unreachable', `No member of ${group.name} is available.`);
        }
        output.done(await setProperties(api, entry, settings), `${group.name}: ${assignments.join(' ')}`);
      },
    }),
    defineCommand({
      name: 'update',
      description: 'rename a service group, replace its members or set its icon',
      arguments: [GROUP.argument],
      options: [
        ['--name <name>', 'new name'],
        ['--member <accessory>', 'new member; replaces all members (repeatable)', repeated],
        ['--icon <icon>', 'a name that hearthd accessory icons lists'],
        ['--no-icon', 'restore the icon of its kind'],
      ],
      async run({ api, output }, text, { name, member, icon }) {
        if (name === undefined && member === undefined && icon === undefined) {
          throw usageError('Pass --name, --member, --icon or several of them.');
        }
        const inventory = await loadInventory(api);
        const found = await findGroup(text, api, inventory);
        const members = member && parseMembers(member, inventory, found.homeId).members;
        const group = await api.send<ServiceGroup>('PATCH', GROUP.path(found), {
          name,
          ...members,
          icon: icon === false ? null : icon,
        });
        output.result(group, () => {
          output.line(`Updated the service group ${group.name}.`);
          showMembers(group, inventory, output);
        });
      },
    }),
    remove(GROUP, {
      description: 'delete a service group (not its members)',
      done: ({ name }) => `Deleted the service group ${name}.`,
    }),
  ],
});

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

function showMembers({ serviceIds }: ServiceGroup, inventory: Inventory, output: CommandOutput): void {
  const rows = serviceIds.map((serviceId) => {
    const [accessoryId = '', service] = serviceId.split('.');
    const accessory = inventory.accessories.find(({ id }) => id === accessoryId);
    return [accessory?.name ?? '(gone)', accessory?.roomName, service, accessoryId];
  });
  output.table(['Member', 'Room', 'Service', 'Id'], rows, 'No members.');
}
