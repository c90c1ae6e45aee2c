import type { Service } from '../../../home/model.ts';
import { durationMs } from '../../../home/schedule/duration.ts';
import { shorten } from '../../../home/vocabulary/values.ts';
import type { Dependencies } from '../expressions/expressions.ts';
import { isTruthy } from '../expressions/expressions.ts';
import { optional, type ValuesOf } from '../parsing/field.ts';
import { EXPRESSION, HOLD } from '../parsing/field-kinds.ts';
import { type Cause, type ExpressionScope, NO_CAUSE } from '../scope.ts';
import { forWords } from '../words.ts';
import { Holding } from './holding.ts';
import { type TriggerWatch, triggerKind } from './trigger-kind.ts';

const FIELDS = { expression: EXPRESSION, for: optional(HOLD) };
type TemplateTrigger = ValuesOf<typeof FIELDS>;

/** The check interval of an expression that uses the time (each full minute). */
const TIME_CHECK_MS = 60_000;

/** For a watch without a scope: there is no run with a trigger and outputs. */
const EMPTY_SCOPE: ExpressionScope = { trigger: null, variables: {}, nodes: {}, repeat: null, wait: null };

/**
 * An expression became true. It is evaluated again when an accessory that it depends on changes; an error counts as
 * false.
 */
export const template = triggerKind({
  type: 'template',
  fields: FIELDS,
  summarize: (trigger) => `${shorten(trigger.expression)} becomes true${forWords(trigger.for)}`,
  watch(trigger, watch) {
    const watching = new TemplateWatch(trigger, watch);
    return () => watching.stop();
  },
});

class TemplateWatch {
  readonly #expression: string;
  readonly #watch: TriggerWatch;
  #holding: Holding | undefined;
  #stopWatchingLayout: (() => void) | undefined;
  readonly #dropBegin: (() => void) | undefined;
  /** The dependencies of the last evaluation. */
  readonly #seen = new Map<string, { readonly services: readonly Service[] | undefined; readonly stop: () => void }>();
  #cancelCheck: (() => void) | undefined;
  #isTrue = false;
  #isFaulty = false;

  constructor(trigger: TemplateTrigger, watch: TriggerWatch) {
    this.#expression = trigger.expression;
    this.#watch = watch;
    const begin = () => this.#begin(trigger.for);
    if (watch.begin) this.#dropBegin = watch.begin(begin);
    else begin();
  }

  #begin(hold: TemplateTrigger['for']): void {
    const watch = this.#watch;
    this.#isTrue = this.#evaluate();
    this.#holding =
      hold &&
      new Holding({
        watch,
        forMs: durationMs(hold),
        isSo: () => this.#isTrue,
        isReachable: () => [...this.#seen.keys()].every((id) => watch.triggerDeps.state.isAnswering(id)),
      });
    this.#stopWatchingLayout = watch.triggerDeps.bus.on('layout.changed', ({ homeId }) => {
      if (homeId === watch.homeId) this.#lookAtLayout();
    });
  }

  stop(): void {
    this.#dropBegin?.();
    this.#stopWatchingLayout?.();
    this.#holding?.stop();
    this.#cancelCheck?.();
    for (const { stop } of this.#seen.values()) stop();
    this.#seen.clear();
  }

  #look(cause: Cause): void {
    const was = this.#isTrue;
    this.#isTrue = this.#evaluate();
    if (was !== this.#isTrue) this.#turned(cause);
  }

  /** A change of an accessory's description is not a change of its state. */
  #lookAtLayout(): void {
    const before = [...this.#seen].map(([id, { services }]) => [id, services] as const);
    const was = this.#isTrue;
    this.#isTrue = this.#evaluate();
    const hasSameServices =
      before.length === this.#seen.size && before.every(([id, services]) => this.#seen.get(id)?.services === services);
    if (hasSameServices && was !== this.#isTrue) this.#turned(NO_CAUSE);
  }

  #turned(cause: Cause): void {
    if (!this.#isTrue) this.#holding?.end();
    else if (!this.#holding) this.#watch.fire({}, { cause });
    // A hold resumed after a restart may already be active while the devices only confirm their values.
    else if (!this.#holding.isHolding) this.#holding.begin({}, cause);
  }

  #evaluate(): boolean {
    const { triggerDeps, homeId, key, scope } = this.#watch;
    const seen = scope?.() ?? EMPTY_SCOPE;
    const { value, error, dependencies } = triggerDeps.expressions.watch(this.#expression, seen, homeId);
    if (error && !this.#isFaulty) {
      triggerDeps.logger.warn({ trigger: key, error: error.message }, 'Could not evaluate the expression of a trigger');
    }
    this.#isFaulty = error !== null;
    this.#follow(dependencies);
    return isTruthy(value);
  }

  #follow({ accessoryIds, usesTime }: Dependencies): void {
    const { state, accessoryEvents, causes } = this.#watch.triggerDeps;
    for (const [id, { stop }] of this.#seen) {
      if (accessoryIds.has(id)) continue;
      stop();
      this.#seen.delete(id);
    }
    for (const id of accessoryIds) {
      const services = state.accessory(id)?.services;
      const known = this.#seen.get(id);
      const stop =
        known?.stop ??
        accessoryEvents.on(id, {
          changed: (event) => this.#look(causes.of(event, state.characteristic(event))),
          reachabilityChanged: () => this.#look(NO_CAUSE),
        });
      if (known?.services !== services || !known) this.#seen.set(id, { services, stop });
    }
    this.#checkEachMinute(usesTime);
  }

  #checkEachMinute(isWanted: boolean): void {
    if (isWanted === (this.#cancelCheck !== undefined)) return;
    if (!isWanted) {
      this.#cancelCheck?.();
      this.#cancelCheck = undefined;
      return;
    }
    const { timers } = this.#watch.triggerDeps;
    const now = timers.now();
    this.#cancelCheck = timers.set(now - (now % TIME_CHECK_MS) + TIME_CHECK_MS, {
      due: () => {
        this.#cancelCheck = undefined;
        this.#look(NO_CAUSE);
      },
      // The deadline follows a clock that is set back, so that the check still runs within a minute.
      moved() {},
    });
  }
}
