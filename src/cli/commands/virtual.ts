import { Command } from 'commander';
import type { VirtualAccessory } from '../../contract/accessories.ts';
import type { OperatedVirtualAccessory } from '../../contract/virtual-accessories.ts';
import { type Cli, examples, repeated } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import { EXIT, usageError } from '../exit-codes.ts';
import { Inventory, type LocatedAccessory, loadInventory } from '../inventory.ts';
import type { Output } from '../output.ts';

const ACCESSORY_ARGUMENT = ['<accessory>', 'name, "Room/Name", slug key or id'] as const;
const KINDS = 'switch, mode, number, counter, timer, text or date';

/** The options of `create` and `update`, as commander names them. */
interface SetUpOptions {
  readonly option?: readonly string[];
  readonly initial?: string;
  readonly min?: string;
  readonly max?: string;
  readonly step?: string;
  readonly unit?: string;
  readonly control?: string;
  readonly duration?: string;
  readonly minLength?: string;
  readonly maxLength?: string;
  readonly pattern?: string;
  /** `true` unless `--no-date`, `--no-time` or `--read-only` is given, see `fieldsOf`. */
  readonly date?: boolean;
  readonly time?: boolean;
  readonly icon?: string;
  readonly readOnly?: boolean;
  readonly controllable?: boolean;
}

/** `hearthd virtual …`: creates and changes virtual accessories. The usual commands read and set them too. */
export function virtualCommand(cli: Cli): Command {
  const command = new Command('virtual')
    .description('manage virtual accessories: modes, counters, timers …')
    .addHelpText(
      'after',
      examples(
        'hearthd virtual create mode "Home Mode" --option Home --option Away --option Night',
        'hearthd virtual create timer Tea --duration 4m --room Kitchen',
        'hearthd virtual operate Tea start',
        'hearthd virtual set "Home Mode" Away',
      ),
    );
  addList(command, cli);
  addCreate(command, cli);
  addShow(command, cli);
  addSet(command, cli);
  addUpdate(command, cli);
  addDelete(command, cli);
  addOperate(command, cli);
  return command;
}

function addList(command: Command, cli: Cli): void {
  command
    .command('list')
    .description('list the virtual accessories')
    .option('--home <home>', 'only in this home')
    .action(
      cli.run(async ({ api, output }, { home }: { home?: string }) => {
        const inventory = await loadInventory(api);
        const homeId = home === undefined ? undefined : inventory.home(home).id;
        const found = await loadVirtual(api);
        const listed = found.filter((accessory) => homeId === undefined || accessory.homeId === homeId);
        const names = new Map(inventory.homes.map(({ id, name }) => [id, name]));
        const rows = listed.map((accessory) => [
          names.get(accessory.homeId),
          accessory.roomName,
          accessory.name,
          accessory.virtualType,
          valueText(accessory),
          accessory.id,
        ]);
        const head = ['Home', 'Room', 'Name', 'Type', 'Value', 'Id'];
        output.result(listed, () =>
          output.table(head, rows, 'No virtual accessories. Create one with hearthd virtual create.'),
        );
        return EXIT.ok;
      }),
    );
}

function addCreate(command: Command, cli: Cli): void {
  withSetUpOptions(
    command
      .command('create')
      .description('create a virtual accessory')
      .argument('<type>', KINDS)
      .argument('<name>')
      .option('--home <home>', 'home (required if there are several)')
      .option('--room <room>', 'room (default: the default room)'),
  ).action(
    cli.run(
      async (
        { api, output },
        type: string,
        name: string,
        { home: homeText, room, ...options }: SetUpOptions & { home?: string; room?: string },
      ) => {
        const inventory = await loadInventory(api);
        const inRoom =
          room === undefined ? undefined : inventory.room(room, homeText ? inventory.home(homeText) : undefined);
        const home = inRoom?.home ?? inventory.home(homeText);
        const created = await api.send<VirtualAccessory>('POST', '/rest/virtual-accessories', {
          homeId: home.id,
          name,
          type,
          roomId: inRoom?.id,
          ...fieldsOf(options),
        });
        output.result(created, () => output.line(`Created ${created.name} in ${created.roomName} (${created.id}).`));
        return EXIT.ok;
      },
    ),
  );
}

