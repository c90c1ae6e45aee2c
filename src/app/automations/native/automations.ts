/**
 * Native automations as operations. Each stores its actions in a scene of its own, in the same transaction. The engine
 * runs them; it is notified of every change after the change is stored.
 */
import { HomeItems } from '../../../home/collection.ts';
import type { Home, Scene } from '../../../home/model.ts';
import { endsInLetterOrNumber, parseName, suggestEnding } from '../../../home/names.ts';
import { HearthError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Startable } from '../../../kernel/lifecycle.ts';
import type { AppDeps } from '../../access/app-deps.ts';
import { type AccessLevel, notFound } from '../../access/authorize.ts';
import type { Caller } from '../../access/caller.ts';
import type { Reference } from '../../layout/references.ts';
import { parseActionList } from '../../scenes/scene-actions.ts';
import type { ReplacedAutomation } from '../flows/flows.ts';
import { type Automation, type NativeTrigger, watchedAccessories } from './automation.ts';
import type { AutomationStore, StoredAutomation } from './automation-store.ts';
import type { ProgramEngine } from './engine-port.ts';
import { Firings } from './firings.ts';
import { nextDates } from './next-dates.ts';
import { parseTrigger, requireFuture } from './parse-trigger.ts';
import { toProgram } from './to-program.ts';

/** Far more than a home has, and few enough to arm all of them when the daemon starts. */
const MAX_AUTOMATIONS = 500;

export interface AutomationInput {
  readonly homeId: string;
  readonly name: unknown;
  readonly trigger: unknown;
  readonly actions: unknown;
  /** `true` if left out. */
  readonly enabled?: unknown;
}

export interface AutomationChanges {
  readonly name?: unknown;
  readonly trigger?: unknown;
  readonly actions?: unknown;
  readonly enabled?: unknown;
}

interface AutomationsDeps extends AppDeps<'state' | 'access' | 'presence' | 'bus' | 'clock' | 'logger'> {
  readonly store: AutomationStore;
  readonly engine: ProgramEngine;
}

export class Automations implements Startable {
  readonly #deps: AutomationsDeps;
  readonly #kept = new HomeItems<Automation>(() => {});
  readonly #firings: Firings;
  #stopListening: (() => void)[] = [];

