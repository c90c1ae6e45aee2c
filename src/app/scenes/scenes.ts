/**
 * Scenes as operations: named lists of actions, executed in one request. Three kinds share the same calls. Users
 * create the first kind. Every home has the built-in ones (`built-in-scenes.ts`), which are computed on each call.
 * Others belong to an automation and live as long as it does. Only the first kind can be changed here.
 */
import type { ActivityActor, ActivityRecord } from '../../contract/activity.ts';
import { parseInput } from '../../contract/parse.ts';
import { NewScene, SceneCapture, SceneChanges, type SceneExecution, tooManyActions } from '../../contract/scenes.ts';
import type { Accessory, Home, Scene, SceneAction } from '../../home/model.ts';
import { nameKey, requireFreeName } from '../../home/names.ts';
import { shorten } from '../../home/vocabulary/values.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { type AccessLevel, notFound } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { CharacteristicWrite, Control } from '../control/control.ts';
import type { CharacteristicOutcome } from '../control/outcome.ts';
import { BUILT_IN_SCENES, type BuiltInKind, type BuiltInScene, builtInActions, builtInId } from './built-in-scenes.ts';
import { captureAccessory } from './capture.ts';
import { nameOfAction, parseActions } from './scene-actions.ts';
import type { SceneStore } from './scene-store.ts';

/** Scenes of automations do not count. */
const MAX_SCENES = 500;

export interface ListedScene extends Scene {
  readonly builtIn: BuiltInKind | null;
  /** The name of the automation that owns it. */
  readonly automationName: string | null;
}

export interface ExecutedScene extends SceneExecution {
  /** One per action, in order. */
  readonly outcomes: readonly CharacteristicOutcome[];
}

interface ScenesDeps extends AppDeps<'state' | 'access' | 'bus' | 'clock'> {
  readonly store: SceneStore;
  readonly control: Pick<Control, 'writeCharacteristics'>;
  readonly automationName: (automationId: string) => string | undefined;
  /** Called once the devices have answered. */
  readonly onExecuted?: ((caller: Caller, scene: Scene, success: boolean) => void) | undefined;
  /** From the activity log. */
  readonly latestRunOf?: ((sceneId: string) => ActivityRecord | undefined) | undefined;
}

/** The latest run of a scene. */
export interface LatestRun {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly success: boolean;
  readonly actor: ActivityActor;
}

/** A scene of a user, before it has an id. */
type MadeScene = Pick<Scene, 'name' | 'actions'> & {
  readonly [Key in 'icon' | 'color']?: Scene[Key] | undefined;
};

export class Scenes implements Startable {
  readonly #deps: ScenesDeps;

  constructor(deps: ScenesDeps) {
    this.#deps = deps;
  }

  /** Loads the stored scenes. Call after the layout is loaded and before any request. */
  start(): void {
    this.#deps.state.scenes.restore(this.#deps.store.load());
  }

  stop(): void {}

