/**
 * What the home needs of the driver of virtual accessories: they exist because somebody made them up, keep their values on disk,
 * and their timers run on our own clock. Read and written like any accessory through `AccessoryDriver`; the operations below are
 * what a plain write can't say (wire-facts §7).
 */
import type { AccessoryDriver } from './accessory-driver.ts';
import type { AccessoryAddress, CharacteristicValue, VirtualConfig, VirtualType } from './model.ts';

const SOURCE_PREFIX = 'virtual:';

/** The source of a virtual accessory: it is its own accessory server, so that each derives an id of its own. */
export function virtualSource(id: string): string {
  return SOURCE_PREFIX + id;
}

export function isVirtualSource(source: string): boolean {
  return source.startsWith(SOURCE_PREFIX);
}

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
  /** How long this run takes in all; while it is idle, how long the next one would. */
  readonly durationMs: number;
  readonly startedAt: number | null;
  /** When it will be through; `null` unless it runs. */
  readonly endsAt: number | null;
  /** What is left of it; `null` while it is idle. */
  readonly remainingMs: number | null;
  /** When it was through last, by itself or by `finish`. */
  readonly finishedAt: number | null;
}

/**
 * How a virtual accessory should be set up, as somebody sent it, nothing checked yet: `type`, `icon`, `controllable` and the fields
 * of its kind (wire-facts §7). What is left out, or `undefined`, stays as it is or becomes the kind's default.
 */
export type VirtualFields = Readonly<Record<string, unknown>>;

export interface VirtualDefinition {
  readonly homeId: string;
  readonly name: string;
  /** The room for a new one; later its name and place are the layout's. */
  readonly roomId?: string;
  readonly config: VirtualConfig;
}

export interface VirtualDriver extends AccessoryDriver {
  /**
   * @param current what it is now, to be changed by `fields`; nothing for a new one.
   * @throws `invalid_request` a field that its kind has not · `invalid_value` naming the field and what it takes
   */
  parseConfig(fields: VirtualFields, current?: VirtualConfig): VirtualConfig;
  operationsOf(type: VirtualType): readonly VirtualOperation[];
  /** Makes one, stores it and describes it to the home. @returns where it lives: a `virtualSource`. */
  create(definition: VirtualDefinition): AccessoryAddress;
  /** Sets it up anew; a value that no longer fits becomes the initial one. The kind can't change. @throws `not_found` */
  update(address: AccessoryAddress, config: VirtualConfig): void;
  /** Forgets it, with its value. @throws `not_found` */
  remove(address: AccessoryAddress): void;
  /**
   * Carries out an operation, `controllable` or not; stored before it returns. One that changes nothing succeeds.
   * @param input for `set`: the value; for `increment` and `decrement`: by how much (its step if left out); for `start`: how long, as
   *        in its fields (its own duration if left out); nothing for the others.
   * @returns the value that it has now.
   * @throws `not_found` · `invalid_value` the input, or an operation that its kind has not · `conflict` a timer that does not run
   */
  operate(address: AccessoryAddress, operation: string, input?: unknown): CharacteristicValue;
  /** `undefined` for anything but a timer. */
  timerOf(address: AccessoryAddress): TimerState | undefined;
}
