/**
 * Builds the automations module over the services of the home: both record types, the engine that runs both as
 * programs, and its ports. Only `app/operations.ts` calls it; it has no rules of its own.
 */
import type { BlueprintLanguage } from '../../contract/blueprints.ts';
import type { HttpSender } from '../../home/http-sender.ts';
import type { TimerState } from '../../home/virtual-driver.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import type { Database } from '../../storage/database.ts';
import type { DisposableDatabase } from '../../storage/disposable-database.ts';
import type { AppDeps } from '../access/app-deps.ts';
import type { Caller } from '../access/caller.ts';
import type { Control } from '../control/control.ts';
import type { ServiceGroups } from '../groups/service-groups.ts';
import type { HomeReferences } from '../layout/references.ts';
import type { Notifier } from '../notifications/notifier.ts';
import type { Scenes } from '../scenes/scenes.ts';
import type { VirtualAccessories } from '../virtual-accessories/virtual-accessories.ts';
import { kindOf } from './actions/index.ts';
import { AutomationActs } from './automation-acts.ts';
import { AutomationEvents } from './automation-events.ts';
import { Blueprints } from './blueprints/blueprints.ts';
import type { BlueprintTexts } from './blueprints/shipped/index.ts';
import type { Causes } from './causes.ts';
import { ChangeLog } from './change-log.ts';
import { evaluateConditions, summarizeConditions } from './conditions/index.ts';
import { AutomationDrafts } from './drafts/drafts.ts';
import { ranAsDraft } from './drafts/ran-as-draft.ts';
import { Engine } from './engine/engine.ts';
import type { Kinds } from './engine/kinds.ts';
import { Reports } from './engine/reports.ts';
import { RunStore } from './engine/run-store.ts';
import { FiringSchedule } from './engine/schedule.ts';
import { TraceLog } from './engine/trace-log.ts';
import { TraceStore } from './engine/trace-store.ts';
import { Traces } from './engine/traces.ts';
import { ExpressionPreviews } from './expression-previews.ts';
import { Expressions } from './expressions/expressions.ts';
import { FlowStore } from './flows/flow-store.ts';
import { Flows, type OnRequested } from './flows/flows.ts';
import { IncomingWebhooks } from './incoming-webhooks.ts';
import type { AutomationStore } from './native/automation-store.ts';
import { Automations } from './native/automations.ts';
import { Programs } from './programs.ts';
import { ScheduledFirings } from './scheduled-firings.ts';
import { AccessoryEvents } from './triggers/accessory-events.ts';
import { HoldStore } from './triggers/hold-store.ts';
import { nextOf, summarizeTrigger, watchTrigger } from './triggers/index.ts';
import { startReplanning } from './triggers/replanning.ts';
import { startSystemEvents } from './triggers/system-events.ts';
import type { TriggerDeps } from './triggers/trigger-kind.ts';

export interface CreateAutomationsDeps
  extends AppDeps<'state' | 'access' | 'makers' | 'presence' | 'bus' | 'clock' | 'timers' | 'logger'> {
  readonly database: Database;
  readonly historyDatabase: DisposableDatabase;
  readonly control: Control;
  readonly scenes: Scenes;
  readonly automationStore: AutomationStore;
  readonly serviceGroups: ServiceGroups;
  readonly virtuals: VirtualAccessories;
  readonly notifier: Notifier;
  readonly http: HttpSender;
  readonly references: HomeReferences;
  /** The causes to which control and virtual accessories report their writes. */
  readonly causes: Causes;
  readonly onRequested: OnRequested;
  /** The timer of a virtual accessory. */
  readonly timerOf: (accessoryId: string) => TimerState | undefined;
  readonly runsPerMinute: () => number;
  /** The grace period for work that became due while the daemon was down or the computer asleep, in milliseconds. */
  readonly graceMs: () => number;
  readonly blueprintTexts: (language: BlueprintLanguage) => BlueprintTexts;
}

/** All kinds, in the form that the engine requires. */
export const KINDS: Kinds = {
  actionKind: kindOf,
  watchTrigger,
  nextOf,
  summarizeTrigger,
  evaluateConditions,
  summarizeConditions,
};

const SYSTEM: Caller = { principal: { kind: 'system' }, requestId: 'automations', depth: 0 };

