/** The interface of a kind of virtual accessory. Kinds are pure: they store nothing, and the caller passes the time. */
import type { Characteristic, CharacteristicValue, VirtualConfig, VirtualType } from '../../../home/model.ts';
import type { VirtualOperation } from '../../../home/virtual-driver.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { KindInput } from './fields.ts';
import type { TimerRun } from './timer-run.ts';

/** The current state of an accessory. */
export interface Held {
  readonly value: CharacteristicValue;
  /** A timer's last run; `null` for every other kind, and for a timer that never ran. */
  readonly run: TimerRun | null;
}

export type ConfigOf<T extends VirtualType> = Extract<VirtualConfig, { readonly virtualType: T }>;

/** The part of a config that is specific to the kind. */
export type OwnConfig<T extends VirtualType> = Omit<ConfigOf<T>, 'icon' | 'controllable' | 'virtualType'>;

/** The kind's only characteristic, without the properties that all kinds share. */
export type CharacteristicShape = Omit<Characteristic, 'iid' | 'permissions' | 'value'>;

export interface OperationRequest {
  readonly held: Held;
  readonly operation: VirtualOperation;
  /** `undefined` or `null` if no input is given. */
  readonly input: unknown;
  /** Wall time in milliseconds. */
  readonly now: number;
}

export interface VirtualKind<T extends VirtualType = VirtualType> {
  readonly type: T;
  /** The common name (wire-facts §11.2), used in messages with its article. */
  readonly word: string;
  readonly noun: string;
  /** Canonical service type. */
  readonly serviceType: string;
  /** HAP category: 8 switch, 10 sensor, 1 other. */
  readonly category: number;
  /** The names of the kind's own fields. */
  readonly fields: readonly string[];
  readonly operations: readonly VirtualOperation[];
  /** @param current the current config, for a change. @throws `invalid_value` naming the field */
  parse(fields: KindInput, current: ConfigOf<T> | undefined, now: number): OwnConfig<T>;
  characteristic(config: OwnConfig<T>): CharacteristicShape;
  initialValue(config: OwnConfig<T>): CharacteristicValue;
  /** Applies a write of a parsed value. */
  write(config: ConfigOf<T>, held: Held, value: CharacteristicValue, now: number): Held;
  /** @param request whose operation is one of `operations`. @throws `invalid_value` the input · `conflict` */
  operate(config: ConfigOf<T>, request: OperationRequest): Held;
}

/** Applies a write, for every kind that holds only a value. */
export function hold(value: CharacteristicValue): Held {
  return { value, run: null };
}

export function isNothing(input: unknown): boolean {
  return input === undefined || input === null;
}

/** @throws `invalid_value` */
export function requireNoInput(operation: VirtualOperation, input: unknown): void {
  if (isNothing(input)) return;
  throw new HearthError('invalid_value', `Invalid value: ${operation} takes none.`, { field: 'value' });
}
