/**
 * How a run waits: for a duration, for triggers, or for an expression to become true. The journal stores the deadline
 * as wall time, so that a restart does not change the length of a wait. A clock that is set back moves the deadline. A
 * wait that became due while the daemon was down continues within the grace period, and ends the run as missed after
 * it.
 */

import { isTruthy } from '../expressions/expressions.ts';
import type { ExpressionScope, TriggerData } from '../scope.ts';
import { endOfSpan, isPutRight } from '../spans.ts';
import { timestampOf, withNumericTimestamp } from '../trigger-time.ts';
import type { Trigger } from '../triggers/index.ts';
import type { TriggerDeps, TriggerWatch } from '../triggers/trigger-kind.ts';
import { watchExpression } from './expression-watch.ts';
import type { Journal } from './journal.ts';
import { RunDeadlines } from './run-deadlines.ts';
import { type EndedSignal, missedEnd, type RunEnd } from './signals.ts';
import type { StartGate } from './start-gate.ts';

/** The journal entry of a wait. */
interface WaitEntry {
  readonly at: number;
  readonly dueAt: number | null;
  /** Set once the wait has ended. */
  readonly over?: { readonly trigger: TriggerData | null };
}

function triggerOf({ trigger }: NonNullable<WaitEntry['over']>): TriggerData | null {
  return trigger && withNumericTimestamp(trigger);
}

export interface WaitingRun {
  readonly id: string;
  readonly homeId: string;
  readonly journal: Journal;
  readonly triggerDeps: TriggerDeps;
  readonly gate: StartGate;
  readonly watchTrigger: (trigger: Trigger, watch: TriggerWatch) => () => void;
  /** Calls back when the run is ended from outside. @returns the function that removes the listener */
  onEnded(listener: (signal: EndedSignal) => void): () => void;
  endAs(end: RunEnd): void;
  /** The run begins to wait. */
  waits(): void;
  /** The awaited event arrived: the run has caught up with the restart. */
  caughtUp(): void;
  /** The run is about to act. @throws the end of the run, if a restart has made the action too late */
  requireCurrent(): void;
}

type Settle = (trigger: TriggerData | null) => void;

export class Waits {
  readonly #run: WaitingRun;
  readonly #deadlines: RunDeadlines;
  /** The keys under which holds and slots of this run are stored now. */
  readonly watchKeys = new Set<string>();

  constructor(run: WaitingRun) {
    this.#run = run;
    this.#deadlines = new RunDeadlines(run.triggerDeps.timers);
  }

  /** @param key the wait's key, the same after a restart */
  async delay(key: string, ms: number): Promise<void> {
    const entry = this.#entry(key, ms);
    if (!entry.over) await this.#until(key, entry, 'A delay ended', () => () => {});
  }

