/**
 * Dry runs as an operation: what an automation would do, told without anything being done. The same engine runs it with the same
 * triggers, conditions and actions; in place of the house, of people and of the world it has what this folder makes of them.
 */
import type { Home } from '../../../home/model.ts';
import { HearthError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { notFound } from '../../access/authorize.ts';
import type { Caller } from '../../access/caller.ts';
import type { Scenes } from '../../scenes/scenes.ts';
import type { VirtualAccessories } from '../../virtual-accessories/virtual-accessories.ts';
import type { Expressions } from '../expressions/expressions.ts';
import { readFlowDocument } from '../flows/document.ts';
import { fault } from '../flows/faults.ts';
import type { Flows } from '../flows/flows.ts';
import { parseFlow } from '../flows/parse-flow.ts';
import type { ParseContext } from '../flows/parsing.ts';
import { firesOnce } from '../native/automation.ts';
import type { Automations } from '../native/automations.ts';
import type { Program } from '../program.ts';
import { withoutCredentials } from '../secrets.ts';
import { parseScenario, type Scenario } from './scenario.ts';
import { Simulation, type SimulationGround, type SimulationReport } from './simulation.ts';

/** Each may take seconds of work: more would wait for each other. */
const MOST_AT_ONCE = 4;

interface SimulationsParts extends SimulationGround {
  readonly flows: Flows;
  readonly automations: Automations;
  readonly expressions: Pick<Expressions, 'check' | 'checkTemplates'>;
  readonly virtuals: Pick<VirtualAccessories, 'describe'>;
  readonly scenes: Pick<Scenes, 'get'>;
}

export interface SimulationRequest {
  /** Where it can't be told from the automation. */
  readonly homeId?: string | undefined;
  /** A stored flow or native automation; with `data` the flow that it would become. */
  readonly automationId?: string | undefined;
  /** A flow that is not saved, as `parseFlow` takes it. */
  readonly data?: unknown;
  /** The same as a text that `Flows.export` wrote: what it refers to is found by name. */
  readonly document?: string | undefined;
  /** As `parseScenario` takes it; what is left out is the house as it is now. */
  readonly scenario?: unknown;
}

const SYSTEM: Caller = { principal: { kind: 'system' }, requestId: 'simulations', depth: 0 };

export class Simulations {
  readonly #parts: SimulationsParts;
  #underWay = 0;

  constructor(parts: SimulationsParts) {
    this.#parts = parts;
  }

  /**
   * What an automation would do: the traces of its runs, and all that they would have written, said and sent. One that is disabled is
   * taken for enabled. Nothing is touched or kept. For whoever may view the home.
   * @returns also where it came to an end before its time (`stopped`): 1,000 runs, 100,000 steps, 5 seconds of work
   * @throws `home_not_found` · `automation_not_found` · `invalid_request` neither an automation nor data · what `parseFlow` and
   *         `parseScenario` throw · `rate_limited` several are under way
   */
  async simulate(caller: Caller, request: SimulationRequest): Promise<SimulationReport> {
    const { home, program } = this.#subject(caller, request);
    const { clock } = this.#parts;
    const scenario = parseScenario(request.scenario, this.#context(home.id, program.id), clock.now());
    requireTrigger(program, scenario);
    if (this.#underWay >= MOST_AT_ONCE) {
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
    // What requests would say is in the report: credentials are for those who may change automations.
    const mayKnow = this.#parts.access.mayIn(caller, 'manage', home.id);
    const shown = (one: Program): Program => (mayKnow ? one : withoutCredentials(one));
    const automations = new Map(this.#parts.automations.list(SYSTEM, home.id).map((one) => [one.id, one]));
    const flows = this.#parts.flows.list(SYSTEM, home.id);
    const otherIds = scenario.others ? [...flows.map(({ id }) => id), ...automations.keys()] : [];
    const simulatedHome = scenario.timeZone === null ? home : { ...home, timeZone: scenario.timeZone };
    // What is called as a script is shown too.
    const find = (id: string): Program | undefined => {
      const known = this.#parts.find(id);
      return known && shown(known);
    };
    const simulation = new Simulation(
      { ...this.#parts, find },
      {
        home: simulatedHome,
        program: { ...shown(program), enabled: true },
        others: otherIds.flatMap((id) => (id === program.id ? [] : (find(id) ?? []))),
        firesOnce: (id) => {
          const automation = automations.get(id);
          return automation !== undefined && firesOnce(automation.trigger);
        },
        native: automations.get(program.id),
        scenario,
      },
    );
    return simulation.run();
  }

  /** The automation in question and its home, authorized. */
  #subject(caller: Caller, request: SimulationRequest): { home: Home; program: Program } {
    const { access, state, find } = this.#parts;
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
      throw new HearthError('invalid_request', 'Say in which home: "homeId" is missing.', { field: 'homeId' });
    }
    const home = access.authorizeHome(caller, 'view', state.home(where));
    if (stored && stored.homeId !== home.id) throw notFound('automation_not_found');
    if (document !== undefined) return { home, program: this.#parse(home, stored, this.#read(home, document)) };
    return { home, program: data === undefined ? (stored as Program) : this.#parse(home, stored, data) };
  }

  #read({ id: homeId }: Home, document: string): unknown {
    const { state, presence, flows } = this.#parts;
    const around = { homeId, state, people: presence.people(homeId), flows: flows.list(SYSTEM, homeId) };
    return readFlowDocument(document, undefined, newId(), around);
  }

  #parse(home: Home, stored: Program | undefined, data: unknown): Program {
    if (stored?.kind === 'native') throw fault('invalid_value', 'data', 'it is a flow, and this automation is none');
    const { name, definition } = parseFlow(data, this.#context(home.id, stored?.id ?? null));
    const { mode, maxRunning, triggers, conditions, actions, variables } = definition;
    const what = { mode, maxRunning, triggers, conditions, actions, variables };
    return { id: stored?.id ?? newId(), kind: 'flow', homeId: home.id, name, enabled: true, ...what };
  }

  #context(homeId: string, flowId: string | null): ParseContext {
    const { state, expressions, flows, virtuals, presence: people, find } = this.#parts;
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
      return this.#parts.scenes.get(SYSTEM, sceneId).homeId === homeId;
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
