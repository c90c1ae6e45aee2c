/** One evaluation under way: what it can name, what it may look at, how much it has done and what it has looked at so far. */
import type { HomeState } from '../../../home/home-state.ts';
import type { TimerState } from '../../../home/virtual-driver.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { ChangeLog } from '../change-log.ts';
import type { Json } from '../flow.ts';
import type { Scope } from '../program.ts';
import { clean, fieldOf } from './values.ts';
import { Work } from './work.ts';

/** What expressions look at. */
export interface ExpressionGround {
  readonly state: HomeState;
  readonly clock: Clock;
  readonly changes: ChangeLog;
  /** The timer that a virtual accessory is; `undefined` for everything else. */
  readonly timerOf: (accessoryId: string) => TimerState | undefined;
}

/** What an evaluation looked at: when any of it changes, the answer may. */
export interface Dependencies {
  readonly accessoryIds: ReadonlySet<string>;
  /** It asked for the time. */
  readonly usesTime: boolean;
  /** It named something that there is not: whatever is added to the home, or renamed, may be it. */
  readonly missesThing: boolean;
}

/** The names that are always there (wire-facts §6.4); every other name is a variable. */
export const SCOPE_NAMES = ['trigger', 'repeat', 'wait', 'nodes'] as const;
export type ScopeName = (typeof SCOPE_NAMES)[number];

export class Evaluation implements Dependencies {
  readonly ground: ExpressionGround;
  readonly homeId: string;
  readonly work = new Work();
  readonly accessoryIds = new Set<string>();
  usesTime = false;
  missesThing = false;
  /** The elements that the loops around are at, outermost first. */
  readonly locals: Json[] = [];
  readonly #scope: Scope;

  constructor(ground: ExpressionGround, scope: Scope, homeId: string) {
    this.ground = ground;
    this.homeId = homeId;
    this.#scope = scope;
  }

  /** The value of a name; `undefined` where nothing is called so. */
  find(name: string): Json | undefined {
    if (isScopeName(name)) return clean(this.#scope[name] ?? null);
    const { variables } = this.#scope;
    return name !== '__proto__' && Object.hasOwn(variables, name) ? fieldOf(variables, name) : undefined;
  }

  /** Wall time, milliseconds. The evaluation depends on the time from now on. */
  now(): number {
    this.usesTime = true;
    return this.ground.clock.now();
  }
}

export function isScopeName(name: string): name is ScopeName {
  return (SCOPE_NAMES as readonly string[]).includes(name);
}
