/** `hearthd automation blueprints|apply`: automations with inputs, of the relay or of a file. */
import { existsSync } from 'node:fs';
import type {
  Blueprint,
  BlueprintInput,
  BlueprintPreview,
  InputKind,
  OfferedBlueprint,
} from '../../contract/blueprints.ts';
import type { Flow } from '../../contract/flows.ts';
import { LANGUAGES } from '../../texts/languages.ts';
import { HOME_OPTION, repeated } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import { defineCommand } from '../define-command.ts';
import { usageError } from '../exit-codes.ts';
import { type Inventory, loadInventory } from '../inventory.ts';
import type { CommandOutput } from '../output.ts';
import { readText } from '../read-file.ts';
import { listAutomations } from './automation-list.ts';

const LANGUAGE_OPTION = ['--language <language>', 'language of its texts', Object.keys(LANGUAGES)] as const;

const KIND_WORDS: Readonly<Record<InputKind, string>> = {
  accessory: 'accessory',
  service_group: 'group',
  scene: 'scene',
  person: 'person',
  automation: 'automation',
  number: 'number',
  time: 'time as HH:MM',
  duration: 'duration such as 90s, 5m or 2h',
  weekdays: 'days such as mon,tue',
  text: 'text',
  flag: 'true or false',
};

export const listBlueprints = defineCommand({
  name: 'blueprints',
  description: 'list blueprints, or show the inputs of one',
  arguments: [['[blueprint]', 'id of a blueprint']],
  options: [HOME_OPTION, LANGUAGE_OPTION],
  async run({ api, output }, id, { home, language }) {
    const { id: homeId } = (await loadInventory(api)).home(home);
    if (id !== undefined) {
      const offered = await getBlueprint(api, id, { home: homeId, language });
      return output.result(offered, () => showBlueprint(offered.blueprint, output));
    }
    output.list(
      await api.get<OfferedBlueprint[]>('/rest/blueprints', { home: homeId, language }),
      ({ id: key, missing, blueprint }) => ({
        Id: key,
        Name: blueprint.name,
        Does: blueprint.description,
        Lacks: missing.map((one) => nameOf(blueprint, one)).join(', '),
      }),
      'No blueprints.',
    );
  },
});

export const applyBlueprint = defineCommand({
  name: 'apply',
  description: 'create an automation from a blueprint',
  arguments: [['<blueprint>', 'id of a blueprint, or a file']],
  options: [
    HOME_OPTION,
    ['--input <id=value>', 'value of an input; again for several accessories (repeatable)', repeated],
    ['--name <name>', 'name of the automation'],
    ['--dry-run', 'only show what it would do'],
    LANGUAGE_OPTION,
  ],
  examples: [
    'hearthd automation blueprints motion_light',
    'hearthd automation apply motion_light --input sensors="Hall Sensor" --input lights=Lamp --input after=3m',
  ],
  async run({ api, output }, which, { home, input = [], name, dryRun, language }) {
    const inventory = await loadInventory(api);
    const { id: homeId } = inventory.home(home);
    const file = existsSync(which) ? readText(which) : undefined;
    const { id, blueprint } =
      file === undefined
        ? await getBlueprint(api, which, { home: homeId, language })
        : await api.send<OfferedBlueprint>('POST', '/rest/blueprints/read', { homeId, file });
    const choice = {
      homeId,
      ...(id === null ? { blueprint } : { blueprintId: id, language }),
      inputs: await readInputs(blueprint, input, { api, inventory, homeId }),
      ...(name !== undefined && { name }),
    };
    if (dryRun) {
      const preview = await api.send<BlueprintPreview>('POST', '/rest/blueprints/preview', choice);
      return output.result(preview, () => showPreview(preview, output));
    }
    const flow = await api.send<Flow>('POST', '/rest/blueprints/apply', choice);
    output.done(flow, `Created the automation ${flow.name} (${flow.id}).`);
  },
});

function getBlueprint(api: ApiClient, id: string, query: { home: string; language: string }) {
  return api.get<OfferedBlueprint>(`/rest/blueprints/${encodeURIComponent(id)}`, query);
}

function nameOf({ inputs }: Blueprint, id: string): string {
  return inputs.find((one) => one.id === id)?.name ?? id;
}

function showBlueprint({ name, description, inputs }: Blueprint, output: CommandOutput): void {
  output.line(output.style('bold', name));
  if (description !== '') output.line(description);
  for (const input of inputs) output.line(`  ${input.id}: ${describeInput(input)}`);
}

