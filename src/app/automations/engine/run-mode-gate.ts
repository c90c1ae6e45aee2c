/** Decides how a firing is handled while a run of the same automation is active (`mode`, wire-facts §6.2). */
import type { BlockedReason } from '../../../contract/automation-runs.ts';
import type { Program } from '../program.ts';
import type { Run } from './run.ts';

export type GateDecision =
  | 'begin'
  /** After ending the active runs. */
  | 'restart'
  /** After the active runs. */
  | 'wait'
  | Extract<BlockedReason, `mode_${string}`>;

/** The runs of one automation. */
export class RunModeGate {
  readonly running = new Set<Run>();
  /** In start order. */
  readonly queue: Run[] = [];

  placeFor({ mode, maxRunning }: Pick<Program, 'mode' | 'maxRunning'>): GateDecision {
    const { size } = this.running;
    switch (mode) {
      case 'single':
        return size === 0 ? 'begin' : 'mode_single';
      case 'restart':
        return size === 0 ? 'begin' : 'restart';
      case 'queued':
        if (size === 0) return 'begin';
        return size + this.queue.length < Math.max(1, maxRunning) ? 'wait' : 'mode_queued';
      case 'parallel':
        return size < Math.max(1, maxRunning) ? 'begin' : 'mode_parallel';
    }
  }

  get isEmpty(): boolean {
    return this.running.size === 0 && this.queue.length === 0;
  }

  runs(): readonly Run[] {
    return [...this.running, ...this.queue];
  }
}
