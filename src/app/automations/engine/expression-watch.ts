/**
 * Watches an expression of a run until it is true. Re-evaluates it when a dependency changes, and each second if it
 * uses the time.
 */
import { isTruthy } from '../expressions/expressions.ts';
import type { ExpressionScope } from '../scope.ts';
import type { TriggerDeps } from '../triggers/trigger-kind.ts';
import type { RunDeadlines } from './run-deadlines.ts';

const TIME_CHECK_MS = 1_000;

interface Watched {
  readonly expression: string;
  readonly scope: () => ExpressionScope;
  readonly homeId: string;
  readonly triggerDeps: TriggerDeps;
  readonly deadlines: RunDeadlines;
}

/**
 * Evaluates at once, but calls back only after it has returned. An expression that fails counts as not true: a missing
 * object may appear later.
 * @returns the function that ends the watch
 */
export function watchExpression(watched: Watched, isTrue: () => void): () => void {
  const { expression, scope, homeId, triggerDeps, deadlines } = watched;
  const subscriptions = new Map<string, () => void>();
  let cancelCheck: (() => void) | undefined;
  let isOver = false;

  const look = (): void => {
    if (isOver) return;
    const { value, dependencies } = triggerDeps.expressions.watch(expression, scope(), homeId);
    if (isTruthy(value)) {
      isTrue();
      return;
    }
    follow(dependencies.accessoryIds);
    cancelCheck?.();
    cancelCheck = dependencies.usesTime ? checkAgain() : undefined;
  };
  const follow = (accessoryIds: ReadonlySet<string>): void => {
    for (const [id, end] of subscriptions) {
      if (accessoryIds.has(id)) continue;
      end();
      subscriptions.delete(id);
    }
    for (const id of accessoryIds) {
      if (!subscriptions.has(id))
        subscriptions.set(id, triggerDeps.accessoryEvents.on(id, { changed: look, reachabilityChanged: look }));
    }
  };
  const checkAgain = (): (() => void) =>
    deadlines.add(triggerDeps.clock.now() + TIME_CHECK_MS, { due: look, moved() {} });

  // Objects that the expression refers to are added and removed, and move between rooms and groups.
  const endLayout = triggerDeps.bus.on('layout.changed', (change) => {
    if (change.homeId === homeId) look();
  });
  queueMicrotask(look);
  return () => {
    isOver = true;
    endLayout();
    cancelCheck?.();
    for (const end of subscriptions.values()) end();
    subscriptions.clear();
  };
}
