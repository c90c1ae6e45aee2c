/**
 * Builds everything of automations over what the house has anyway: the two shapes of records, the engine that both are programs of, and
 * what it watches and acts with. Called by `app/operations.ts` alone; holds no rule of its own.
 */
import type { HomeEvents } from '../../home/events.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { HttpSender } from '../../home/http-sender.ts';
import type { Presence } from '../../home/presence.ts';
import type { TimerState } from '../../home/virtual-driver.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { WallTimers } from '../../kernel/wall-timers.ts';
import type { Database } from '../../storage/database.ts';
import type { DisposableDatabase } from '../../storage/disposable-database.ts';
import type { Access } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { Control } from '../control/control.ts';
import type { ServiceGroups } from '../groups/service-groups.ts';
import type { HomeReferences } from '../layout/references.ts';
import type { Notifier } from '../notifications/notifier.ts';
import type { SceneStore } from '../scenes/scene-store.ts';
import type { Scenes } from '../scenes/scenes.ts';
import type { VirtualAccessories } from '../virtual-accessories/virtual-accessories.ts';
import type { ActionPorts } from './actions/action-kind.ts';
import { kindOf } from './actions/index.ts';
import { AutomationEvents } from './automation-events.ts';
import { ChangeLog } from './change-log.ts';
import { evaluateConditions, summarizeConditions } from './conditions/index.ts';
import type { Causes } from './engine/causes.ts';
import { Engine } from './engine/engine.ts';
import type { Kinds } from './engine/kinds.ts';
import { Reports } from './engine/reports.ts';
import { RunStore } from './engine/run-store.ts';
import { Schedule } from './engine/schedule.ts';
import { TraceLog } from './engine/trace-log.ts';
import { TraceStore } from './engine/trace-store.ts';
import { Traces } from './engine/traces.ts';
import { Expressions } from './expressions/expressions.ts';
import { FlowStore } from './flows/flow-store.ts';
import { Flows } from './flows/flows.ts';
import { IncomingWebhooks } from './incoming-webhooks.ts';
import { AutomationStore } from './native/automation-store.ts';
import { Automations } from './native/automations.ts';
import { Programs } from './programs.ts';
import { Slots } from './slots.ts';
import { AccessoryEvents } from './triggers/accessory-events.ts';
import { HoldStore } from './triggers/hold-store.ts';
import { nextOf, summarizeTrigger, watchTrigger } from './triggers/index.ts';
import { startReplanning } from './triggers/replanning.ts';
import { startSystemEvents } from './triggers/system-events.ts';
import type { TriggerGround } from './triggers/trigger-kind.ts';

export interface AutomationsGround {
  readonly database: Database;
  readonly historyDatabase: DisposableDatabase;
  readonly state: HomeState;
  readonly bus: EventBus<HomeEvents>;
  readonly access: Access;
  readonly presence: Presence;
  readonly control: Control;
  readonly scenes: Scenes;
  readonly sceneStore: SceneStore;
  readonly serviceGroups: ServiceGroups;
  readonly virtuals: VirtualAccessories;
  readonly notifier: Notifier;
  readonly http: HttpSender;
  readonly references: HomeReferences;
  /** Those that control and virtual accessories tell of what they write. */
  readonly causes: Causes;
  /** The timer that a virtual accessory is. */
  readonly timerOf: (accessoryId: string) => TimerState | undefined;
  readonly timers: WallTimers;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly runsPerMinute: () => number;
  /** How late something may be done that came due while the daemon was down or the computer asleep, in milliseconds. */
  readonly graceMs: () => number;
}

/** Every kind there is, as the engine asks for them. */
export const KINDS: Kinds = {
  actionKind: kindOf,
  watchTrigger,
  nextOf,
  summarizeTrigger,
  evaluateConditions,
  summarizeConditions,
};

const SYSTEM: Caller = { principal: { kind: 'system' }, requestId: 'automations', depth: 0 };

export function createAutomations(ground: AutomationsGround) {
  const { state, bus, access, clock, logger, database, presence, references, virtuals } = ground;
  const events = new AutomationEvents(logger);
  const changes = new ChangeLog(ground);
  const expressions = new Expressions({ ...ground, changes });
  const slots = new Slots(ground);
  const triggers: TriggerGround = {
    ...ground,
    accessoryEvents: new AccessoryEvents(ground),
    events,
    expressions,
    slots,
    holds: new HoldStore(database, logger),
  };
  const traceLog = new TraceLog({ store: new TraceStore(ground.historyDatabase), clock, logger });
  const reports = new Reports({ bus, events, traces: traceLog, clock });
  const ports: ActionPorts = {
    ...ground,
    events,
    automations: {
      find: (id) => engine.find(id),
      setEnabled(id, enabled) {
        const program = engine.find(id);
        if (program?.kind === 'native') automations.setEnabledBy(program.homeId, id, enabled);
        else flows.setEnabledBy(program?.homeId ?? '', id, enabled);
      },
      trigger: (id, cause) => engine.trigger(id, { cause }),
    },
  };
  const engine: Engine = new Engine({
    kinds: KINDS,
    ports,
    ground: triggers,
    store: new RunStore({ database, clock, logger }),
    traces: traceLog,
    reports,
    causes: ground.causes,
    logger,
    runsPerMinute: ground.runsPerMinute,
  });
  const automations: Automations = new Automations({
    ...ground,
    store: new AutomationStore(database, ground.sceneStore),
    engine,
  });
  const flows: Flows = new Flows({
    store: new FlowStore(database),
    state,
    access,
    engine,
    expressions,
    bus,
    clock,
    logger,
    references,
    virtuals,
    hasScene: (sceneId, homeId) => hasScene(ground.scenes, sceneId, homeId),
    people: presence,
    natives: (id) => natively(engine, id),
  });
  return {
    operations: {
      flows,
      automations,
      incomingWebhooks: new IncomingWebhooks({ flows, engine, events, clock }),
      programs: new Programs({ engine, kinds: KINDS, state, access }),
      traces: new Traces({ log: traceLog, access, find: (id) => engine.find(id) }),
      schedule: new Schedule({ engine, natives: automations, access }),
    },
    expressions,
    engine,
    automationEvents: events,
    /** Runs that are over, by how they ended. */
    runResults: reports.results,
    /** In the order in which they start: after the layout and the scenes, before anything changes. */
    startables: {
      traces: { start() {}, stop: () => traceLog.stop() },
      changes,
      automations,
      flows,
      engine,
      listeners: listeners({ ...triggers, timerOf: ground.timerOf }, () =>
        references.add(() => automations.references()),
      ),
    },
  };
}

/** What is told to automations begins once they listen. */
function listeners(
  parts: TriggerGround & Pick<AutomationsGround, 'timerOf'>,
  listNativeReferences: () => () => void,
): Startable {
  let stops: (() => void)[] = [];
  return {
    start() {
      stops = [startReplanning(parts), startSystemEvents(parts), listNativeReferences()];
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
