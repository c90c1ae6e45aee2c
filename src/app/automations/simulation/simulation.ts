/**
 * One dry run: the engine with its real triggers, conditions and actions over a simulated home. The clock advances
 * from one entry to the next, and between two entries all code runs until it waits. The same scenario gives the same
 * result, except for run ids.
 */
import type { HomeDeps } from '../../../home/home-deps.ts';
import type { Home } from '../../../home/model.ts';
import type { TimerState } from '../../../home/virtual-driver.ts';
import type { RehearseVirtuals } from '../../../home/virtual-rehearsal.ts';
import { silentLogger } from '../../../kernel/logger.ts';
import type { AppDeps } from '../../access/app-deps.ts';
import type { Caller } from '../../access/caller.ts';
import { Control, type OnWrite } from '../../control/control.ts';
import { targetsOf } from '../../control/write-plan.ts';
import type { ActionKind, ActionPorts } from '../actions/action-kind.ts';
import { kindOf } from '../actions/index.ts';
import { Causes } from '../causes.ts';
import { ChangeLog } from '../change-log.ts';
import { evaluateConditions, summarizeConditions } from '../conditions/index.ts';
import { Engine } from '../engine/engine.ts';
import type { Kinds } from '../engine/kinds.ts';
import { Reports } from '../engine/reports.ts';
import { RunStore } from '../engine/run-store.ts';
import { Expressions } from '../expressions/expressions.ts';
import type { Automation } from '../native/automation.ts';
import { nextDates } from '../native/next-dates.ts';
import type { Program, Trace } from '../program.ts';
import { ScheduledFirings } from '../scheduled-firings.ts';
import { NO_CAUSE } from '../scope.ts';
import { AccessoryEvents } from '../triggers/accessory-events.ts';
import { HoldStore } from '../triggers/hold-store.ts';
import { nextOf, summarizeTrigger, watchTrigger } from '../triggers/index.ts';
import { startSystemEvents } from '../triggers/system-events.ts';
import type { TriggerDeps } from '../triggers/trigger-kind.ts';
import { webhookEvent } from '../triggers/webhook.ts';
import { CollectedTraces } from './collected-traces.ts';
import { SimulationRecord } from './record.ts';
import { withPorts } from './run-in-simulation.ts';
import type { Scenario } from './scenario.ts';
import type { ScenarioEvent } from './scenario-event.ts';
import { SimulatedHome } from './simulated-home.ts';
import {
  FiredEvents,
  OtherAutomations,
  recordedDriver,
  recordedNotifier,
  recordedSender,
  recordedVirtuals,
  SimulatedEvents,
  type WriteOrigin,
} from './simulated-ports.ts';
import { SimulationBudget } from './simulation-budget.ts';

/** The parts of the real home that a dry run reads. */
export interface SimulationRunDeps extends AppDeps<'state' | 'access' | 'presence' | 'clock'> {
  readonly timerOf: (accessoryId: string) => TimerState | undefined;
  readonly rehearseVirtuals: RehearseVirtuals;
  /** The real scenes and service groups, over another home. */
  readonly furnish: (
    over: HomeDeps<'state' | 'bus' | 'clock'> & {
      readonly control: Control;
    },
  ) => Pick<ActionPorts, 'scenes' | 'serviceGroups'>;
  /** Every automation of the home. */
  readonly find: (automationId: string) => Program | undefined;
  readonly runsPerMinute: () => number;
  readonly graceMs: () => number;
}

export interface SimulationInput {
  readonly home: Home;
  /** The automation under simulation. */
  readonly program: Program;
  /** The other automations that participate. */
  readonly others: readonly Program[];
  /** Whether an automation ends after it has run. */
  readonly firesOnce: (automationId: string) => boolean;
  /** The native automation, if it is one. */
  readonly native: Automation | undefined;
  readonly scenario: Scenario;
}

/** Times are milliseconds since the epoch. */
export interface SimulationReport
  extends Pick<SimulationRecord, 'writes' | 'notifications' | 'requests' | 'events' | 'commands' | 'blocked'> {
  readonly automationId: string;
  readonly automationName: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** The message, if it was stopped before its end. */
  readonly stopped: string | null;
  /** In start order, including refused runs. */
  readonly runs: readonly Trace[];
  /** When the clock would next fire the automation after the end. */
  readonly nextFireDates: readonly number[];
}

const SYSTEM: Caller = { principal: { kind: 'system' }, requestId: 'simulation', depth: 0 };
const NEXT_DATES = 5;
/** Automations that are loaded in one turn of the event loop. */
const ARMED_A_TURN = 50;
/** The engine itself does not act: every action gets the ports of its run. */
const NO_RUN = 'simulation';
/** Everything is armed before the start, so that entries due exactly at the start still fire. */
const BEFORE_START_MS = 1;

