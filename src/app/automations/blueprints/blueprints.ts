/**
 * Blueprints as operations: those of the relay and those of files, filled in for a home, and automations as files.
 * None is stored: an automation that was made of one is an automation like any other.
 */
import {
  AppliedBlueprint,
  BlueprintExport,
  BlueprintFile,
  type BlueprintLanguage,
  type BlueprintPreview,
  type OfferedBlueprint,
} from '../../../contract/blueprints.ts';
import { parseInput } from '../../../contract/parse.ts';
import type { Home } from '../../../home/model.ts';
import { numberedName } from '../../../home/names.ts';
import type { Presence } from '../../../home/presence.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { AppDeps } from '../../access/app-deps.ts';
import { type AccessLevel, notFound } from '../../access/authorize.ts';
import type { Caller } from '../../access/caller.ts';
import type { AutomationDrafts } from '../drafts/drafts.ts';
import type { Flow } from '../flow.ts';
import type { Flows } from '../flows/flows.ts';
import { listNamed, type NameResolver } from '../flows/named-references.ts';
import { presentDefinition } from '../flows/present-flow.ts';
import type { Program } from '../program.ts';
import type { Programs } from '../programs.ts';
import { extractBlueprint } from './extract.ts';
import { fillIn } from './fill-in.ts';
import { choicesFor, missingIn, readInputs } from './input-values.ts';
import { type ReadBlueprint, readBlueprint, readBlueprintFile } from './read-blueprint.ts';
import { restoresScene, withSceneActions } from './scene-actions.ts';
import { type BlueprintTexts, type FoundBlueprint, findShipped, listShipped } from './shipped/index.ts';

interface BlueprintsDeps extends AppDeps<'state' | 'access'> {
  readonly flows: Pick<Flows, 'list' | 'check' | 'saveInSlices'>;
  readonly programs: Pick<Programs, 'get' | 'describe'>;
  readonly drafts: Pick<AutomationDrafts, 'asFlow'>;
  readonly people: Presence;
  readonly blueprintTexts: (language: BlueprintLanguage) => BlueprintTexts;
}

/** One that the relay does not have. */
interface FileBlueprint {
  readonly id: null;
  readonly icon: null;
  readonly blueprint: ReadBlueprint;
}

/** The input of `saveInSlices`. */
type FlowData = Readonly<Record<string, unknown>> & { readonly name: string };

export class Blueprints {
  readonly #deps: BlueprintsDeps;

  constructor(deps: BlueprintsDeps) {
    this.#deps = deps;
  }

