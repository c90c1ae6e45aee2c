import type { ServiceGroup } from '../../contract/service-groups.ts';
import type { StateTree } from '../../contract/state.ts';
import { ICON_NAMES } from '../../home/vocabulary/icon-names.ts';
import { defineCommand } from '../define-command.ts';
import { usageError } from '../exit-codes.ts';
import { keyPathOf, loadInventory, type StateItem } from '../inventory.ts';
import type { CommandOutput } from '../output.ts';
import { settableInWords, stateInWords } from '../state-words.ts';

const ACCESSORY_ARGUMENT = ['<accessory>', 'name, path, slug key or id'] as const;

/** `hearthd accessory …`: shows the state of an accessory, and changes its name, room and icon. */
export const accessoryCommand = defineCommand({
  name: 'accessory',
  description: 'show, rename or move an accessory, or set its icon',
  examples: [
    'hearthd accessory show "Front Door"',
    'hearthd accessory rename "Kitchen/Lamp 2" "Ceiling Lamp"',
    'hearthd accessory move Lamp "Living Room"',
    'hearthd accessory icon Lamp lamp-desk',
  ],
  commands: [
    defineCommand({
      name: 'show',
      description: 'show the state of an accessory and its writable properties',
      arguments: [['<accessory>', 'name, path, slug key or id of an accessory or service group']],
      async run({ api, output }, text) {
        const groups = await api.get<ServiceGroup[]>('/rest/service-groups');
        const entry = (await loadInventory(api)).entry(text, groups);
        const [home, room, key] = keyPathOf(entry);
        const state = (await api.get<StateTree>('/rest/state'))[home]?.[room]?.[key] ?? {};
        output.result(state, () => showAccessory(entry, state as object, output));
      },
    }),
    defineCommand({
      name: 'rename',
      description: 'rename an accessory',
      arguments: [ACCESSORY_ARGUMENT, ['[name]', 'new name']],
      options: [['--reset', 'restore the name that the device reports']],
      async run({ api, output }, text, name, { reset }) {
        if ((name === undefined) !== (reset ?? false)) throw usageError('Pass either a new name or --reset.');
        const accessory = (await loadInventory(api)).accessory(text);
        const path = `/rest/accessories/${accessory.id}`;
        const renamed = await api.send<{ name: string }>('PATCH', path, { name: name ?? null });
        output.done(renamed, `Renamed ${accessory.name} to ${renamed.name}.`);
      },
    }),
    defineCommand({
      name: 'move',
      description: 'move an accessory to another room of its home',
      arguments: [ACCESSORY_ARGUMENT, ['<room>', 'name, slug key or id of the room']],
      async run({ api, output }, text, roomText) {
        const inventory = await loadInventory(api);
        const accessory = inventory.accessory(text);
        const room = inventory.room(roomText, accessory.home);
        const moved = await api.send('PATCH', `/rest/accessories/${accessory.id}`, { roomId: room.id });
        output.done(moved, `Moved ${accessory.name} to ${room.name}.`);
      },
    }),
    defineCommand({
      name: 'icon',
      description: 'set the icon of an accessory',
      arguments: [ACCESSORY_ARGUMENT, ['[icon]', 'a name that hearthd accessory icons lists']],
      options: [['--reset', 'restore the icon of its kind']],
      async run({ api, output }, text, icon, { reset }) {
        if ((icon === undefined) !== (reset ?? false)) throw usageError('Pass either an icon or --reset.');
        const accessory = (await loadInventory(api)).accessory(text);
        const changed = await api.send('PATCH', `/rest/accessories/${accessory.id}`, { icon: icon ?? null });
        output.done(
          changed,
          icon === undefined ? `Reset the icon of ${accessory.name}.` : `${accessory.name}: ${icon}`,
        );
      },
    }),
    defineCommand({
      name: 'icons',
      description: 'list the icons that accessories and service groups can have',
      arguments: [['[search]', 'only names that contain this']],
      async run({ output }, search = '') {
        const names = ICON_NAMES.filter((name) => name.includes(search.toLowerCase()));
        output.list(names, (name) => ({ Icon: name }), 'No such icons.');
      },
    }),
  ],
});

/** @param state its entry in the state tree */
function showAccessory(
  { id, name, home, roomName, isReachable }: StateItem,
  state: object,
  output: CommandOutput,
): void {
  const { type } = state as { readonly type?: unknown };
  output.line(`${output.style('bold', name)} (${String(type ?? 'no type')}), ${home.name}/${roomName}`);
  if (!isReachable) output.line(output.style('yellow', 'Unreachable. These are the last known values.'));
  for (const [property, value] of stateInWords(state)) output.line(`  ${property}=${value}`);
  const settable = settableInWords(state);
  output.line(settable.length > 0 ? `Writable: ${settable.join(', ')}` : 'No writable properties.');
  output.line(`Id: ${id}`);
}