export class Simulation {
  readonly #input: SimulationInput;
  readonly #simulated: SimulatedHome;
  readonly #pace: SimulationBudget;
  readonly #record: SimulationRecord;
  readonly #traces: CollectedTraces;
  readonly #events: SimulatedEvents;
  readonly #causes: Causes;
  readonly #changes: ChangeLog;
  readonly #engine: Engine;

  constructor(deps: SimulationRunDeps, input: SimulationInput) {
    const { home, scenario } = input;
    const logger = silentLogger;
    const startAt = scenario.startAt - BEFORE_START_MS;
    const aheadMs = scenario.startAt - deps.clock.now();
    this.#input = input;
    this.#simulated = new SimulatedHome({ ...deps, home, startAt, aheadMs, logger });
    const { clock, timers, bus, state, people } = this.#simulated;
    this.#pace = new SimulationBudget(deps.clock);
    this.#record = new SimulationRecord(
      () => clock.now(),
      (bytes) => this.#pace.takeBytes(bytes),
    );
    this.#traces = new CollectedTraces({ clock, pace: this.#pace });
    this.#events = new SimulatedEvents();
    this.#causes = new Causes({ clock });
    this.#changes = new ChangeLog({ bus, state, causes: this.#causes, clock });
    const { graceMs, runsPerMinute } = deps;
    const triggers: TriggerDeps = {
      state,
      presence: people,
      bus,
      accessoryEvents: new AccessoryEvents({ bus, logger }),
      events: this.#events,
      causes: this.#causes,
      expressions: new Expressions({
        state,
        clock,
        changes: this.#changes,
        timerOf: (id) => this.#simulated.timerOf(id),
      }),
      timers,
      slots: new ScheduledFirings({ database: null, timers, graceMs, logger }),
      holds: new HoldStore(null, logger),
      clock,
      graceMs,
      logger,
    };
    const portsOf = this.#portsOf(deps);
    this.#engine = new Engine({
      kinds: this.#kinds(portsOf),
      ports: portsOf(NO_RUN),
      triggerDeps: triggers,
      store: new RunStore({ database: null, clock, logger }),
      traces: this.#traces,
      reports: new Reports({ bus, events: this.#events, traces: this.#traces, clock }),
      causes: this.#causes,
      // The budget counts steps: pauses by processor time would change the result on a busy computer.
      turn: { pause: () => undefined },
      logger,
      runsPerMinute,
    });
  }

  async run(): Promise<SimulationReport> {
    await this.#begin();
    await this.#pace.settle();
    await this.#goOn();
    const { program } = this.#input;
    const { writes, notifications, requests, events, commands, blocked } = this.#record;
    const { startAt } = this.#input.scenario;
    const endedAt = Math.max(this.#simulated.clock.now(), startAt);
    return {
      automationId: program.id,
      automationName: program.name,
      startedAt: startAt,
      endedAt,
      stopped: this.#pace.stopped,
      runs: this.#traces.all(),
      writes,
      notifications,
      requests,
      events,
      commands,
      blocked,
      nextFireDates: this.#nextDates(endedAt),
    };
  }

  /** The engine starts in an empty home, so that it does not wait for unreachable devices. */
  async #begin(): Promise<void> {
    const { program, others, scenario } = this.#input;
    const { clock, bus, state } = this.#simulated;
    this.#engine.start();
    this.#simulated.furnish();
    this.#changes.start();
    for (const [index, one] of [program, ...others].entries()) {
      this.#engine.put(one);
      if (index % ARMED_A_TURN === ARMED_A_TURN - 1) await this.#pace.settle();
    }
    startSystemEvents({
      bus,
      state,
      events: this.#events,
      causes: this.#causes,
      timerOf: (id) => this.#simulated.timerOf(id),
    });
    this.#engine.onTriggered((fired, at, { runId, blockedReason: reason }) => {
      if (reason === null) return;
      this.#record.refused({ at, automationId: fired.id, automationName: fired.name, runId, reason });
    });
    bus.on('automation.fired', ({ automationId }) => this.#fired(automationId));
    this.#events.open();
    clock.at(scenario.startAt, () => this.#fire());
    for (const { at, what } of scenario.events) clock.at(at, () => this.#happen(what));
  }

  /** Advances from entry to entry, until the end or until nothing more can happen. */
  async #goOn(): Promise<void> {
    const { clock } = this.#simulated;
    const { endAt, isFixed } = this.#input.scenario;
    while (this.#pace.stopped === null && !clock.isQuiet && (clock.nextAt ?? endAt) <= endAt) {
      if (clock.step()) await this.#pace.settle();
      else await this.#pace.settleLook();
    }
    if (this.#pace.stopped === null && (isFixed || !clock.isQuiet)) clock.leap(endAt);
  }

  #nextDates(after: number): readonly number[] {
    const { program, native, home } = this.#input;
    if (!native) return this.#engine.nextFireDates(program.id, NEXT_DATES, after);
    // Its days are conditions, which the clock does not know.
    const next = (from: number) => this.#engine.nextFireDates(program.id, 1, from)[0];
    return nextDates(native, home, { after, count: NEXT_DATES }, next);
  }

  /** A user or one of its triggers fires it. */
  #fire(): void {
    const { program, scenario } = this.#input;
    const { trigger } = scenario;
    if (!trigger) return;
    const fired = program.triggers.find(({ id }) => id === trigger.triggerId);
    this.#engine.trigger(program.id, {
      data: { ...trigger.data, ...(fired && { id: fired.id, type: fired.type }) },
      ...(trigger.variables && { variables: trigger.variables }),
    });
  }

  /** Disables an automation that fires once after it has fired. */
  #fired(automationId: string): void {
    const program = this.#engine.find(automationId);
    if (program?.enabled && this.#input.firesOnce(automationId)) this.#engine.put({ ...program, enabled: false });
  }

  #happen(what: ScenarioEvent): void {
    const { state, people } = this.#simulated;
    const homeId = this.#input.home.id;
    switch (what.type) {
      case 'set':
        // The event is not attributed to an automation, even if one wrote to the accessory just before.
        this.#causes.onWrite(SYSTEM, targetsOf(state.accessory(what.accessoryId), what.iid));
        this.#simulated.set(what.accessoryId, what.iid, what.value);
        return;
      case 'press':
        state.press(what.accessoryId, what.iid, what.value);
        return;
      case 'presence':
        people.set(what.personId, what.atHome);
        return;
      case 'move':
        people.move(what.personId, what);
        return;
      case 'webhook':
        for (const id of this.#webhookIds(what.webhookId)) this.#emit(webhookEvent(id), what.payload);
        return;
      case 'event':
        this.#emit(what.eventType, what.eventData);
        return;
      case 'reachable':
        state.setReachable(what.accessoryId, what.reachable);
        return;
      case 'connected':
        state.setConnected(homeId, what.connected);
        return;
    }
  }

  #emit(eventType: string, eventData: Extract<ScenarioEvent, { type: 'event' }>['eventData']): void {
    this.#events.emit({ homeId: this.#input.home.id, eventType, eventData, cause: NO_CAUSE });
  }

  #webhookIds(webhookId: string | null): readonly string[] {
    if (webhookId !== null) return [webhookId];
    return this.#input.program.triggers.flatMap((trigger) => (trigger.type === 'webhook' ? [trigger.webhookId] : []));
  }

  /** The ports of actions, by run. */
  #portsOf(deps: SimulationRunDeps): (runId: string) => ActionPorts {
    const { access, find, furnish } = deps;
    const simulated = this.#simulated;
    const record = this.#record;
    const { state, bus, clock } = simulated;
    const writer: WriteOrigin = { runId: null };
    const onWrite: OnWrite = (caller, accessoryIds) => {
      writer.runId = caller.requestId;
      return this.#causes.onWrite(caller, accessoryIds);
    };
    const control = new Control({ state, access, driver: recordedDriver(simulated, record, writer), onWrite });
    const virtuals = recordedVirtuals({ simulated, record, access, onWrite });
    const common = { state, control, virtuals, ...furnish({ state, bus, clock, control }) };
    const others = new OtherAutomations({ engine: () => this.#engine, find, record });
    const known = new Map<string, ActionPorts>();
    return (runId) => {
      const ports = known.get(runId) ?? {
        ...common,
        notifier: recordedNotifier(record, runId),
        http: recordedSender(this.#input.scenario.answers, record, runId),
        events: new FiredEvents(this.#events, record, runId),
        automations: others.controlledBy(runId),
      };
      known.set(runId, ports);
      return ports;
    };
  }

  /** The real kinds; each step and firing is counted and limited. */
  #kinds(portsOf: (runId: string) => ActionPorts): Kinds {
    return {
      actionKind: (action) => this.#paced(kindOf(action), portsOf),
      watchTrigger: (trigger, watch) =>
        watchTrigger(trigger, {
          ...watch,
          fire: (data, from) => {
            if (this.#pace.takeStep()) watch.fire(data, from);
          },
        }),
      nextOf,
      summarizeTrigger,
      evaluateConditions,
      summarizeConditions,
    };
  }

  #paced(kind: ActionKind, portsOf: (runId: string) => ActionPorts): ActionKind {
    return {
      ...kind,
      execute: (action, run) => {
        const act = () => kind.execute(action, withPorts(run, portsOf(run.runId)));
        this.#pace.takeStep();
        this.#traces.acts(run.runId);
        // Atomic actions do not pause.
        const pause = kind.effect === 'atomic' ? undefined : this.#pace.pause();
        return pause === undefined ? act() : pause.then(act);
      },
    };
  }
}
