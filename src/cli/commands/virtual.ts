import type { VirtualAccessory } from '../../contract/accessories.ts';
import type { OperatedVirtualAccessory } from '../../contract/virtual-accessories.ts';
import { repeated } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import { defineCommand, type Options } from '../define-command.ts';
import { requireChange, usageError } from '../exit-codes.ts';
import { Inventory, type LocatedAccessory, loadInventory } from '../inventory.ts';
import type { CommandOutput } from '../output.ts';
import { listInHomes, type ResourceRow, remove, show } from '../resource-commands.ts';

const PATH = '/rest/virtual-accessories';
const KINDS = 'switch, mode, number, counter, timer, text or date';

/** The common options of `create` and `update`. */
const SET_UP_OPTIONS = [
  ['--option <word>', 'mode: one of its values (repeatable)', repeated],
  ['--initial <value>', 'initial value'],
  ['--min <number>', 'number, counter: minimum (counter: or none)'],
  ['--max <number>', 'number, counter: maximum (counter: or none)'],
  ['--step <number>', 'number, counter: step'],
  ['--unit <unit>', 'number: unit'],
  ['--control <control>', 'number: stepper or field'],
  ['--duration <time>', 'timer: duration: 90s, 5m, 1:30:00'],
  ['--min-length <characters>', 'text: minimum length'],
  ['--max-length <characters>', 'text: maximum length'],
  ['--pattern <expression>', 'text: regular expression for the whole text'],
  ['--no-date', 'date: only a time of day'],
  ['--no-time', 'date: only a day'],
  ['--icon <icon>', 'icon name'],
  ['--read-only', 'do not let users change its value'],
] as const;

type SetUpOptions = Options<typeof SET_UP_OPTIONS> & { readonly controllable?: true };

const VIRTUAL: ResourceRow<LocatedAccessory & VirtualAccessory> = {
  argument: ['<accessory>', 'name, "Room/Name", slug key or id'],
  find: (api, text) => findVirtual(api, text),
  path: ({ id }) => `${PATH}/${id}`,
};

const createVirtual = defineCommand({
  name: 'create',
  description: 'create a virtual accessory',
  arguments: [['<type>', KINDS], ['<name>']],
  options: [
    ['--home <home>', 'home (required if there are several)'],
    ['--room <room>', 'room (default: the default room)'],
    ...SET_UP_OPTIONS,
  ],
  async run({ api, output }, type, name, { home: homeText, room, ...options }) {
    const inventory = await loadInventory(api);
    const inRoom =
      room === undefined ? undefined : inventory.room(room, homeText ? inventory.home(homeText) : undefined);
    const homeId = (inRoom?.home ?? inventory.home(homeText)).id;
    const body = { homeId, name, type, roomId: inRoom?.id, ...fieldsOf(options) };
    const created = await api.send<VirtualAccessory>('POST', PATH, body);
    output.done(created, `Created ${created.name} in ${created.roomName} (${created.id}).`);
  },
});

const setVirtual = defineCommand({
  name: 'set',
  description: 'set the value of a virtual accessory',
  arguments: [VIRTUAL.argument, ['<value>']],
  async run({ api, output }, text, value) {
    await operate(api, output, await findVirtual(api, text), { operation: 'set', value });
  },
});

const updateVirtual = defineCommand({
  name: 'update',
  description: 'change the configuration of a virtual accessory',
  arguments: [VIRTUAL.argument],
  options: [
    ['--name <name>', 'new name'],
    ['--room <room>', 'new room'],
    ['--controllable', 'let users change its value'],
    ...SET_UP_OPTIONS,
  ],
  async run({ api, output }, text, { name, room, ...options }) {
    const inventory = await loadInventory(api);
    const accessory = await findVirtual(api, text, inventory);
    const roomId = room === undefined ? undefined : inventory.room(room, accessory.home).id;
    const changes = requireChange({ name, roomId, ...fieldsOf(options) }, ' See hearthd virtual update --help.');
    const updated = await api.send<VirtualAccessory>('PATCH', VIRTUAL.path(accessory), changes);
    output.result(updated, () => showAccessory(updated, output));
  },
});

const operateVirtual = defineCommand({
  name: 'operate',
  description: 'run an operation: toggle, increment, start …',
  arguments: [
    VIRTUAL.argument,
    ['<operation>', 'an operation from hearthd virtual show'],
    ['[value]', 'set: the value; increment: the amount; start: the duration (90s, 5m, 1:30:00)'],
  ],
  async run({ api, output }, text, operation, value) {
    await operate(api, output, await findVirtual(api, text), { operation, value });
  },
});

