import type { BlockedReason, TraceStatus } from '../../../contract/automation-runs.ts';
import type { Json } from '../../../kernel/json.ts';
import type { WhyNot } from '../program.ts';
import type { Frame } from './frame.ts';

export abstract class RunSignal extends Error {}

/** A stop action ended the run or the enclosing script. */
export class StopSignal extends RunSignal {
  readonly frame: Frame;
  readonly end: StopEnd;

  constructor(frame: Frame, end: StopEnd) {
    super(end.reason ?? 'Stopped');
    this.frame = frame;
    this.end = end;
  }
}

export interface StopEnd {
  readonly reason: string | null;
  readonly isError: boolean;
  readonly response: Json;
}

/** An action failed and its policy is to stop. */
export class FailedSignal extends RunSignal {
  readonly frame: Frame;
  readonly whyNot: WhyNot;

  constructor(frame: Frame, message: string, whyNot: WhyNot = {}) {
    super(message);
    this.frame = frame;
    this.whyNot = whyNot;
  }
}

/** The run was ended from outside. */
export class EndedSignal extends RunSignal {
  readonly end: RunEnd;

  constructor(end: RunEnd) {
    super(end.error ?? end.status);
    this.end = end;
  }
}

export interface RunEnd extends WhyNot {
  /** `suspended`: the daemon stops; the run resumes after the next start. */
  readonly status: Exclude<TraceStatus, 'running'> | 'suspended';
  readonly error: string | null;
  readonly blockedReason?: Extract<BlockedReason, 'missed'>;
}

export const missedEnd = (what: string): RunEnd => ({
  status: 'stopped',
  error: `${what} while the daemon was down or the computer asleep, too long ago to go on.`,
  blockedReason: 'missed',
});

export const AGAIN = { error: 'It was triggered again.', reason: 'triggered_again' } as const;
export const DELETED = { error: 'The automation was deleted.', reason: 'automation_deleted' } as const;
