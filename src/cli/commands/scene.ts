import type { Scene, SceneExecution } from '../../contract/scenes.ts';
import { characteristicByName, characteristicName } from '../../hap-spec/characteristics.ts';
import { HOME_OPTION, repeated } from '../action.ts';
import { parseSettings } from '../assignments.ts';
import { defineCommand } from '../define-command.ts';
import { CliError, EXIT, usageError } from '../exit-codes.ts';
import { type Inventory, loadInventory } from '../inventory.ts';
import type { CommandOutput } from '../output.ts';
import { readJson } from '../read-file.ts';
import { listInHomes, type ResourceRow, remove, rename, show } from '../resource-commands.ts';
import { wordFor } from '../state-words.ts';

const NAME_ARGUMENT = ['<name>', 'ends with a letter or a number'] as const;
const LOOK_OPTIONS = [
  ['--icon <icon>', 'a name that hearthd accessory icons lists'],
  ['--color <color>', 'color of its tile, such as teal'],
] as const;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A scene's actions, in the API's form: `{accessoryId, characteristicType, targetValue}`. */
type Actions = readonly unknown[];

const SCENE: ResourceRow<Scene> = {
  argument: ['<scene>', 'name, "Home/Name" or id'],
  /** The list omits built-in scenes without actions, and scenes owned by automations, which only have an id. */
  async find(api, text) {
    // Loaded on demand: no other command needs it.
    const { BUILT_IN_SCENES, builtInId } = await import('../../app/scenes/built-in-scenes.ts');
    const [inventory, listed] = await Promise.all([loadInventory(api), api.get<Scene[]>('/rest/scenes')]);
    const builtIn = inventory.homes.flatMap((home) =>
      BUILT_IN_SCENES.map(({ kind, name }) => ({ id: builtInId(home, kind), homeId: home.id, name })),
    );
    const byId = new Map([...builtIn, ...listed].map((scene) => [scene.id, scene]));
    if (UUID.test(text) && !byId.has(text.toLowerCase())) return api.get<Scene>(`/rest/scenes/${text}`);
    const { id } = inventory.thing('scene', text, [...byId.values()]);
    return api.get<Scene>(`/rest/scenes/${id}`);
  },
  path: ({ id }) => `/rest/scenes/${id}`,
};

const runScene = defineCommand({
  name: 'run',
  description: 'run a scene and wait for the devices',
  arguments: [SCENE.argument],
  async run({ api, output }, text) {
    const scene = await SCENE.find(api, text);
    const result = await api.send<SceneExecution>('POST', `${SCENE.path(scene)}/execute`);
    if (!result.success) throw failureOf(result, scene.actionCount);
    output.done(result, `Ran the scene ${scene.name}.`);
  },
});

const createScene = defineCommand({
  name: 'create',
  description: 'create a scene',
  arguments: [NAME_ARGUMENT],
  options: [
    ['--action <accessory property=value...>', 'values to set on an accessory (repeatable)', repeated],
    ['--file <file>', 'actions as a JSON array of {accessoryId, characteristicType, targetValue}'],
    ...LOOK_OPTIONS,
    HOME_OPTION,
  ],
  notes: ['List the writable properties of an accessory with hearthd accessory show.'],
  async run({ api, output }, name, { action: words, file, icon, color, home }) {
    if ((words === undefined) === (file === undefined)) throw usageError('Pass either --action or --file.');
    const inventory = await loadInventory(api);
    const actions = file === undefined ? parseActions(words ?? [], inventory) : readActions(file);
    const homeId = inventory.home(home ?? homeOf(actions, inventory)).id;
    showCreated(await api.send<Scene>('POST', '/rest/scenes', { homeId, name, actions, icon, color }), output);
  },
});

const captureScene = defineCommand({
  name: 'capture',
  description: 'create a scene from the current state of accessories',
  arguments: [NAME_ARGUMENT, ['[accessories...]', 'names, "Room/Name", slug keys or ids']],
  options: [['--all', 'all accessories of the home'], ...LOOK_OPTIONS, HOME_OPTION],
  async run({ api, output }, name, texts, { all, icon, color, home }) {
    if ((texts.length === 0) !== (all ?? false)) throw usageError('Pass either accessories or --all.');
    const inventory = await loadInventory(api);
    const accessories = texts.map((text) => inventory.accessory(text));
    const homeId = inventory.home(home ?? accessories[0]?.homeId).id;
    const chosen = all ? {} : { accessoryIds: accessories.map(({ id }) => id) };
    showCreated(
      await api.send<Scene>('POST', '/rest/scenes/capture', { homeId, name, ...chosen, icon, color }),
      output,
    );
  },
});