  /**
   * The blueprints of the relay, and what the home has for their inputs. Requires view access to the home.
   * @throws `home_not_found`
   */
  list(caller: Caller, homeId: string, language: BlueprintLanguage = 'en'): readonly OfferedBlueprint[] {
    const home = this.#home(caller, 'view', homeId);
    return listShipped(this.#deps.blueprintTexts(language)).map((found) => this.#offer(caller, home, found));
  }

  /** One of them. Requires view access to the home. @throws `home_not_found` · `not_found` */
  get(caller: Caller, homeId: string, id: string, language: BlueprintLanguage = 'en'): OfferedBlueprint {
    const home = this.#home(caller, 'view', homeId);
    return this.#offer(caller, home, this.#requireShipped(id, language));
  }

  /**
   * Reads a file, and finds what the home has for its inputs. Admins of the home only.
   * @throws `home_not_found` · `insufficient_permissions` · `invalid_request`, `invalid_value` as `readBlueprintFile`
   */
  read(caller: Caller, input: BlueprintFile): OfferedBlueprint {
    const home = this.#home(caller, 'manage', input.homeId);
    const { file } = parseInput(BlueprintFile, input);
    return this.#offer(caller, home, { id: null, icon: null, blueprint: readBlueprintFile(file) });
  }

  /**
   * The automation that `apply` would create, in words too. Admins of the home only.
   * @throws as `apply`
   */
  async preview(caller: Caller, input: AppliedBlueprint): Promise<BlueprintPreview> {
    const home = this.#home(caller, 'manage', input.homeId);
    const data = this.#fillIn(caller, home, input);
    const { name, enabled, definition } = await this.#deps.flows.check(caller, home.id, data);
    const program = { ...definition, id: '', kind: 'flow' as const, homeId: home.id, name, enabled };
    const { triggers, conditions, actions } = this.#deps.programs.describe(program);
    return { name, automation: { ...presentDefinition(definition) }, triggers, conditions, actions };
  }

  /**
   * Creates an automation. Admins of the home only.
   * @throws `home_not_found` · `insufficient_permissions` · `not_found` no blueprint has the id · `invalid_request` an
   * input is missing or unknown · `invalid_value` an input does not fit; `details.field` is `inputs.<id>` · what
   * `Flows.save` throws
   */
  async apply(caller: Caller, input: AppliedBlueprint): Promise<Flow> {
    const home = this.#home(caller, 'manage', input.homeId);
    return this.#deps.flows.saveInSlices(caller, { homeId: home.id, data: this.#fillIn(caller, home, input) });
  }

  /**
   * An automation of either kind as a blueprint for other homes. Requires view access to its home.
   * @throws `automation_not_found` · `conflict` it names itself
   */
  export(caller: Caller, automationId: string, input: BlueprintExport = {}): ReadBlueprint {
    const found = this.#deps.programs.get(caller, automationId);
    const program = found.kind === 'native' ? this.#nativeProgram(caller, found) : found;
    const { name = program.name, description = '', language = 'en' } = parseInput(BlueprintExport, input);
    const around = this.#around(caller, program.homeId);
    const names = this.#namesIn(program.homeId, around);
    const { exported: words } = this.#deps.blueprintTexts(language);
    return extractBlueprint(program, { name, description, words, home: around, names });
  }

  // — internal —

  #offer(caller: Caller, home: Home, found: FoundBlueprint | FileBlueprint): OfferedBlueprint {
    const { inputs } = found.blueprint;
    const choices = choicesFor(inputs, this.#around(caller, home.id));
    return { ...found, missing: missingIn(inputs, choices), choices };
  }

  #fillIn(caller: Caller, home: Home, input: AppliedBlueprint): FlowData {
    const { blueprintId, blueprint: document, language = 'en', inputs, name } = parseInput(AppliedBlueprint, input);
    if ((blueprintId === undefined) === (document === undefined)) {
      throw new HearthError('invalid_request', 'Give "blueprintId" or "blueprint", one of them.', {
        field: 'blueprintId',
      });
    }
    const blueprint =
      blueprintId === undefined ? readBlueprint(document) : this.#requireShipped(blueprintId, language).blueprint;
    const around = this.#around(caller, home.id);
    const filled = fillIn(blueprint.automation, readInputs(blueprint.inputs, inputs, around));
    return {
      description: blueprint.description,
      ...filled,
      blueprintId: blueprintId ?? blueprint.name,
      name: name ?? numberedName(blueprint.name, around.flows),
    };
  }

  /** One that ends refers to its scene when it restores the values; as a flow, each step restores its own. */
  #nativeProgram(caller: Caller, program: Program): Program {
    if (!restoresScene(program)) return withSceneActions(program, this.#deps.state);
    return { ...program, ...this.#deps.drafts.asFlow(caller, program.id) };
  }

  #around(caller: Caller, homeId: string): NameResolver {
    const { state, people, flows } = this.#deps;
    return { homeId, state, people: people.people(homeId), flows: flows.list(caller, homeId) };
  }

  #namesIn(homeId: string, around: NameResolver): readonly string[] {
    const { state } = this.#deps;
    const things = (['accessory', 'service_group', 'scene', 'person'] as const).flatMap((kind) =>
      listNamed(kind, around),
    );
    const home = state.home(homeId);
    return [...(home ? [home] : []), ...state.rooms(homeId), ...things].map(({ name }) => name);
  }

  #requireShipped(id: string, language: BlueprintLanguage): FoundBlueprint {
    const shipped = findShipped(id, this.#deps.blueprintTexts(language));
    if (!shipped) throw notFound('not_found');
    return shipped;
  }

  #home(caller: Caller, action: AccessLevel, id: string): Home {
    return this.#deps.access.authorizeHome(caller, action, this.#deps.state.home(id));
  }
}