function addShow(command: Command, cli: Cli): void {
  command
    .command('show')
    .description('show the configuration and value of a virtual accessory')
    .argument(...ACCESSORY_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string) => {
        const accessory = await findVirtual(api, text);
        output.result(accessory, () => show(accessory, output));
        return EXIT.ok;
      }),
    );
}

function addSet(command: Command, cli: Cli): void {
  command
    .command('set')
    .description('set the value of a virtual accessory')
    .argument(...ACCESSORY_ARGUMENT)
    .argument('<value>')
    .action(
      cli.run(async ({ api, output }, text: string, value: string) => {
        await operate(api, output, await findVirtual(api, text), { operation: 'set', value });
        return EXIT.ok;
      }),
    );
}

function addUpdate(command: Command, cli: Cli): void {
  withSetUpOptions(
    command
      .command('update')
      .description('change the configuration of a virtual accessory')
      .argument(...ACCESSORY_ARGUMENT)
      .option('--name <name>', 'new name')
      .option('--room <room>', 'new room')
      .option('--controllable', 'let users change its value'),
  ).action(
    cli.run(
      async (
        { api, output },
        text: string,
        { name, room, ...options }: SetUpOptions & { name?: string; room?: string },
      ) => {
        const inventory = await loadInventory(api);
        const accessory = await findVirtual(api, text, inventory);
        const roomId = room === undefined ? undefined : inventory.room(room, accessory.home).id;
        const changes = { name, roomId, ...fieldsOf(options) };
        if (Object.values(changes).every((value) => value === undefined)) {
          throw usageError('Pass at least one option. See hearthd virtual update --help.');
        }
        const path = `/rest/virtual-accessories/${accessory.id}`;
        const updated = await api.send<VirtualAccessory>('PATCH', path, changes);
        output.result(updated, () => show(updated, output));
        return EXIT.ok;
      },
    ),
  );
}

function addDelete(command: Command, cli: Cli): void {
  command
    .command('delete')
    .description('delete a virtual accessory')
    .argument(...ACCESSORY_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string) => {
        const { id, name } = await findVirtual(api, text);
        const answer = await api.send('DELETE', `/rest/virtual-accessories/${id}`);
        output.result(answer, () => output.line(`Deleted ${name}.`));
        return EXIT.ok;
      }),
    );
}

function addOperate(command: Command, cli: Cli): void {
  command
    .command('operate')
    .description('run an operation: toggle, increment, start …')
    .argument(...ACCESSORY_ARGUMENT)
    .argument('<operation>', 'an operation from hearthd virtual show')
    .argument('[value]', 'set: the value; increment: the amount; start: the duration (90s, 5m, 1:30:00)')
    .action(
      cli.run(async ({ api, output }, text: string, operation: string, value: string | undefined) => {
        await operate(api, output, await findVirtual(api, text), { operation, value });
        return EXIT.ok;
      }),
    );
}

function withSetUpOptions(command: Command): Command {
  return command
    .option('--option <word>', 'mode: one of its values (repeatable)', repeated)
    .option('--initial <value>', 'initial value')
    .option('--min <number>', 'number, counter: minimum (counter: or none)')
    .option('--max <number>', 'number, counter: maximum (counter: or none)')
    .option('--step <number>', 'number, counter: step')
    .option('--unit <unit>', 'number: unit')
    .option('--control <control>', 'number: stepper or field')
    .option('--duration <time>', 'timer: duration: 90s, 5m, 1:30:00')
    .option('--min-length <characters>', 'text: minimum length')
    .option('--max-length <characters>', 'text: maximum length')
    .option('--pattern <expression>', 'text: regular expression for the whole text')
    .option('--no-date', 'date: only a time of day')
    .option('--no-time', 'date: only a day')
    .option('--icon <icon>', 'icon name')
    .option('--read-only', 'do not let users change its value');
}

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
  return api.get<VirtualAccessory[]>('/rest/virtual-accessories');
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
  output: Output,
  { id, name }: VirtualAccessory,
  body: { readonly operation: string; readonly value?: string | undefined },
): Promise<void> {
  const result = await api.send<OperatedVirtualAccessory>('POST', `/rest/virtual-accessories/${id}/operate`, body);
  output.result(result, () => {
    const { value, virtualRemainingMs: remaining } = result;
    output.line(`${name}: ${String(value)}${remaining == null ? '' : `, ${durationText(remaining)} left`}`);
  });
}

function show(accessory: VirtualAccessory, output: Output): void {
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
