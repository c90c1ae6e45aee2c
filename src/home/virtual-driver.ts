/**
 * The port to the driver of virtual accessories. Users create them; they store their values on disk, and their timers
 * run on the relay's clock. Reads and writes use `AccessoryDriver` like for any accessory; the operations below do what
 * a plain write cannot (wire-facts §7).
 */
import type { AccessoryDriver } from './accessory-driver.ts';
import type { AccessoryAddress, CharacteristicValue, VirtualConfig, VirtualType } from './model.ts';

const SOURCE_PREFIX = 'virtual:';

/** The source of a virtual accessory: each one is its own accessory server, so that each derives its own id. */
export function virtualSource(id: string): string {
  return SOURCE_PREFIX + id;
}

export function isVirtualSource(source: string): boolean {
  return source.startsWith(SOURCE_PREFIX);
}

/** Every operation of any kind of virtual accessory; the table of kinds lists which kind has which. */
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

/** The current status of a timer. Times are milliseconds since the epoch. */
export interface TimerState {
  readonly status: 'idle' | 'active' | 'paused';
  /** The total duration of this run; while idle, of the next run. */
  readonly durationMs: number;
  readonly startedAt: number | null;
  /** The end of the run; `null` unless it runs. */
  readonly endsAt: number | null;
  /** The remaining time; `null` while idle. */
  readonly remainingMs: number | null;
  /** The last end, by expiry or by `finish`. */
  readonly finishedAt: number | null;
}

/**
 * The configuration of a virtual accessory as the client sent it, unchecked: `type`, `icon`, `controllable` and the
 * fields of its kind (wire-facts §7). An omitted or `undefined` field keeps its value or takes the kind's default.
 */
export type VirtualInput = Readonly<Record<string, unknown>>;

export interface VirtualDefinition {
  readonly homeId: string;
  readonly name: string;
  /** The room for a new accessory; later the layout owns its name and place. */
  readonly roomId?: string;
  readonly config: VirtualConfig;
}

export interface VirtualDriver extends AccessoryDriver {
  /**
   * @param current the present configuration, which `fields` changes; omitted for a new accessory.
   * @throws `invalid_request` a field that its kind lacks · `invalid_value` with the field and its accepted values
   */
  parseConfig(fields: VirtualInput, current?: VirtualConfig): VirtualConfig;
  operationsOf(type: VirtualType): readonly VirtualOperation[];
  /** Creates and saves an accessory and reports it to the home. @returns its address: a `virtualSource`. */
  create(definition: VirtualDefinition): AccessoryAddress;
  /**
   * Replaces the configuration; a value that no longer fits becomes the initial one. The kind cannot change. @throws
   * `not_found`
   */
  update(address: AccessoryAddress, config: VirtualConfig): void;
  /** Deletes the accessory and its value. @throws `not_found` */
  remove(address: AccessoryAddress): void;
  /**
   * Executes an operation, `controllable` or not, and saves before it returns. An operation that changes nothing
   * succeeds.
   * @param input for `set`: the value; for `increment` and `decrement`: the amount (its step if omitted); for `start`:
   * the duration, as in its fields (its own duration if omitted); nothing for the others.
   * @returns the new value.
   * @throws `not_found` · `invalid_value` the input, or an operation that its kind lacks · `conflict` a timer that does
   * not run
   */
  operate(address: AccessoryAddress, operation: string, input?: unknown): CharacteristicValue;
  /** `undefined` unless it is a timer. */
  timerOf(address: AccessoryAddress): TimerState | undefined;
}