  constructor(deps: AutomationsDeps) {
    this.#deps = deps;
    this.#firings = new Firings({
      ...deps,
      find: (id) => this.#kept.find(id),
      fired: (automation) => this.#kept.put(automation),
      ended: (automation) => this.#put(automation),
    });
  }

  /** Loads the stored automations and passes them to the engine. After the scenes, before the engine starts. */
  start(): void {
    const { store, state, bus, logger } = this.#deps;
    const scenes = new Map(
      [...state.scenes.all()].flatMap((scene) => (scene.automationId ? [[scene.automationId, scene] as const] : [])),
    );
    const { automations, unreadable } = store.load();
    for (const id of unreadable) logger.error({ automationId: id }, 'Could not read a stored automation; ignored it');
    for (const stored of automations) {
      const scene = scenes.get(stored.id) ?? emptyScene(stored);
      state.scenes.put(scene);
      this.#put({ ...stored, sceneId: scene.id, actions: scene.actions });
    }
    this.#stopListening = [this.#firings.start(), bus.on('layout.changed', ({ homeId }) => this.#forgetHome(homeId))];
  }

  stop(): void {
    for (const stop of this.#stopListening.splice(0)) stop();
  }

  /** The automations of one home by name, or of all homes that the caller may view. @throws `home_not_found` */
  list(caller: Caller, homeId?: string): readonly Automation[] {
    const { access, state } = this.#deps;
    if (homeId !== undefined) return this.#kept.list(this.#authorizedHome(caller, 'view', homeId).id);
    return access.visibleHomes(caller, state.homes()).flatMap(({ id }) => this.#kept.list(id));
  }

  /** Requires view access to its home. @throws `automation_not_found` */
  get(caller: Caller, id: string): Automation {
    return this.#authorized(caller, 'view', id);
  }

  /**
   * Creates an automation, which is enabled at once unless `enabled` is false. Admins of the home only.
   * @param input `trigger` as `parseTrigger` accepts it; `actions` as for scenes.
   * @throws `home_not_found` · `insufficient_permissions` · `insufficient_platform_privileges` · `invalid_value` the
   * name or a value · `conflict` there are too many · what `parseTrigger` and `parseActionList` throw
   */
  create(caller: Caller, input: AutomationInput): Automation {
    const home = this.#editable(this.#authorizedHome(caller, 'manage', input.homeId));
    const name = parseAutomationName(input.name);
    const trigger = this.#parseTrigger(home, input.trigger);
    const enabled = input.enabled === undefined || parseEnabled(input.enabled);
    if (enabled) requireFuture(trigger, this.#deps.clock.now());
    const actions = parseActionList(input.actions, home.id, this.#deps.state);
    if (this.#kept.list(home.id).length >= MAX_AUTOMATIONS) {
      const sentence = `A home has at most ${MAX_AUTOMATIONS} automations; delete one that is not needed any more`;
      throw new HearthError('conflict', sentence);
    }
    const made = { id: newId(), homeId: home.id, name, enabled, trigger, sceneId: newId(), actions };
    return this.#save({ ...made, lastFireAt: null, createdAt: this.#deps.clock.now() });
  }

  /**
   * Changes the given fields, all of them or none; the id stays the same. Admins of its home only.
   * @throws as `create`, and `automation_not_found` · `invalid_request` no field is given · `invalid_value` it would
   * be enabled, and its fire date has passed
   */
  update(caller: Caller, id: string, changes: AutomationChanges): Automation {
    const automation = this.#authorized(caller, 'manage', id);
    const home = this.#editable(this.#homeOf(automation));
    if (Object.values(changes).every((change) => change === undefined)) {
      throw new HearthError('invalid_request', 'Give a new name, a new trigger, new actions or enabled.');
    }
    const { state, clock } = this.#deps;
    const name = changes.name === undefined ? automation.name : parseAutomationName(changes.name);
    const trigger = changes.trigger === undefined ? automation.trigger : this.#parseTrigger(home, changes.trigger);
    const actions =
      changes.actions === undefined ? automation.actions : parseActionList(changes.actions, home.id, state);
    const enabled = changes.enabled === undefined ? automation.enabled : parseEnabled(changes.enabled);
    const isRearmed = enabled && (changes.trigger !== undefined || !automation.enabled);
    if (isRearmed) requireFuture(trigger, clock.now());
    return this.#save({ ...automation, name, trigger, actions, enabled });
  }

  /**
   * Deletes it and its scene, and ends its runs; the values that they set stay. Admins of its home only. @throws as
   * `update`
   */
  delete(caller: Caller, id: string): void {
    const automation = this.#authorized(caller, 'manage', id);
    this.#editable(this.#homeOf(automation));
    this.#deps.store.delete(automation.id, automation.sceneId);
    this.#forget(automation);
    this.#deps.state.scenes.remove(automation.sceneId);
  }

  /** Any automation. Checks no permission: for components that act for the home. */
  find(id: string): Automation | undefined {
    return this.#kept.find(id);
  }

  /**
   * For a flow that takes its place, with its id. Its scene is deleted with it. Admins of its home only.
   * @throws as `update`
   */
  replacement(caller: Caller, id: string): Omit<ReplacedAutomation, 'asFlow'> {
    const automation = this.#authorized(caller, 'manage', id);
    this.#editable(this.#homeOf(automation));
    return {
      createdAt: automation.createdAt,
      lastTriggeredAt: automation.lastFireAt,
      erase: () => this.#deps.store.delete(automation.id, automation.sceneId),
      forget: () => {
        this.#kept.remove(automation.id);
        this.#deps.state.scenes.remove(automation.sceneId);
      },
    };
  }

  /** Admins of its home only. @throws as `update` */
  setEnabled(caller: Caller, id: string, enabled: unknown): Automation {
    return this.update(caller, id, { enabled });
  }

  /**
   * The same by another automation of its home, which needs no role.
   * @throws `automation_not_found` · `insufficient_platform_privileges` · `invalid_value` its fire date has passed
   */
  setEnabledBy(homeId: string, id: string, enabled: boolean): void {
    const automation = this.#kept.find(id);
    if (automation?.homeId !== homeId) throw notFound('automation_not_found');
    this.#editable(this.#homeOf(automation));
    if (automation.enabled === enabled) return;
    if (enabled) requireFuture(automation.trigger, this.#deps.clock.now());
    this.#save({ ...automation, enabled });
  }

  /**
   * When the clock will fire it next, on its days; nothing while it is disabled. Requires view access to its home.
   * @param count the maximum; an automation that fires once has one date.
   * @throws `automation_not_found`
   */
  nextFireDates(caller: Caller, id: string, count: number): readonly number[] {
    const automation = this.#authorized(caller, 'view', id);
    if (!automation.enabled) return [];
    const { engine, clock } = this.#deps;
    const next = (after: number) => engine.nextFireDates(automation.id, 1, after)[0];
    return nextDates(automation, this.#homeOf(automation), { after: clock.now(), count }, next);
  }

  /** For scenes that name their owner. */
  nameOf(id: string): string | undefined {
    return this.#kept.find(id)?.name;
  }

  /**
   * The accessories that its triggers and conditions read; its scene names those that its actions set. For
   * `HomeReferences`.
   */
  *references(): Iterable<Reference> {
    for (const { id, name, trigger } of this.#kept.all()) {
      const from = { kind: 'automation', id, name } as const;
      for (const accessoryId of watchedAccessories(trigger)) yield { from, accessoryId };
    }
  }

  // — find —

  #authorized(caller: Caller, action: AccessLevel, id: string): Automation {
    return this.#deps.access.authorizeIn(caller, action, this.#kept.find(id), 'automation_not_found');
  }

  #authorizedHome(caller: Caller, action: AccessLevel, id: string): Home {
    return this.#deps.access.authorizeHome(caller, action, this.#deps.state.home(id));
  }

  #homeOf({ homeId }: Automation): Home {
    const home = this.#deps.state.home(homeId);
    if (!home) throw notFound('home_not_found');
    return home;
  }

  // — change —

  /** @throws `insufficient_platform_privileges` (API §7.4) */
  #editable(home: Home): Home {
    if (home.privileges === 'edit') return home;
    throw new HearthError('insufficient_platform_privileges', 'Insufficient platform privileges');
  }

  #parseTrigger(home: Home, input: unknown): NativeTrigger {
    const { state, presence, clock } = this.#deps;
    return parseTrigger(input, { home, state, presence, now: clock.now() });
  }

  #save(automation: Automation): Automation {
    const { id, homeId, name, sceneId, actions, createdAt } = automation;
    const scene: Scene = { id: sceneId, homeId, name, actions, automationId: id, icon: null, color: null, createdAt };
    this.#deps.store.save(automation, scene);
    this.#deps.state.scenes.put(scene);
    this.#put(automation);
    return automation;
  }

  #put(automation: Automation): void {
    this.#kept.put(automation);
    this.#deps.engine.put(toProgram(automation));
    this.#deps.bus.emit('automations.changed', { homeId: automation.homeId });
  }

  #forget({ id, homeId }: Automation): void {
    this.#kept.remove(id);
    this.#deps.engine.remove(id);
    this.#deps.bus.emit('automations.changed', { homeId });
  }

  /** The database has already deleted its rows. */
  #forgetHome(homeId: string): void {
    if (this.#deps.state.home(homeId)) return;
    for (const automation of this.#kept.list(homeId)) this.#forget(automation);
  }
}

/** Replaces a scene whose row is lost, so that `sceneId` always refers to a scene. */
function emptyScene({ id, homeId, name, createdAt }: StoredAutomation): Scene {
  return { id: newId(), homeId, name, actions: [], automationId: id, icon: null, color: null, createdAt };
}

/** @throws `invalid_value` suggesting a valid name */
function parseAutomationName(input: unknown): string {
  const name = parseName(input, 'Automation name');
  if (endsInLetterOrNumber(name)) return name;
  const suggestion = suggestEnding(name);
  const advice = suggestion === '' ? '' : `; "${suggestion}" would do`;
  const sentence = `Automation name must end with a letter or a number${advice}`;
  throw new HearthError('invalid_value', sentence, { field: 'name' });
}

function parseEnabled(input: unknown): boolean {
  if (typeof input === 'boolean') return input;
  throw new HearthError('invalid_value', '"enabled" must be true or false.', { field: 'enabled' });
}
