/**
 * Names of a home's objects in the tools for automations, in both directions. An object is named by its key (as in the
 * state tree), by its name if that is unique, or by its id; output has the key. An error for an unknown name lists the
 * existing ones, among objects that the caller may see.
 */
import { invalid } from '../../../app/automations/parsing/faults.ts';
import type { Fields } from '../../../app/automations/parsing/fields.ts';
import { asAccessory } from '../../../home/group-accessory.ts';
import type { Accessory, Home } from '../../../home/model.ts';
import { nameKey } from '../../../home/names.ts';
import { shorten } from '../../../home/vocabulary/values.ts';
import { type ErrorCode, HearthError } from '../../../kernel/errors.ts';
import type { ToolContext } from '../tools/mcp-tool.ts';
import { distinctWords, keyOf, listed, notThere } from '../tools/places.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** A kind of object in messages, and its not-found error. */
interface Kind {
  readonly noun: string;
  readonly plural: string;
  readonly code: ErrorCode;
}

const ACCESSORY: Kind = { noun: 'accessory', plural: 'accessories', code: 'accessory_not_found' };
const VIRTUAL: Kind = { noun: 'virtual accessory', plural: 'virtual accessories', code: 'accessory_not_found' };
const GROUP: Kind = { noun: 'service group', plural: 'service groups', code: 'service_group_not_found' };
const SCENE: Kind = { noun: 'scene', plural: 'scenes', code: 'scene_not_found' };
const ROOM: Kind = { noun: 'room', plural: 'rooms', code: 'room_not_found' };

/** Each object is indexed once for all parts that name it: a home may have hundreds, and automations name thousands. */
interface Index {
  readonly list: readonly Accessory[];
  readonly byId: ReadonlyMap<string, Accessory>;
  /** By id: the key if it is unique. */
  readonly keys: ReadonlyMap<string, string>;
}

interface Things {
  readonly accessories: Index;
  readonly groups: Index;
}

export class HomeWords {
  readonly home: Home;
  readonly #context: ToolContext;
  #known: Things | undefined;
  #scenes: readonly Named[] | undefined;
  readonly #sceneNames = new Map<string, string>();

  constructor(context: ToolContext, home: Home) {
    this.#context = context;
    this.home = home;
  }

  // — from names to objects —

  /**
   * The accessory in the field `accessory`, in the room of the field `room` if there is one. @throws
   * `accessory_not_found` · `room_not_found` · `invalid_value` several have the name
   */
  accessory(fields: Fields): Accessory {
    const room = fields.optionalText('room');
    const roomId = room === undefined ? undefined : this.#one(this.#rooms(), room, fields.at('room'), ROOM).id;
    const there = this.#accessories().filter((one) => roomId === undefined || one.roomId === roomId);
    return this.#one(there, fields.text('accessory', 'the key of an accessory'), fields.at('accessory'), ACCESSORY);
  }

  /** The virtual accessory in the field `virtual`. @throws as `accessory` */
  virtual(fields: Fields): Accessory {
    const virtuals = this.#accessories().filter(({ virtual }) => virtual !== null);
    return this.#one(virtuals, fields.text('virtual', 'the key of a virtual accessory'), fields.at('virtual'), VIRTUAL);
  }

  /**
   * The service group in the field `service_group`, as the accessory that represents it. @throws
   * `service_group_not_found` · `invalid_value`
   */
  group(fields: Fields): Accessory {
    const text = fields.text('service_group', 'the key of a service group');
    return this.#one(this.#groups(), text, fields.at('service_group'), GROUP);
  }

  /**
   * The id of the scene in the field `scene`; a built-in one may have no actions now. @throws `scene_not_found` ·
   * `invalid_value`
   */
  sceneId(fields: Fields): string {
    const text = fields.text('scene', 'the name of a scene');
    const isListed = matching(this.#listScenes(), text).length > 0;
    const id = isListed ? undefined : (this.#idOfSceneNamed(text) ?? this.#sceneWithId(text)?.id);
    return id ?? this.#one(this.#listScenes(), text, fields.at('scene'), SCENE).id;
  }

  // — from objects to names —

  findAccessory(id: string): Accessory | undefined {
    return this.#things().accessories.byId.get(id);
  }

  findGroup(id: string): Accessory | undefined {
    return this.#things().groups.byId.get(id);
  }

  /** The key of an accessory or a group if it is unique, else the id; also the id of a removed object. */
  keyOf(id: string): string {
    const { accessories, groups } = this.#things();
    return accessories.keys.get(id) ?? groups.keys.get(id) ?? id;
  }

  /** Its name if it is unique, else its id. */
  sceneName(id: string): string {
    const name = this.#sceneNames.get(id) ?? this.#findSceneName(id);
    this.#sceneNames.set(id, name);
    return name;
  }

  // — inside —

  #accessories(): readonly Accessory[] {
    return this.#things().accessories.list;
  }

  #groups(): readonly Accessory[] {
    return this.#things().groups.list;
  }

  #things(): Things {
    const { caller, deps } = this.#context;
    this.#known ??= {
      accessories: indexed(
        deps.control.listAccessories(caller, { homeId: this.home.id }).filter((one) => one.vanishedAt === null),
      ),
      groups: indexed(
        deps.serviceGroups.list(caller, this.home.id).flatMap((group) => asAccessory(group, deps.state) ?? []),
      ),
    };
    return this.#known;
  }

  #findSceneName(id: string): string {
    const scene = this.#sceneWithId(id);
    return scene && this.#idOfSceneNamed(scene.name) === id ? scene.name : id;
  }

  /** Includes the scenes of automations, which only have ids as names. */
  #sceneWithId(id: string): Named | undefined {
    const { caller, deps } = this.#context;
    const scene = orNothing(() => deps.scenes.get(caller, id.trim().toLowerCase()));
    return scene?.homeId === this.home.id ? scene : undefined;
  }

  #idOfSceneNamed(name: string): string | undefined {
    const { caller, deps } = this.#context;
    return orNothing(() => deps.scenes.findByName(caller, this.home.id, name))?.id;
  }

  #rooms(): readonly Named[] {
    return this.#context.deps.state.rooms(this.home.id);
  }

  #listScenes(): readonly Named[] {
    const { caller, deps } = this.#context;
    this.#scenes ??= deps.scenes.list(caller, this.home.id);
    return this.#scenes;
  }

  #one<T extends Named>(things: readonly T[], text: string, field: string, kind: Kind): T {
    const found = matching(things, text);
    const [first] = found;
    const where = ` in ${this.home.name}`;
    if (!first) throw notThere(things, text, { ...kind, field, where });
    if (found.length === 1) return first;
    throw invalid(
      field,
      `"${shorten(text)}" means several ${kind.plural}${where}; give one of ${listed(distinctWords(found))}`,
    );
  }
}

function indexed(list: readonly Accessory[]): Index {
  const words = distinctWords(list);
  return {
    list,
    byId: new Map(list.map((one) => [one.id, one])),
    keys: new Map(list.map(({ id }, index) => [id, words[index] ?? id])),
  };
}

function orNothing<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof HearthError) return undefined;
    throw error;
  }
}

/** The objects that a text names: by id, else by key, else by name. */
export function matching<T extends Named>(things: readonly T[], text: string): readonly T[] {
  const wanted = text.trim().toLowerCase();
  const byId = things.filter(({ id }) => id === wanted);
  if (byId.length > 0) return byId;
  const byKey = things.filter((thing) => keyOf(thing) === wanted);
  return byKey.length > 0 ? byKey : things.filter(({ name }) => nameKey(name) === nameKey(text));
}
