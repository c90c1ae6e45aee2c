/** One evaluation: its names, the home state that it reads, its work so far and its dependencies so far. */
import type { HomeDeps } from '../../../home/home-deps.ts';
import type { TimerState } from '../../../home/virtual-driver.ts';
import type { Json } from '../../../kernel/json.ts';
import type { ChangeLog } from '../change-log.ts';
import type { ExpressionScope } from '../scope.ts';
import { clean, fieldOf } from './values.ts';
import { WorkBudget } from './work.ts';

/** The sources that expressions read. */
export interface ExpressionDeps extends HomeDeps<'state' | 'clock'> {
  readonly changes: ChangeLog;
  /** The timer of a virtual accessory; `undefined` for other accessories. */
  readonly timerOf: (accessoryId: string) => TimerState | undefined;
}

/** The dependencies of an evaluation: when one of them changes, the result may change. */
export interface Dependencies {
  readonly accessoryIds: ReadonlySet<string>;
  /** The expression used the time. */
  readonly usesTime: boolean;
  /** The expression referred to a missing object: an object that is added or renamed may match. */
  readonly missesThing: boolean;
}

/** The names that always exist (wire-facts §6.4); every other name is a variable. */
export const SCOPE_NAMES = ['trigger', 'repeat', 'wait', 'nodes'] as const;
export type ScopeName = (typeof SCOPE_NAMES)[number];

export class Evaluation implements Dependencies {
  readonly deps: ExpressionDeps;
  readonly homeId: string;
  readonly work = new WorkBudget();
  readonly accessoryIds = new Set<string>();
  usesTime = false;
  missesThing = false;
  /** The current elements of the enclosing loops, outermost first. */
  readonly locals: Json[] = [];
  readonly #scope: ExpressionScope;

  constructor(deps: ExpressionDeps, scope: ExpressionScope, homeId: string) {
    this.deps = deps;
    this.homeId = homeId;
    this.#scope = scope;
  }

  /** The value of a name; `undefined` if the name does not exist. */
  find(name: string): Json | undefined {
    if (isScopeName(name)) return clean(this.#scope[name] ?? null);
    const { variables } = this.#scope;
    return name !== '__proto__' && Object.hasOwn(variables, name) ? fieldOf(variables, name) : undefined;
  }

  /** Wall time, milliseconds. Makes the evaluation depend on the time. */
  now(): number {
    this.usesTime = true;
    return this.deps.clock.now();
  }
}

export function isScopeName(name: string): name is ScopeName {
  return (SCOPE_NAMES as readonly string[]).includes(name);
}
