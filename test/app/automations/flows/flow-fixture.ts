/** A home with things to automate, and flows over it with an engine that only records its calls. */
import type { RoleSource } from '../../../../src/app/access/authorize.ts';
import { Causes } from '../../../../src/app/automations/causes.ts';
import { ChangeLog } from '../../../../src/app/automations/change-log.ts';
import { Expressions } from '../../../../src/app/automations/expressions/expressions.ts';
import type { Flow } from '../../../../src/app/automations/flow.ts';
import type { FlowContext } from '../../../../src/app/automations/flows/flow-context.ts';
import type { FlowEngine } from '../../../../src/app/automations/flows/flow-engine.ts';
import { FlowStore } from '../../../../src/app/automations/flows/flow-store.ts';
import { Flows } from '../../../../src/app/automations/flows/flows.ts';
import { parseFlow } from '../../../../src/app/automations/flows/parse-flow.ts';
import type { Admission, Program } from '../../../../src/app/automations/program.ts';
import { HearthError } from '../../../../src/kernel/errors.ts';
import type { Json } from '../../../../src/kernel/json.ts';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import { plainSwitch } from '../../../support/sample-accessories.ts';
import { createTestHome, systemCaller } from '../../../support/test-home.ts';

export const PERSON_ID = '6f1c1a52-0000-4000-8000-00000000000a';
export const NATIVE_ID = '6f1c1a52-0000-4000-8000-00000000000b';
export const UNKNOWN_ID = '6f1c1a52-0000-4000-8000-00000000dead';

export type FlowFixture = ReturnType<typeof createFlowFixture>;

/** The engine's calls. */
export class RecordingEngine implements FlowEngine {
  readonly programs = new Map<string, Program>();
  readonly triggered: { id: string; variables: Readonly<Record<string, Json>> | undefined }[] = [];
  readonly #listeners = new Set<(program: Program, at: number, admission: Admission) => void>();

  put(program: Program): void {
    this.programs.set(program.id, program);
  }

  remove(id: string): void {
    this.programs.delete(id);
  }

  trigger(id: string, { variables }: Parameters<FlowEngine['trigger']>[1]): Admission {
    this.triggered.push({ id, variables });
    return { runId: 'run', blockedReason: null };
  }

  onTriggered(listener: (program: Program, at: number, admission: Admission) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** As if one of its triggers had fired. */
  fire(id: string, at: number): void {
    const program = this.programs.get(id);
    for (const listener of this.#listeners) if (program) listener(program, at, { runId: 'run', blockedReason: null });
  }
}

export function createFlowFixture(options: { path?: string; roles?: RoleSource } = {}) {
  const home = createTestHome({ sample: true, ...options });
  const { state, clock, bus, access, database, references, virtuals } = home;
  const changes = new ChangeLog({ bus, state, causes: new Causes({ clock }), clock });
  const expressions = new Expressions({ state, clock, changes, timerOf: () => undefined });
  const engine = new RecordingEngine();
  const store = new FlowStore(database);
  const people = {
    people: (homeId: string) => (homeId === home.home.id ? [{ id: PERSON_ID, name: 'Ada', atHome: null }] : []),
  };
  const natives = (id: string) => (id === NATIVE_ID ? { id, homeId: home.home.id, name: 'Morning' } : undefined);
  const hasScene = (sceneId: string, homeId: string): boolean => {
    try {
      return home.scenes.get(systemCaller, sceneId).homeId === homeId;
    } catch (error) {
      if (error instanceof HearthError) return false;
      throw error;
    }
  };
  const flows = new Flows({
    store,
    state,
    access,
    makers: home.makers,
    engine,
    expressions,
    bus,
    clock,
    logger: silentLogger,
    references,
    virtuals,
    hasScene,
    people,
    natives,
  });
  flows.start();

  const homeId = home.home.id;
  const otherHome = home.homes.create(systemCaller, { name: 'Cabin' });
  home.driver.attach(otherHome.id, {
    deviceId: '20:00:00:00:00:01',
    name: 'Stove',
    setupCode: '031-45-160',
    accessories: [plainSwitch('Stove')],
  });
  const id = (name: string): string => home.named(name).id;
  const group = home.serviceGroups.create(systemCaller, {
    homeId,
    name: 'Counter',
    accessoryIds: [id('Heater'), id('Kettle')],
  });
  const scene = home.scenes.create(systemCaller, {
    homeId,
    name: 'Movie',
    actions: [{ accessoryId: id('Lamp'), characteristicType: 'on', targetValue: true }],
  });
  const counter = home.virtuals.create(systemCaller, { homeId, name: 'Visits', type: 'counter', max: 10 });

  const context: FlowContext = {
    homeId,
    flowId: null,
    state,
    expressions,
    flows: (flowId) => flows.find(flowId),
    people,
    natives,
    virtuals,
    hasScene,
  };

  return {
    ...home,
    homeId,
    otherHome,
    flows,
    flowStore: store,
    engine,
    expressions,
    group,
    scene,
    counter,
    context,
    id,
    /** Saves a flow of the system's. */
    save: (data: Readonly<Record<string, unknown>>, flowId?: string): Flow =>
      flows.save(systemCaller, { homeId, flowId, data: { name: 'Flow', actions: [], ...data } }),
    parse: (data: Readonly<Record<string, unknown>>) => parseFlow({ name: 'Flow', actions: [], ...data }, context),
    close(): void {
      void flows.stop();
      home.close();
    },
  };
}

/** The error of what must fail, now or later. */
export async function laterFaultOf(act: () => Promise<unknown>): Promise<HearthError> {
  try {
    await act();
  } catch (error) {
    if (error instanceof HearthError) return error;
    throw error;
  }
  throw new Error('It did not fail');
}

/** The error of what must fail. */
export function faultOf(act: () => unknown): HearthError {
  try {
    act();
  } catch (error) {
    if (error instanceof HearthError) return error;
    throw error;
  }
  throw new Error('It did not fail');
}