  /**
   * The scenes of one home, or of every home that the caller may view. User-made scenes come first, by name, then
   * built-in ones that have actions now. Scenes of automations are excluded.
   * @throws `home_not_found`
   */
  list(caller: Caller, homeId?: string): readonly ListedScene[] {
    if (homeId !== undefined) return this.#listOf(this.#authorizedHome(caller, 'view', homeId));
    const { access, state } = this.#deps;
    return access.visibleHomes(caller, state.homes()).flatMap((home) => this.#listOf(home));
  }

  /**
   * Any scene, including those of automations and built-in ones without actions. Requires view access to its home.
   * @throws `scene_not_found`
   */
  get(caller: Caller, id: string): ListedScene {
    return this.#authorized(caller, 'view', id);
  }

  /**
   * The scene of this name, ignoring case; a built-in one even without actions. Requires view access to the home.
   * @throws `home_not_found` · `scene_not_found` naming both
   */
  findByName(caller: Caller, homeId: string, name: string): ListedScene {
    const home = this.#authorizedHome(caller, 'view', homeId);
    const key = nameKey(name);
    const stored = this.#own(home.id).find((scene) => nameKey(scene.name) === key);
    if (stored) return this.#listed(stored);
    const builtIn = BUILT_IN_SCENES.find((scene) => nameKey(scene.name) === key);
    if (builtIn) return this.#builtIn(home, builtIn);
    throw new HearthError('scene_not_found', `Scene '${shorten(name)}' not found in home '${home.name}'`);
  }

  /**
   * Creates a scene. Requires an admin of the home.
   * @throws `home_not_found` · `insufficient_permissions` · errors of `parseInput` and `parseActions` · `conflict`
   *         the name is taken, or there are too many
   */
  create(caller: Caller, input: NewScene): ListedScene {
    const home = this.#authorizedHome(caller, 'manage', input.homeId);
    const { name, actions, ...look } = parseInput(NewScene, input);
    this.#requireFreeName(home.id, name);
    return this.#add(home, { name, actions: parseActions(actions, home.id, this.#deps.state), ...look });
  }

  /**
   * Creates a scene from the current state of accessories; for unreachable ones, the last known state (see
   * `captureAccessory`). Requires an admin of the home.
   * @throws as `create` · `accessory_not_found` not in this home · `invalid_value` none of them can be set
   */
  capture(caller: Caller, input: SceneCapture): ListedScene {
    const home = this.#authorizedHome(caller, 'manage', input.homeId);
    const { name, accessoryIds, icon, color } = parseInput(SceneCapture, input);
    this.#requireFreeName(home.id, name);
    const actions = this.#accessoriesToCapture(home, accessoryIds).flatMap(captureAccessory);
    if (actions.length === 0) {
      throw new HearthError(
        'invalid_value',
        'None of these accessories does anything now that a scene could bring back',
        { reason: 'nothing_to_keep', field: 'accessoryIds' },
      );
    }
    const tooMany = tooManyActions(actions.length);
    if (tooMany !== undefined) throw new HearthError('invalid_value', tooMany, { field: 'actions' });
    return this.#add(home, { name, actions, icon, color });
  }

  /**
   * Renames a scene, replaces its actions, sets its look, or all of it, atomically. Requires an admin of its home.
   * @throws `scene_not_found` · `insufficient_permissions` · `invalid_request` nothing is given · errors of
   *         `parseInput` and `parseActions` · `conflict` the name is taken, or the scene is built in or an
   *         automation's
   */
  update(caller: Caller, id: string, input: SceneChanges): ListedScene {
    const scene = this.#changeable(caller, id, 'modified');
    const { actions, ...changes } = parseInput(SceneChanges, input);
    if (actions === undefined && Object.keys(changes).length === 0) {
      throw new HearthError('invalid_request', 'Give a new name, new actions, an icon or a color.');
    }
    if (changes.name !== undefined) this.#requireFreeName(scene.homeId, changes.name, scene.id);
    const parsed = actions && { actions: parseActions(actions, scene.homeId, this.#deps.state) };
    return this.#save({ ...scene, ...changes, ...parsed });
  }

  /**
   * Requires an admin of its home.
   * @throws `scene_not_found` · `insufficient_permissions` · `conflict` it is built in or an automation's
   */
  delete(caller: Caller, id: string): void {
    const scene = this.#changeable(caller, id, 'deleted');
    this.#deps.store.delete(scene.id);
    this.#deps.state.scenes.remove(scene.id);
  }

  /**
   * Executes all actions at once and waits for the devices: one request per connection, connections in parallel, in
   * the given order within each accessory. Requires control access to its home. A failed action is an outcome and
   * does not stop the others.
   * @throws `scene_not_found` · `insufficient_permissions` · `relay_not_connected` no action can be sent
   */
  async execute(caller: Caller, id: string): Promise<ExecutedScene> {
    const scene = this.#authorized(caller, 'control', id);
    const { state, control, bus, clock } = this.#deps;
    if (!state.isConnected(scene.homeId)) {
      throw new HearthError('relay_not_connected', 'Relay not connected');
    }
    const { actions, homeId, name } = scene;
    // A device that was paired again into another home no longer belongs to this one.
    const isHere = actions.map(({ accessoryId }) => state.accessoryIn(homeId, accessoryId) !== undefined);
    const writes = actions.filter((_, index) => isHere[index]).map(writeOf);
    const written = (await control.writeCharacteristics(caller, writes)).values();
    const outcomes = actions.map((action, index) => (isHere[index] && written.next().value) || missing(action));
    const errors = outcomes.flatMap((outcome, index) => this.#errorOf(outcome, homeId, actions[index]));
    const success = errors.length === 0;
    this.#deps.onExecuted?.(caller, scene, success);
    bus.emit('scene.executed', { homeId, sceneId: scene.id, name, success, at: clock.now() });
    return { success, sceneId: scene.id, failed: errors.length, errors, outcomes };
  }

  /** When a scene ran last and who ran it, if that is known. The caller must already be authorized for the scene. */
  latestRunOf({ id }: Pick<ListedScene, 'id'>): LatestRun | null {
    const entry = this.#deps.latestRunOf?.(id);
    return entry ? { at: entry.at, success: entry.value === 'ran', actor: entry.actor } : null;
  }

  /** The names of the scenes in `list`. The caller must already be authorized for the home. */
  namesIn(homeId: string): readonly string[] {
    const accessories = this.#deps.state.accessories(homeId);
    const builtIn = BUILT_IN_SCENES.filter((scene) => hasAny(builtInActions(scene, accessories)));
    return [...this.#own(homeId), ...builtIn].map(({ name }) => name);
  }

  /**
   * User-made scenes, and built-in scenes even if they have no actions now, so that what is published elsewhere does
   * not come and go with every lamp. The caller must already be authorized for the home.
   */
  alwaysIn(homeId: string): readonly ListedScene[] {
    const home = this.#deps.state.home(homeId);
    if (!home) return [];
    const own = this.#own(homeId).map((scene) => this.#listed(scene));
    const names = new Set(own.map(({ name }) => nameKey(name)));
    const builtIn = BUILT_IN_SCENES.filter(({ name }) => !names.has(nameKey(name)));
    return [...own, ...builtIn.map((scene) => this.#builtIn(home, scene))];
  }

  // — finding —

  #listOf(home: Home): readonly ListedScene[] {
    const builtIn = BUILT_IN_SCENES.map((scene) => this.#builtIn(home, scene));
    return [
      ...this.#own(home.id).map((scene) => this.#listed(scene)),
      ...builtIn.filter(({ actions }) => actions.length > 0),
    ];
  }

  /** User-made scenes. */
  #own(homeId: string): readonly Scene[] {
    return this.#deps.state.scenes.list(homeId).filter(({ automationId }) => automationId === null);
  }

  #listed(scene: Scene): ListedScene {
    const { automationId } = scene;
    const automationName = automationId === null ? null : (this.#deps.automationName(automationId) ?? null);
    return { ...scene, builtIn: null, automationName };
  }

  #builtIn(home: Home, scene: BuiltInScene): ListedScene {
    return {
      id: builtInId(home, scene.kind),
      homeId: home.id,
      name: scene.name,
      actions: [...builtInActions(scene, this.#deps.state.accessories(home.id))],
      automationId: null,
      icon: null,
      color: null,
      createdAt: home.createdAt,
      builtIn: scene.kind,
      automationName: null,
    };
  }

  #find(id: string): ListedScene | undefined {
    const stored = this.#deps.state.scenes.find(id);
    if (stored) return this.#listed(stored);
    const wanted = id.toLowerCase();
    for (const home of this.#deps.state.homes()) {
      const builtIn = BUILT_IN_SCENES.find(({ kind }) => builtInId(home, kind) === wanted);
      if (builtIn) return this.#builtIn(home, builtIn);
    }
    return undefined;
  }

  #authorized(caller: Caller, action: AccessLevel, id: string): ListedScene {
    return this.#deps.access.authorizeIn(caller, action, this.#find(id), 'scene_not_found');
  }

  #authorizedHome(caller: Caller, action: AccessLevel, id: string): Home {
    return this.#deps.access.authorizeHome(caller, action, this.#deps.state.home(id));
  }

  /** @throws `conflict` users cannot change it (API §4.1, scene rules) */
  #changeable(caller: Caller, id: string, how: 'modified' | 'deleted'): Scene {
    const { builtIn, automationName, ...scene } = this.#authorized(caller, 'manage', id);
    if (builtIn) throw new HearthError('conflict', `Built-in scenes cannot be ${how}`, { reason: 'built_in' });
    if (scene.automationId === null) return scene;
    const owner = automationName === null ? 'an automation' : `automation "${automationName}"`;
    throw new HearthError('conflict', `Scene is used by ${owner}. Delete that automation instead`, {
      reason: 'of_an_automation',
    });
  }

  #accessoriesToCapture(home: Home, ids: readonly string[] | undefined): readonly Accessory[] {
    const { state } = this.#deps;
    if (ids === undefined) return state.accessories(home.id).filter(({ vanishedAt }) => vanishedAt === null);
    const accessories = ids.map((id, index) => {
      const accessory = state.accessoryIn(home.id, id);
      if (accessory) return accessory;
      const field = `accessoryIds[${index}]`;
      throw new HearthError('accessory_not_found', `${field}: Accessory not found`, { field });
    });
    return [...new Set(accessories)];
  }

  // — changing —

  /** @param exceptId a scene that may already have the name. */
  #requireFreeName(homeId: string, name: string, exceptId?: string): void {
    const key = nameKey(name);
    if (BUILT_IN_SCENES.some((scene) => nameKey(scene.name) === key)) {
      throw new HearthError('conflict', `"${name}" is a built-in scene; choose another name`, {
        reason: 'name_taken',
        field: 'name',
      });
    }
    requireFreeName(name, 'scene', this.#own(homeId), exceptId);
  }

  #add(home: Home, { icon = null, color = null, ...scene }: MadeScene): ListedScene {
    if (this.#own(home.id).length >= MAX_SCENES) {
      throw new HearthError(
        'conflict',
        `A home has at most ${MAX_SCENES} scenes; delete one that is not needed any more`,
        { reason: 'limit_reached' },
      );
    }
    const createdAt = this.#deps.clock.now();
    return this.#save({ id: newId(), homeId: home.id, ...scene, automationId: null, icon, color, createdAt });
  }

  #save(scene: Scene): ListedScene {
    this.#deps.store.save(scene);
    this.#deps.state.scenes.put(scene);
    return this.#listed(scene);
  }

  /** A sentence that names the accessory and the characteristic. */
  #errorOf(outcome: CharacteristicOutcome, homeId: string, action: SceneAction | undefined): readonly string[] {
    if (outcome.ok || !action) return [];
    const accessory = this.#deps.state.accessoryIn(homeId, action.accessoryId);
    return [`${accessory?.name ?? action.accessoryId}.${nameOfAction(action, accessory)}: ${outcome.message}`];
  }
}

function writeOf({ accessoryId, type, serviceIid, value }: SceneAction): CharacteristicWrite {
  return { accessoryId, characteristicType: type, serviceIid: serviceIid ?? undefined, value };
}

function missing({ accessoryId, type }: SceneAction): CharacteristicOutcome {
  const { code, message } = notFound('accessory_not_found');
  return { accessoryId, characteristicType: type, ok: false, code, message };
}

function hasAny(items: Iterable<unknown>): boolean {
  for (const _ of items) return true;
  return false;
}
