/**
 * What a kind of trigger is, and what it watches with. One file a kind in this folder, one line in `index.ts`. The engine watches an
 * automation's triggers for as long as it is enabled, and those of a waiting run for as long as it waits: the same kinds do both.
 */
import type { HomeEvents } from '../../../home/events.ts';
import type { HomeState } from '../../../home/home-state.ts';
import type { Presence } from '../../../home/presence.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { EventBus } from '../../../kernel/event-bus.ts';
import type { Logger } from '../../../kernel/logger.ts';
import type { WallTimers } from '../../../kernel/wall-timers.ts';
import type { AutomationEvents } from '../automation-events.ts';
import type { Causes } from '../engine/causes.ts';
import type { Expressions } from '../expressions/expressions.ts';
import type { TriggerOf, TriggerType } from '../flow.ts';
import type { Cause, Scope, TriggerData } from '../program.ts';
import type { Slots } from '../slots.ts';
import type { AccessoryEvents } from './accessory-events.ts';
import type { HoldStore } from './hold-store.ts';

export interface TriggerKind<T extends TriggerType = TriggerType> {
  readonly type: T;
  /** One line for people: `Motion of Hall becomes on for 5 minutes`. Never throws, whatever is gone by now. */
  summarize(trigger: TriggerOf<T>, state: HomeState): string;
  /** Watches until the function that it returns is called. Never fires before it has returned. */
  watch(trigger: TriggerOf<T>, watch: TriggerWatch): () => void;
  /**
   * For kinds that the clock fires: when it does next, later than `after` (milliseconds); `null` for never, and for as long as
   * something that it needs is not known, such as where the house stands.
   */
  next?(trigger: TriggerOf<T>, place: TriggerPlace, after: number): number | null;
}

/** Where a trigger is: its home has the zone and the place on Earth by which clocks and the sun go. */
export interface TriggerPlace {
  readonly homeId: string;
  readonly state: HomeState;
}

export interface TriggerWatch {
  /** Unique and the same after a restart: under it a hold or a slot is kept. It changes with the trigger's definition. */
  readonly key: string;
  readonly homeId: string;
  /** When the watching began, across restarts: what a `duration` counts from. Milliseconds. */
  readonly since: number;
  readonly ground: TriggerGround;
  /** What an expression of the trigger sees beside the home, as of now: variables, and in a wait what its run has. Nothing if left out. */
  readonly scope?: () => Scope;
  /** It fired. In a transaction (of a slot or a hold that is through) what it begins is part of that. */
  fire(data: Omit<TriggerData, 'id' | 'type' | 'timestamp'>, from?: { readonly cause?: Cause }): void;
  /** It was due while nobody watched, too long ago. */
  missed(dueAt: number): void;
}

export interface TriggerGround {
  readonly state: HomeState;
  readonly presence: Presence;
  readonly bus: EventBus<HomeEvents>;
  /** `state.changed` and `button.pressed` by accessory, so that an event finds its few triggers among thousands. */
  readonly accessoryEvents: AccessoryEvents;
  readonly events: AutomationEvents;
  readonly causes: Causes;
  readonly expressions: Expressions;
  readonly timers: WallTimers;
  readonly slots: Slots;
  readonly holds: HoldStore;
  readonly clock: Clock;
  /** What came due no longer ago than this fires late; what is older is missed. Milliseconds. */
  readonly graceMs: () => number;
  readonly logger: Logger;
}