/** `hearthd virtual …`: creates and changes virtual accessories. The usual commands read and set them too. */
export const virtualCommand = defineCommand({
  name: 'virtual',
  description: 'manage virtual accessories: modes, counters, timers …',
  examples: [
    'hearthd virtual create mode "Home Mode" --option Home --option Away --option Night',
    'hearthd virtual create timer Tea --duration 4m --room Kitchen',
    'hearthd virtual operate Tea start',
    'hearthd virtual set "Home Mode" Away',
  ],
  commands: [
    listInHomes({
      description: 'list the virtual accessories',
      load: async (api, homeId) =>
        (await loadVirtual(api)).filter((one) => homeId === undefined || one.homeId === homeId),
      columns: (one, inventory) => ({
        Home: inventory.homeName(one),
        Room: one.roomName,
        Name: one.name,
        Type: one.virtualType,
        Value: valueText(one),
        Id: one.id,
      }),
      empty: 'No virtual accessories. Create one with hearthd virtual create.',
    }),
    createVirtual,
    show(VIRTUAL, {
      description: 'show the configuration and value of a virtual accessory',
      print: (accessory, { output }) => showAccessory(accessory, output),
    }),
    setVirtual,
    updateVirtual,
    remove(VIRTUAL, { description: 'delete a virtual accessory', done: ({ name }) => `Deleted ${name}.` }),
    operateVirtual,
  ],
});

/** The given fields. Only `--no-date` and `--no-time` have a default from commander. */
function fieldsOf(options: SetUpOptions): Readonly<Record<string, unknown>> {
  const { option, min, max, step, minLength, maxLength, date, time, readOnly, controllable, ...rest } = options;
  return {
    ...rest,
    options: option,
    min: numberOf('--min', min),
    max: numberOf('--max', max),
    step: numberOf('--step', step),
    minLength: numberOf('--min-length', minLength),
    maxLength: numberOf('--max-length', maxLength),
    hasDate: date === false ? false : undefined,
    hasTime: time === false ? false : undefined,
    controllable: readOnly ? false : controllable,
  };
}

/** `none` removes a bound. */
function numberOf(flag: string, text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'none') return null;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isNaN(number)) throw usageError(`${flag} takes a number, not "${text}".`);
  return number;
}

function loadVirtual(api: ApiClient): Promise<VirtualAccessory[]> {
  return api.get<VirtualAccessory[]>(PATH);
}

/** Finds a virtual accessory by its name; ignores devices of the same name. */
async function findVirtual(
  api: ApiClient,
  text: string,
  inventory?: Inventory,
): Promise<LocatedAccessory & VirtualAccessory> {
  const { homes, rooms } = inventory ?? (await loadInventory(api));
  const found = await loadVirtual(api);
  const located = new Inventory(homes, rooms, found).accessory(text);
  const details = found.find(({ id }) => id === located.id);
  if (!details) throw new Error('An accessory was deleted meanwhile');
  return { ...located, ...details };
}

async function operate(
  api: ApiClient,
  output: CommandOutput,
  { id, name }: VirtualAccessory,
  body: { readonly operation: string; readonly value?: string | undefined },
): Promise<void> {
  const result = await api.send<OperatedVirtualAccessory>('POST', `${PATH}/${id}/operate`, body);
  output.result(result, () => {
    const { value, virtualRemainingMs: remaining } = result;
    output.line(`${name}: ${String(value)}${remaining == null ? '' : `, ${durationText(remaining)} left`}`);
  });
}

function showAccessory(accessory: VirtualAccessory, output: CommandOutput): void {
  const { virtualConfig, virtualOperations, virtualIcon, isUserEditable } = accessory;
  const lines: readonly (readonly [string, string])[] = [
    ['name', accessory.name],
    ['room', accessory.roomName],
    ['type', accessory.virtualType],
    ['value', valueText(accessory)],
    ...Object.entries(virtualConfig).map(([field, value]) => [field, settingText(field, value)] as const),
    ['icon', virtualIcon ?? ''],
    ['controllable', isUserEditable ? 'yes' : 'no'],
    ['operations', virtualOperations.join(', ')],
    ['id', accessory.id],
  ];
  const width = Math.max(...lines.map(([label]) => label.length));
  for (const [label, value] of lines) if (value !== '') output.line(`${label.padEnd(width)}  ${value}`);
}

function settingText(field: string, value: unknown): string {
  if (value === null) return '';
  if (field === 'durationMs') return durationText(Number(value));
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function valueText({ services, virtualRemainingMs: remaining }: VirtualAccessory): string {
  const value = String(services[0]?.characteristics[0]?.value ?? '');
  return remaining == null ? value : `${value}, ${durationText(remaining)} left`;
}

/** `1:30:00`, `4:05`: the input format of durations. Rounds up to full seconds. */
export function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  const two = (number: number): string => String(number).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return hours > 0 ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
