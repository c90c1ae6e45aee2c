/** Tells of what automations do: events for the house, an event for automations that watch over others, and traces of refused runs. */
import type { HomeEvents } from '../../../home/events.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { EventBus } from '../../../kernel/event-bus.ts';
import { Tally } from '../../../kernel/tally.ts';
import type { AutomationEvents } from '../automation-events.ts';
import type { BlockedReason, Cause, Program, TraceStatus, TriggerData } from '../program.ts';
import { MinuteCount, type Nesting } from './guards.ts';
import type { TraceLog } from './trace-log.ts';
import { TraceRecorder } from './trace-recorder.ts';

/** Traces a minute and automation of runs that did not come about: a sensor that chatters must not push out the others. */
const MOST_STUBS = 20;
/** Events a minute and automation about the same kind of protection. */
const MOST_WARNINGS = 1;

/** Reasons that protect the house, and what people are told. The others are what somebody asked for. */
const WARNINGS: Partial<Record<BlockedReason, string>> = {
  rate_limit: 'It was triggered too often within a minute and is held back.',
  depth: 'Automations set each other off too deeply.',
  loop: 'Automations set each other off without end.',
  missed: 'It was due while the daemon was down or the computer asleep, too long ago.',
};

interface Parts {
  readonly bus: EventBus<HomeEvents>;
  readonly events: AutomationEvents;
  readonly traces: TraceLog;
  readonly clock: Clock;
}

export interface Refusal {
  readonly runId: string;
  readonly program: Program;
  readonly trigger: TriggerData;
  readonly cause: Cause;
  readonly reason: BlockedReason;
  /** More than the reason says by itself. */
  readonly nesting?: Nesting | undefined;
}

/** How a run ended; `refused`: it did not come about. */
type RunResult = Exclude<TraceStatus, 'running'> | 'refused';

export class Reports {
  /** Runs that are over, by how they ended. */
  readonly results = new Tally<RunResult>(['success', 'error', 'stopped', 'refused']);
  readonly #parts: Parts;
  readonly #stubs: MinuteCount;
  readonly #warnings: MinuteCount;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#stubs = new MinuteCount(parts.clock, () => MOST_STUBS);
    this.#warnings = new MinuteCount(parts.clock, () => MOST_WARNINGS);
  }

  /** A run began. Told once its first action is on its way. */
  fired(program: Program, runId: string): void {
    const at = this.#parts.clock.now();
    queueMicrotask(() => this.#parts.bus.emit('automation.fired', { ...subject(program), runId, at }));
  }

  /** A run is over. */
  ended(result: RunResult): void {
    this.results.add(result);
  }

  /** A run ended with an error. */
  failed(program: Program, runId: string, error: string, cause: Cause): void {
    const { bus, events, clock } = this.#parts;
    const at = clock.now();
    queueMicrotask(() => {
      bus.emit('automation.failed', { ...subject(program), runId, at, error });
      const eventData = { automationId: program.id, automationName: program.name, error };
      events.emit({ homeId: program.homeId, eventType: 'automation.error', eventData, cause });
    });
  }

  refused({ runId, program, trigger, cause, reason, nesting }: Refusal): void {
    const warning = nesting?.sentence ?? WARNINGS[reason] ?? null;
    this.ended('refused');
    if (this.mayStub(program.id)) {
      const at = this.#parts.clock.now();
      const stub = new TraceRecorder({ id: runId, program, trigger, startedAt: at });
      stub.end({
        at,
        status: 'stopped',
        error: warning,
        blockedReason: reason,
        ...(nesting && { more: { chain: nesting.chain } }),
      });
      this.#parts.traces.changed(stub);
    }
    if (warning === null || !this.#warnings.take(`${program.id}/${reason}`)) return;
    // What was stopped for its depth is over: whoever watches for that begins anew, once a minute at most, instead of being too deep too.
    const past = reason === 'loop' || reason === 'depth' ? [] : cause.chain;
    this.failed(program, runId, warning, { chain: [...past, { automationId: program.id, name: program.name }] });
  }

  /** Whether one more trace of a run that did not come about is kept now. */
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
