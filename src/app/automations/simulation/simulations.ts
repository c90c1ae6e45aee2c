/**
 * Dry runs as an operation: reports what an automation would do, without effects. The same engine runs it with the
 * same triggers, conditions and actions; this folder simulates the home, people and servers.
 */
import type { Home } from '../../../home/model.ts';
import { HearthError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { notFound } from '../../access/authorize.ts';
import type { Caller } from '../../access/caller.ts';
import type { Makers } from '../../access/makers.ts';
import type { Scenes } from '../../scenes/scenes.ts';
import type { VirtualAccessories } from '../../virtual-accessories/virtual-accessories.ts';
import { parseDraft } from '../drafts/draft.ts';
import { draftAsFlow } from '../drafts/draft-as-flow.ts';
import { partsOfNative } from '../drafts/native-as-draft.ts';
import type { Expressions } from '../expressions/expressions.ts';
import type { FlowContext } from '../flows/flow-context.ts';
import type { Flows } from '../flows/flows.ts';
import { firesOnce } from '../native/automation.ts';
import type { Automations } from '../native/automations.ts';
import { fault } from '../parsing/faults.ts';
import type { Program } from '../program.ts';
import { withoutCredentials } from '../secrets.ts';
import { parseScenario, type Scenario } from './scenario.ts';
import { Simulation, type SimulationReport, type SimulationRunDeps } from './simulation.ts';

/** Each may take seconds of work: more would delay each other. */
const MAX_CONCURRENT = 4;

interface SimulationsDeps extends SimulationRunDeps {
  readonly makers: Pick<Makers, 'isOwn'>;
  readonly flows: Flows;
  readonly automations: Automations;
  readonly expressions: Pick<Expressions, 'check' | 'checkTemplates'>;
  readonly virtuals: Pick<VirtualAccessories, 'describe'>;
  readonly scenes: Pick<Scenes, 'get'>;
}

export interface SimulationRequest {
  /** Required if the automation does not determine it. */
  readonly homeId?: string | undefined;
  /** A stored flow or native automation; with `data` its new version. */
  readonly automationId?: string | undefined;
  /** An unsaved automation, as `parseDraft` accepts it. */
  readonly data?: unknown;
  /** The same as a text from `Flows.export`: references are resolved by name. */
  readonly document?: string | undefined;
  /** As `parseScenario` accepts it; defaults to the current home. */
  readonly scenario?: unknown;
}

const SYSTEM: Caller = { principal: { kind: 'system' }, requestId: 'simulations', depth: 0 };

export class Simulations {
  readonly #deps: SimulationsDeps;
  #underWay = 0;

  constructor(deps: SimulationsDeps) {
    this.#deps = deps;
  }

  /**
   * Simulates an automation: returns the traces of its runs, and all their writes, notifications and requests. A
   * disabled automation counts as enabled. Changes and stores nothing. Requires view access to the home.
   * @returns also whether a limit stopped it (`stopped`): 1,000 runs, 100,000 steps, 5 seconds of work
   * @throws `home_not_found` · `automation_not_found` · `invalid_request` neither an automation nor data · what
   * `parseFlow` and `parseScenario` throw · `rate_limited` several are running
   */
  async simulate(caller: Caller, request: SimulationRequest): Promise<SimulationReport> {
    const { home, program } = await this.#subject(caller, request);
    const { clock } = this.#deps;
    const scenario = parseScenario(request.scenario, this.#context(home.id, program.id), clock.now());
    requireTrigger(program, scenario);
    if (this.#underWay >= MAX_CONCURRENT) {
      throw new HearthError('rate_limited', 'Several dry runs are under way. Try again in a few seconds.', {
        retryAfterSeconds: 5,
      });
    }
    this.#underWay += 1;
    try {
      return await this.#run(caller, home, program, scenario);
    } finally {
      this.#underWay -= 1;
    }
  }

  async #run(caller: Caller, home: Home, program: Program, scenario: Scenario): Promise<SimulationReport> {
    // The report contains the requests: only callers who may change automations get credentials.
    const { access, makers } = this.#deps;
    const mayKnow = access.mayIn(caller, 'manage', home.id);
    const isApp = caller.principal.kind === 'oauth_client';
    const mayShow = ({ id }: Program): boolean => mayKnow && !(isApp && !makers.isOwn(caller, 'outward_flow', id));
    const shown = (one: Program): Program => (mayShow(one) ? one : withoutCredentials(one));
    const automations = new Map(this.#deps.automations.list(SYSTEM, home.id).map((one) => [one.id, one]));
    const flows = this.#deps.flows.list(SYSTEM, home.id);
    const otherIds = scenario.others ? [...flows.map(({ id }) => id), ...automations.keys()] : [];
    const simulatedHome = scenario.timeZone === null ? home : { ...home, timeZone: scenario.timeZone };
    // Also covers automations that are called as scripts.
    const find = (id: string): Program | undefined => {
      const known = this.#deps.find(id);
      return known && shown(known);
    };
    // A draft of a native automation runs as a flow.
    const stored = program.kind === 'native' ? automations.get(program.id) : undefined;
    const simulation = new Simulation(
      { ...this.#deps, find },
      {
        home: simulatedHome,
        program: { ...shown(program), enabled: true },
        others: otherIds.flatMap((id) => (id === program.id ? [] : (find(id) ?? []))),
        firesOnce: (id) => {
          const automation = id === program.id ? stored : automations.get(id);
          return automation !== undefined && firesOnce(automation.trigger);
        },
        native: stored,
        scenario,
      },
    );
    return simulation.run();
  }

  /** The automation under simulation and its home, authorized. */
  async #subject(caller: Caller, request: SimulationRequest): Promise<{ home: Home; program: Program }> {
    const { access, state, find } = this.#deps;
    const { homeId, automationId, data, document } = request;
    if ([data, document, automationId].every((one) => one === undefined)) {
      throw new HearthError('invalid_request', 'Give a flow as "data" or "document", or the id of one.', {
        field: 'data',
      });
    }
    if (data !== undefined && document !== undefined) {
      throw new HearthError('invalid_request', 'Give "data" or "document", not both.', { field: 'document' });
    }
    const stored =
      automationId === undefined
        ? undefined
        : access.authorizeIn(caller, 'view', find(automationId.toLowerCase()), 'automation_not_found');
    const where = homeId ?? stored?.homeId;
    if (where === undefined) {
      throw new HearthError('invalid_request', '"homeId" is missing: choose a home.', { field: 'homeId' });
    }
    const home = access.authorizeHome(caller, 'view', state.home(where));
    if (stored && stored.homeId !== home.id) throw notFound('automation_not_found');
    if (document !== undefined) {
      const read = await this.#deps.flows.readDocument(home.id, document, { flowId: newId() });
      return { home, program: await this.#parse(home, stored, read) };
    }
    return { home, program: data === undefined ? (stored as Program) : await this.#parse(home, stored, data) };
  }

  async #parse(home: Home, stored: Program | undefined, data: unknown): Promise<Program> {
    const id = stored?.id ?? newId();
    const native = this.#deps.automations.find(id);
    const formerly = native && partsOfNative(native, this.#deps.state);
    const context = { ...this.#context(home.id, stored?.id ?? null), ...(formerly && { formerly }) };
    const draft = await parseDraft(data, context);
    const { name } = draft;
    const definition = draftAsFlow(draft, id);
    const { mode, maxRunning, triggers, conditions, actions, variables } = definition;
    const what = { mode, maxRunning, triggers, conditions, actions, variables };
    return { id, kind: 'flow', homeId: home.id, name, enabled: true, ...what };
  }

  #context(homeId: string, flowId: string | null): FlowContext {
    const { state, expressions, flows, virtuals, presence: people, find } = this.#deps;
    return {
      homeId,
      flowId,
      state,
      expressions,
      virtuals,
      hasScene: (sceneId) => this.#hasScene(sceneId, homeId),
      people,
      flows: (id) => flows.find(id),
      natives: (id) => {
        const program = find(id);
        return program?.kind === 'native' ? program : undefined;
      },
      webhookOwner: (webhookId) => flows.findWebhook(webhookId)?.flow.id,
    };
  }

  #hasScene(sceneId: string, homeId: string): boolean {
    try {
      return this.#deps.scenes.get(SYSTEM, sceneId).homeId === homeId;
    } catch {
      return false;
    }
  }
}

/** @throws `invalid_value` it has no such trigger */
function requireTrigger({ triggers }: Program, { trigger }: Scenario): void {
  if (!trigger || trigger.triggerId === null || triggers.some(({ id }) => id === trigger.triggerId)) return;
  const known = triggers.map(({ id }) => id).join(', ');
  throw fault(
    'invalid_value',
    'scenario.trigger.triggerId',
    known === '' ? 'it has no triggers' : `it must be one of ${known}`,
  );
}