  /** @param scope the scope of the triggers' expressions, read at each evaluation */
  async forTriggers(
    key: string,
    triggers: readonly Trigger[],
    timeoutMs: number | null,
    scope: () => ExpressionScope,
  ): Promise<TriggerData | null> {
    const entry = this.#entry(key, timeoutMs);
    if (entry.over) return triggerOf(entry.over);
    return this.#until(key, entry, 'A wait ended', (settle) =>
      this.#watch(key, { triggers, since: entry.at, scope }, settle),
    );
  }

  /** @param scope the scope of the expression, read at each evaluation */
  async forExpression(
    key: string,
    expression: string,
    timeoutMs: number | null,
    scope: () => ExpressionScope,
  ): Promise<TriggerData | null> {
    const { journal, triggerDeps, homeId } = this.#run;
    const known = journal.find<WaitEntry>(key);
    if (known?.over) return triggerOf(known.over);
    const triggered = (): TriggerData => ({
      id: null,
      type: 'template',
      timestamp: timestampOf(triggerDeps.clock.now()),
    });
    if (!known && isTruthy(triggerDeps.expressions.evaluate(expression, scope(), homeId))) {
      const trigger = triggered();
      journal.note(key, { at: triggerDeps.clock.now(), dueAt: null, over: { trigger } });
      return trigger;
    }
    const entry = this.#entry(key, timeoutMs);
    return this.#until(key, entry, 'A wait ended', (settle) =>
      watchExpression({ expression, scope, homeId, triggerDeps, deadlines: this.#deadlines }, () =>
        settle(triggered()),
      ),
    );
  }

  /** The wait's journal entry, or a new one. A new entry makes the run persistent. */
  #entry(key: string, ms: number | null): WaitEntry {
    const { journal, triggerDeps } = this.#run;
    const known = journal.find<WaitEntry>(key);
    if (known) return known;
    this.#run.requireCurrent();
    const at = triggerDeps.timers.now();
    const entry: WaitEntry = { at, dueAt: ms === null ? null : at + ms };
    journal.note(key, entry);
    journal.keep();
    this.#run.waits();
    return entry;
  }

  #until(
    key: string,
    entry: WaitEntry,
    what: string,
    arm: (settle: Settle) => () => void,
  ): Promise<TriggerData | null> {
    const { journal, triggerDeps, gate } = this.#run;
    return new Promise((resolve, reject) => {
      const undo: (() => void)[] = [];
      const finish = (): void => {
        for (const one of undo.splice(0)) one();
      };
      const settle: Settle = (trigger) => {
        finish();
        this.#run.caughtUp();
        const over = { ...entry, at: triggerDeps.clock.now(), over: { trigger } };
        journal.note(key, over);
        // A received trigger must not be lost before the run can continue with it.
        if (!gate.isOpen) journal.flush();
        gate.whenOpen(() => {
          forget();
          resolve(trigger);
        });
      };
      const forget = this.#run.onEnded((signal) => {
        finish();
        reject(signal);
      });
      if (entry.dueAt !== null) undo.push(this.#deadline(key, entry, entry.dueAt, what, settle));
      undo.push(arm(settle));
    });
  }

  #deadline(key: string, entry: WaitEntry, dueAt: number, what: string, settle: Settle): () => void {
    const { journal, triggerDeps } = this.#run;
    const endsAt = endOfSpan({ sinceAt: entry.at, dueAt }, triggerDeps.timers.now());
    let span = { sinceAt: entry.at, dueAt };
    let cancel = this.#deadlines.add(endsAt, {
      due: (now, at) => {
        if (isPutRight(at, span, now)) cancel = this.#deadline(key, { ...entry, at: now }, span.dueAt, what, settle);
        else if (now - span.dueAt > triggerDeps.graceMs()) this.#run.endAs(missedEnd(what));
        else settle(null);
      },
      moved: (to) => {
        const byMs = to - endsAt;
        span = { sinceAt: entry.at + byMs, dueAt: dueAt + byMs };
        const moved = { at: span.sinceAt, dueAt: span.dueAt };
        journal.note(key, moved);
        journal.flush();
      },
    });
    return () => cancel();
  }

  #watch(
    key: string,
    { triggers, since, scope }: { triggers: readonly Trigger[]; since: number; scope: () => ExpressionScope },
    settle: Settle,
  ): () => void {
    const { id, homeId, journal, triggerDeps, watchTrigger } = this.#run;
    const keys = triggers.map((trigger) => `${id}/${key}/${trigger.id}`);
    for (const one of keys) this.watchKeys.add(one);
    const unwatch = triggers.map((trigger, index) =>
      watchTrigger(trigger, {
        key: keys[index] as string,
        homeId,
        since,
        triggerDeps,
        scope,
        fire: (data) => {
          settle({
            id: trigger.id,
            type: trigger.type,
            timestamp: timestampOf(triggerDeps.clock.now()),
            ...data,
          });
          // The cause of the end may be marked as done from now on: a moment that has come, a hold that has ended.
          journal.join();
        },
        missed: () => this.#run.endAs(missedEnd('What it waited for came')),
      }),
    );
    return () => {
      for (const one of unwatch) one();
      for (const one of keys) {
        this.watchKeys.delete(one);
        // A run that still waits when the daemon stops resumes its holds later.
        if (!journal.isSuspended) triggerDeps.holds.delete(one);
      }
    };
  }
}
