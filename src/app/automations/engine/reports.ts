/**
 * Reports on automations: events for the home, an event for automations that watch other automations, and traces of
 * refused runs.
 */
import type { BlockedReason, TraceStatus } from '../../../contract/automation-runs.ts';
import type { HomeDeps } from '../../../home/home-deps.ts';
import { Tally } from '../../../kernel/tally.ts';
import type { AutomationEvents } from '../automation-events.ts';
import type { Nesting } from '../cause-chain.ts';
import type { Program } from '../program.ts';
import type { Cause, TriggerData } from '../scope.ts';
import { MinuteCount } from './guards.ts';
import type { TraceLog } from './trace-log.ts';
import { TraceRecorder } from './trace-recorder.ts';

/** Traces of refused runs per minute and automation: a sensor that chatters must not push out other traces. */
const MAX_STUBS = 20;
/** Events per minute and automation about the same kind of protection. */
const MAX_WARNINGS = 1;

/** Blocked reasons that protect the home, with their messages for people. Users configure the other reasons. */
const WARNINGS: Partial<Record<BlockedReason, string>> = {
  rate_limit: 'It was triggered too often within a minute and is held back.',
  depth: 'Automations trigger each other too deeply.',
  loop: 'Automations trigger each other without end.',
  missed: 'It was due while the daemon was down or the computer asleep, too long ago.',
};

interface Deps extends HomeDeps<'bus' | 'clock'> {
  readonly events: AutomationEvents;
  readonly traces: TraceLog;
}

export interface BlockedFiring {
  readonly runId: string;
  readonly program: Program;
  readonly trigger: TriggerData;
  readonly cause: Cause;
  readonly reason: BlockedReason;
  /** Details beyond the reason itself. */
  readonly nesting?: Nesting | undefined;
}

/** How a run ended; `refused`: it did not start. */
type RunResult = Exclude<TraceStatus, 'running'> | 'refused';

export class Reports {
  /** Ended runs, by result. */
  readonly results = new Tally<RunResult>(['success', 'error', 'stopped', 'refused']);
  readonly #deps: Deps;
  readonly #stubs: MinuteCount;
  readonly #warnings: MinuteCount;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#stubs = new MinuteCount(deps.clock, () => MAX_STUBS);
    this.#warnings = new MinuteCount(deps.clock, () => MAX_WARNINGS);
  }

  /** A run started. Reported once its first action is in progress. */
  fired(program: Program, runId: string): void {
    const at = this.#deps.clock.now();
    queueMicrotask(() => this.#deps.bus.emit('automation.fired', { ...subject(program), runId, at }));
  }

  /** A run ended. */
  ended(result: RunResult): void {
    this.results.add(result);
  }

  /** A run ended with an error. */
  failed(program: Program, runId: string, error: string, cause: Cause): void {
    const { bus, events, clock } = this.#deps;
    const at = clock.now();
    queueMicrotask(() => {
      bus.emit('automation.failed', { ...subject(program), runId, at, error });
      const eventData = { automationId: program.id, automationName: program.name, error };
      events.emit({ homeId: program.homeId, eventType: 'automation.error', eventData, cause });
    });
  }

  refused({ runId, program, trigger, cause, reason, nesting }: BlockedFiring): void {
    const warning = nesting?.sentence ?? WARNINGS[reason] ?? null;
    this.ended('refused');
    if (this.mayStub(program.id)) {
      const at = this.#deps.clock.now();
      const stub = new TraceRecorder({ id: runId, program, trigger, startedAt: at });
      stub.end({
        at,
        status: 'stopped',
        error: warning,
        blockedReason: reason,
        ...(nesting && { more: { chain: nesting.chain } }),
      });
      this.#deps.traces.changed(stub);
    }
    if (warning === null || !this.#warnings.take(`${program.id}/${reason}`)) return;
    // A run stopped for its depth has ended. An automation that watches for that starts a new chain, once a minute at
    // most; otherwise it would exceed the depth too.
    const past = reason === 'loop' || reason === 'depth' ? [] : cause.chain;
    this.failed(program, runId, warning, { chain: [...past, { automationId: program.id, name: program.name }] });
  }

  /** Whether one more trace of a refused run may be stored now. */
  mayStub(automationId: string): boolean {
    return this.#stubs.take(automationId);
  }

  forget(automationId: string): void {
    this.#stubs.forget(automationId);
    for (const reason of Object.keys(WARNINGS)) this.#warnings.forget(`${automationId}/${reason}`);
  }
}

function subject({ id, homeId, kind, name }: Program) {
  return { homeId, automationId: id, kind, name };
}
