import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { Scene, SceneExecution } from '../../contract/scenes.ts';
import { characteristicByName, characteristicName } from '../../hap-spec/characteristics.ts';
import { messageOf } from '../../kernel/errors.ts';
import { type Cli, examples, HOME_OPTION, repeated } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import { parseSettings } from '../assignments.ts';
import { CliError, EXIT, usageError } from '../exit-codes.ts';
import { type Inventory, loadInventory } from '../inventory.ts';
import type { Output } from '../output.ts';
import { wordFor } from '../state-words.ts';

const SCENE_ARGUMENT = ['<scene>', 'name, "Home/Name" or id'] as const;
const NAME_ARGUMENT = ['<name>', 'ends with a letter or a number'] as const;

/** A scene's actions, in the API's form: `{accessoryId, characteristicType, targetValue}`. */
type Actions = readonly unknown[];

/** `hearthd scene …`: lists, creates, captures and executes scenes. */
export function sceneCommand(cli: Cli): Command {
  const command = new Command('scene')
    .description('list, run, create or capture scenes')
    .addHelpText(
      'after',
      examples(
        'hearthd scene run "Movie Night"',
        'hearthd scene create "Movie Night" --action "Living Room/Lamp" on=true brightness=20 --action Blind target=0',
        'hearthd scene capture Evening Lamp "Living Room/Thermostat"',
      ),
    );
  for (const add of [addList, addShow, addRun, addCreate, addCapture, addRename, addDelete]) add(command, cli);
  return command;
}

function addList(command: Command, cli: Cli): void {
  command
    .command('list')
    .description('list the scenes')
    .option('--home <home>', 'only in this home')
    .action(
      cli.run(async ({ api, output }, { home }: { home?: string }) => {
        const inventory = await loadInventory(api);
        const homeId = home === undefined ? undefined : inventory.home(home).id;
        const scenes = await api.get<Scene[]>('/rest/scenes', { home: homeId });
        const rows = scenes.map((scene) => [
          inventory.homeName(scene),
          scene.name,
          scene.actionCount,
          scene.isBuiltIn ? 'built in' : '',
          scene.id,
        ]);
        output.result(scenes, () => output.table(['Home', 'Name', 'Actions', '', 'Id'], rows, 'No scenes.'));
        return EXIT.ok;
      }),
    );
}

function addShow(command: Command, cli: Cli): void {
  command
    .command('show')
    .description('show the actions of a scene')
    .argument(...SCENE_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string) => {
        const scene = await findScene(api, text);
        output.result(scene, () => showScene(scene, output));
        return EXIT.ok;
      }),
    );
}

function addRun(command: Command, cli: Cli): void {
  command
    .command('run')
    .description('run a scene and wait for the devices')
    .argument(...SCENE_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string) => {
        const { id, name, actionCount } = await findScene(api, text);
        const result = await api.send<SceneExecution>('POST', `/rest/scenes/${id}/execute`);
        if (!result.success) throw failureOf(result, actionCount);
        output.result(result, () => output.line(`Ran the scene ${name}.`));
        return EXIT.ok;
      }),
    );
}

function addCreate(command: Command, cli: Cli): void {
  command
    .command('create')
    .description('create a scene')
    .argument(...NAME_ARGUMENT)
    .option('--action <accessory property=value...>', 'values to set on an accessory (repeatable)', repeated)
    .option('--file <file>', 'actions as a JSON array of {accessoryId, characteristicType, targetValue}')
    .option(...HOME_OPTION)
    .addHelpText('after', '\nList the writable properties of an accessory with hearthd accessory show.')
    .action(
      cli.run(
        async (
          { api, output },
          name: string,
          { action: words, file, home }: { action?: readonly string[]; file?: string; home?: string },
        ) => {
          if ((words === undefined) === (file === undefined)) throw usageError('Pass either --action or --file.');
          const inventory = await loadInventory(api);
          const actions = file === undefined ? parseActions(words ?? [], inventory) : readActions(file);
          const homeId = inventory.home(home ?? homeOf(actions, inventory)).id;
          await addScene({ api, output }, '/rest/scenes', { homeId, name, actions });
          return EXIT.ok;
        },
      ),
    );
}

function addCapture(command: Command, cli: Cli): void {
  command
    .command('capture')
    .description('create a scene from the current state of accessories')
    .argument(...NAME_ARGUMENT)
    .argument('[accessories...]', 'names, "Room/Name", slug keys or ids')
    .option('--all', 'all accessories of the home')
    .option(...HOME_OPTION)
    .action(
      cli.run(
        async (
          { api, output },
          name: string,
          texts: readonly string[],
          { all, home }: { all?: boolean; home?: string },
        ) => {
          if ((texts.length === 0) !== (all ?? false)) throw usageError('Pass either accessories or --all.');
          const inventory = await loadInventory(api);
          const accessories = texts.map((text) => inventory.accessory(text));
          const homeId = inventory.home(home ?? accessories[0]?.homeId).id;
          const chosen = all ? {} : { accessoryIds: accessories.map(({ id }) => id) };
          await addScene({ api, output }, '/rest/scenes/capture', { homeId, name, ...chosen });
          return EXIT.ok;
        },
      ),
    );
}

function addRename(command: Command, cli: Cli): void {
  command
    .command('rename')
    .description('rename a scene')
    .argument(...SCENE_ARGUMENT)
    .argument('<name>', 'new name')
    .action(
      cli.run(async ({ api, output }, text: string, name: string) => {
        const scene = await findScene(api, text);
        const renamed = await api.send<Scene>('PATCH', `/rest/scenes/${scene.id}`, { name });
        output.result(renamed, () => output.line(`Renamed the scene ${scene.name} to ${renamed.name}.`));
        return EXIT.ok;
      }),
    );
}

function addDelete(command: Command, cli: Cli): void {
  command
    .command('delete')
    .description('delete a scene')
    .argument(...SCENE_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string) => {
        const scene = await findScene(api, text);
        const answer = await api.send('DELETE', `/rest/scenes/${scene.id}`);
        output.result(answer, () => output.line(`Deleted the scene ${scene.name}.`));
        return EXIT.ok;
      }),
    );
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The list omits built-in scenes without actions, and scenes owned by automations, which only have an id. */
async function findScene(api: ApiClient, text: string): Promise<Scene> {
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
}

async function addScene(
  { api, output }: { api: ApiClient; output: Output },
  path: string,
  body: object,
): Promise<void> {
  const scene = await api.send<Scene>('POST', path, body);
  output.result(scene, () => {
    output.line(`Created the scene ${scene.name} (${scene.id}).`);
    showScene(scene, output);
  });
}

function showScene({ actions }: Scene, output: Output): void {
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
  try {
    const actions: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (Array.isArray(actions)) return actions;
  } catch (error) {
    throw usageError(`Cannot read ${file} as JSON: ${messageOf(error)}`);
  }
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