function describeInput({
  name,
  kind,
  multiple,
  optional,
  all,
  unit,
  default: usual,
  ...input
}: BlueprintInput): string {
  const needed = [...(input.needs ?? []), ...(input.anyOf ? [input.anyOf.join(' or ')] : [])];
  const facts = [
    `${multiple ? 'one or more: ' : ''}${KIND_WORDS[kind]}${unit === undefined ? '' : ` in ${unit}`}`,
    ...(needed.length > 0 ? [`with ${needed.join(', ')}`] : []),
    ...(usual === undefined ? [] : [`default: ${typeof usual === 'string' ? usual : JSON.stringify(usual)}`]),
    ...(all ? ['default: all'] : []),
    ...(optional ? ['optional'] : []),
  ];
  return `${name} (${facts.join('; ')})`;
}

function showPreview({ name, triggers, conditions, actions }: BlueprintPreview, output: CommandOutput): void {
  output.line(output.style('bold', name));
  for (const { summary } of triggers) output.line(`  ${summary}`);
  if (conditions !== null) output.line(`If\n  ${conditions}`);
  output.line('Then');
  for (const { depth, branch, summary } of actions) {
    const where = branch === null ? '' : output.style('dim', `${branch}: `);
    output.line(`${'  '.repeat(depth + 1)}${where}${summary}`);
  }
}

interface Surroundings {
  readonly api: ApiClient;
  readonly inventory: Inventory;
  readonly homeId: string;
}

/** @throws `CliError` an input that the blueprint does not have, or a value of the wrong form */
async function readInputs(
  { inputs }: Blueprint,
  words: readonly string[],
  home: Surroundings,
): Promise<Readonly<Record<string, unknown>>> {
  const values: Record<string, unknown> = {};
  for (const word of words) {
    const at = word.indexOf('=');
    if (at <= 0) throw usageError(`"${word}" is not in the form id=value.`);
    const input = inputs.find(({ id }) => id === word.slice(0, at));
    if (!input) {
      const known = inputs.map(({ id }) => id).join(', ');
      throw usageError(`The blueprint has no input "${word.slice(0, at)}". It has ${known || 'none'}.`);
    }
    const value = await readValue(input, word.slice(at + 1), home);
    const before = values[input.id];
    values[input.id] = input.multiple ? [...(Array.isArray(before) ? before : []), value] : value;
  }
  return values;
}

/** Values of other forms go to the relay as they are, which judges them. */
async function readValue({ kind }: BlueprintInput, text: string, home: Surroundings): Promise<unknown> {
  const { api, inventory, homeId } = home;
  switch (kind) {
    case 'accessory':
      return inventory.accessory(text).id;
    case 'service_group':
      return inventory.thing('group', text, await api.get<Named[]>('/rest/service-groups', { home: homeId })).id;
    case 'scene':
      return inventory.thing('scene', text, await api.get<Named[]>('/rest/scenes', { home: homeId })).id;
    case 'person':
      return inventory.thing('person', text, await api.get<Named[]>('/rest/people', { home: homeId })).id;
    case 'automation':
      return inventory.thing('automation', text, await listAutomations(api, homeId)).id;
    case 'number':
      return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
    case 'flag':
      return text === 'true' || (text === 'false' ? false : text);
    case 'duration':
      return readDuration(text);
    case 'weekdays':
      return text.split(',').map(readWeekday);
    case 'time':
    case 'text':
      return text;
  }
}

interface Named {
  readonly id: string;
  readonly name: string;
  readonly homeId: string;
}

const UNITS = { s: 'seconds', m: 'minutes', h: 'hours' } as const;

function readDuration(text: string): object {
  const [, count, unit] = /^(\d+)([smh])$/.exec(text) ?? [];
  if (count === undefined) throw usageError(`"${text}" is not a duration, for example 90s, 5m or 2h.`);
  return { [UNITS[unit as keyof typeof UNITS]]: Number(count) };
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

function readWeekday(text: string): number {
  const word = text.trim().toLowerCase();
  const day = word.length < 3 ? -1 : WEEKDAYS.findIndex((name) => name.startsWith(word));
  if (day >= 0) return day;
  throw usageError(`"${text}" is not a weekday. Use ${WEEKDAYS.map((name) => name.slice(0, 3)).join(', ')}.`);
}