export function createAutomations(deps: CreateAutomationsDeps) {
  const { state, bus, access, clock, logger, presence, references, blueprintTexts } = deps;
  const events = new AutomationEvents(logger);
  const changes = new ChangeLog(deps);
  const triggers = createTriggerDeps(deps, events, changes);
  const { expressions } = triggers;
  const previewed = new Expressions({ state, clock, changes, timerOf: deps.timerOf });
  const traceLog = new TraceLog({ store: new TraceStore(deps.historyDatabase), clock, logger });
  const reports = new Reports({ bus, events, traces: traceLog, clock });
  const acts = new AutomationActs();
  const engine = createEngine(deps, triggers, acts, traceLog, reports);
  const store = deps.automationStore;
  const automations = new Automations({ store, state, access, engine, presence, bus, clock, logger });
  const flows = createFlows(deps, engine, expressions);
  acts.bind({ engine, automations, flows });
  const programs = new Programs({ engine, kinds: KINDS, state, access });
  const drafts = new AutomationDrafts({ state, access, flows, automations });
  return {
    operations: {
      flows,
      automations,
      drafts,
      incomingWebhooks: new IncomingWebhooks({ flows, engine, events, clock }),
      programs,
      blueprints: new Blueprints({ flows, programs, drafts, people: presence, blueprintTexts, state, access }),
      traces: new Traces({
        log: traceLog,
        access,
        find: (id) => engine.find(id),
        asDraft: (ran, homeId) => ranAsDraft(ran, homeId, state),
      }),
      expressionPreviews: new ExpressionPreviews({ state, access, expressions: previewed }),
      schedule: new FiringSchedule({ engine, natives: automations, access }),
    },
    expressions,
    engine,
    automationEvents: events,
    /** Ended runs, by result. */
    runResults: reports.results,
    /** In start order: after the layout and the scenes, before anything changes. */
    startables: {
      traces: { start() {}, stop: () => traceLog.stop() },
      changes,
      automations,
      flows,
      engine,
      listeners: listeners({ ...triggers, timerOf: deps.timerOf }, () =>
        references.add(() => automations.references()),
      ),
    },
  };
}

function createTriggerDeps(deps: CreateAutomationsDeps, events: AutomationEvents, changes: ChangeLog): TriggerDeps {
  const { database, state, presence, bus, causes, timers, timerOf, clock, graceMs, logger } = deps;
  return {
    state,
    presence,
    bus,
    accessoryEvents: new AccessoryEvents(deps),
    events,
    causes,
    expressions: new Expressions({ state, clock, changes, timerOf }),
    timers,
    slots: new ScheduledFirings({ database, timers, graceMs, logger }),
    holds: new HoldStore(database, logger),
    clock,
    graceMs,
    logger,
  };
}

function createEngine(
  deps: CreateAutomationsDeps,
  triggerDeps: TriggerDeps,
  automations: AutomationActs,
  traces: TraceLog,
  reports: Reports,
): Engine {
  const { database, state, control, scenes, serviceGroups, virtuals, notifier, http, causes, clock, logger } = deps;
  const { events } = triggerDeps;
  return new Engine({
    kinds: KINDS,
    ports: { state, control, scenes, serviceGroups, virtuals, notifier, http, events, automations },
    triggerDeps,
    store: new RunStore({ database, clock, logger }),
    traces,
    reports,
    causes,
    logger,
    runsPerMinute: deps.runsPerMinute,
  });
}

function createFlows(deps: CreateAutomationsDeps, engine: Engine, expressions: Expressions): Flows {
  const { database, state, access, makers, bus, clock, logger, references, virtuals, scenes } = deps;
  return new Flows({
    store: new FlowStore(database),
    state,
    access,
    makers,
    engine,
    expressions,
    bus,
    clock,
    logger,
    references,
    virtuals,
    hasScene: (sceneId, homeId) => hasScene(scenes, sceneId, homeId),
    people: deps.presence,
    natives: (id) => natively(engine, id),
    onRequested: deps.onRequested,
  });
}

/** The sources of automation events start after the automations listen. */
function listeners(
  deps: TriggerDeps & Pick<CreateAutomationsDeps, 'timerOf'>,
  listNativeReferences: () => () => void,
): Startable {
  let stops: (() => void)[] = [];
  return {
    start() {
      stops = [startReplanning(deps), startSystemEvents(deps), listNativeReferences()];
    },
    stop() {
      for (const stop of stops.splice(0)) stop();
    },
  };
}

function natively(engine: Engine, id: string): { readonly homeId: string; readonly name: string } | undefined {
  const program = engine.find(id);
  return program?.kind === 'native' ? program : undefined;
}

function hasScene(scenes: Scenes, sceneId: string, homeId: string): boolean {
  try {
    return scenes.get(SYSTEM, sceneId).homeId === homeId;
  } catch {
    return false;
  }
}
