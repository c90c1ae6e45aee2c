/**
 * What the home needs of the driver of virtual accessories: they exist because somebody made them up, keep their values on disk,
 * and their timers run on our own clock. Read and written like any accessory through `AccessoryDriver`; the operations below are
 * what a plain write can't say (wire-facts §7).
 */
import type { AccessoryDriver } from './accessory-driver.ts';
import type { AccessoryAddress, CharacteristicValue, VirtualConfig } from './model.ts';

/** Every operation on some kind of virtual accessory; which kind knows which is the table of the kinds. */
export const VIRTUAL_OPERATIONS = [
  'turn_on',
  'turn_off',
  'toggle',
  'set',
  'increment',
  'decrement',
  'reset',
  'start',
  'pause',
  'resume',
  'cancel',
  'finish',
] as const;
export type VirtualOperation = (typeof VIRTUAL_OPERATIONS)[number];

/** A timer now. Times are milliseconds since the epoch. */
export interface TimerState {
  readonly status: 'idle' | 'active' | 'paused';
  readonly durationMs: number;
  readonly startedAt: number | null;
  /** When it will be through; `null` unless it runs. */
  readonly endsAt: number | null;
  /** What is left of it; `null` while it is idle. */
  readonly remainingMs: number | null;
  /** When it was through last, by itself or by `finish`. */
  readonly finishedAt: number | null;
}

export interface VirtualDefinition {
  readonly homeId: string;
  readonly name: string;
  /** The room for a new one; later its place is the layout's. */
  readonly roomId?: string;
  readonly config: VirtualConfig;
}

export interface VirtualDriver extends AccessoryDriver {
  /** Makes one, stores it and describes it to the home. @returns where it lives: its source is `virtual:` and a UUID. */
  create(definition: VirtualDefinition): AccessoryAddress;
  /** Changes how it is set up; a value that no longer fits becomes the initial one. The kind can't change. @throws `not_found` */
  update(address: AccessoryAddress, changes: { readonly name: string; readonly config: VirtualConfig }): void;
  /** Forgets it, with its value. @throws `not_found` */
  remove(address: AccessoryAddress): void;
  /**
   * Carries out an operation; stored before it returns.
   * @param input for `set`: the value; for `increment` and `decrement`: by how much (its step if left out); for `start`: a duration
   *        in milliseconds (its own if left out).
   * @returns the value that it has now. @throws `not_found` · `invalid_value` the input, or an operation that its kind has not
   */
  operate(address: AccessoryAddress, operation: VirtualOperation, input?: unknown): CharacteristicValue;
  /** `undefined` for anything but a timer. */
  timerOf(address: AccessoryAddress): TimerState | undefined;
}