/** `hearthd scene …`: lists, creates, captures and executes scenes. */
export const sceneCommand = defineCommand({
  name: 'scene',
  description: 'list, run, create or capture scenes',
  examples: [
    'hearthd scene run "Movie Night"',
    'hearthd scene create "Movie Night" --action "Living Room/Lamp" on=true brightness=20 --action Blind target=0',
    'hearthd scene capture Evening Lamp "Living Room/Thermostat"',
  ],
  commands: [
    listInHomes({
      description: 'list the scenes',
      load: (api, home) => api.get<Scene[]>('/rest/scenes', { home }),
      columns: (scene, inventory) => ({
        Home: inventory.homeName(scene),
        Name: scene.name,
        Actions: scene.actionCount,
        '': scene.isBuiltIn ? 'built in' : '',
        Id: scene.id,
      }),
      empty: 'No scenes.',
    }),
    show(SCENE, {
      description: 'show the actions of a scene',
      print: (scene, { output }) => showActions(scene, output),
    }),
    runScene,
    createScene,
    captureScene,
    defineCommand({
      name: 'look',
      description: 'set the icon and the color of a scene',
      arguments: [SCENE.argument],
      options: [...LOOK_OPTIONS, ['--no-icon', 'restore the icon of its kind'], ['--no-color', 'remove the color']],
      async run({ api, output }, text, { icon, color }) {
        if (icon === undefined && color === undefined) throw usageError('Pass --icon, --color or both.');
        const found = await SCENE.find(api, text);
        const scene = await api.send<Scene>('PATCH', SCENE.path(found), {
          icon: icon === false ? null : icon,
          color: color === false ? null : color,
        });
        output.done(scene, `Changed the scene ${scene.name}.`);
      },
    }),
    rename(SCENE, {
      description: 'rename a scene',
      done: (name, scene) => `Renamed the scene ${scene.name} to ${name}.`,
    }),
    remove(SCENE, { description: 'delete a scene', done: ({ name }) => `Deleted the scene ${name}.` }),
  ],
});

function showCreated(scene: Scene, output: CommandOutput): void {
  output.result(scene, () => {
    output.line(`Created the scene ${scene.name} (${scene.id}).`);
    showActions(scene, output);
  });
}

function showActions({ actions }: Scene, output: CommandOutput): void {
  const rows = actions.map(({ accessoryId, accessoryName, characteristicType, targetValue, serviceId }) => [
    accessoryName ?? `(deleted) ${accessoryId}`,
    nameOfType(characteristicType),
    wordFor(nameOfType(characteristicType), targetValue),
    serviceId === undefined ? '' : `service ${serviceId.slice(accessoryId.length + 1)}`,
  ]);
  output.table(['Accessory', 'Property', 'Value', ''], rows, 'The scene has no actions.');
}

function nameOfType(characteristicType: string): string {
  const spec = characteristicByName(characteristicType);
  return spec ? characteristicName(spec.type) : characteristicType;
}

/** `Lamp on=true brightness=40 Kettle on=false`: each accessory followed by its settings. */
function parseActions(words: readonly string[], inventory: Inventory): Actions {
  const groups: { readonly accessory: string; readonly assignments: string[] }[] = [];
  for (const word of words) {
    const group = groups.at(-1);
    // The first word is an accessory even if its name contains an equals sign; write later ones by id.
    if (group && word.includes('=')) group.assignments.push(word);
    else groups.push({ accessory: word, assignments: [] });
  }
  return groups.flatMap(({ accessory, assignments }) => {
    if (assignments.length === 0) {
      throw usageError(`Pass values for "${accessory}", for example --action "${accessory}" on=true brightness=40`);
    }
    const { id: accessoryId } = inventory.accessory(accessory);
    return Object.entries(parseSettings(assignments)).map(([characteristicType, targetValue]) => ({
      accessoryId,
      characteristicType,
      targetValue,
    }));
  });
}

/** The daemon validates the content. */
function readActions(file: string): Actions {
  const actions = readJson(file);
  if (Array.isArray(actions)) return actions;
  throw usageError(`${file} must contain a JSON array of {accessoryId, characteristicType, targetValue}.`);
}

/** The home of the first accessory, if known: a user who names accessories need not name their home. */
function homeOf([first]: Actions, inventory: Inventory): string | undefined {
  if (typeof first !== 'object' || first === null || !('accessoryId' in first)) return undefined;
  return inventory.accessories.find(({ id }) => id === first.accessoryId)?.homeId;
}

function failureOf({ failed, errors }: SceneExecution, actionCount: number): CliError {
  const unreachable = errors.every((error) => /(?:accessory unreachable|relay not connected)$/i.test(error));
  const summary = `${failed} of ${actionCount} actions failed:`;
  const [exitCode, code] = unreachable ? [EXIT.unreachable, 'accessory_unreachable'] : [EXIT.failed, 'scene_failed'];
  return new CliError(exitCode, code, [summary, ...errors.map((error) => `  ${error}`)].join('\n'));
}
