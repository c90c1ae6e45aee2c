/**
 * Virtual accessories in a dry run: they start from their present values and then behave as usual, but in memory only
 * and on the dry run's own clock. It is a port because only the driver implements the behaviour of each kind.
 */
import type { WallTimers } from '../kernel/wall-timers.ts';
import type { AccessoryAddress, CharacteristicValue, HapId, VirtualConfig } from './model.ts';
import type { TimerState, VirtualDriver } from './virtual-driver.ts';

export interface RehearsedVirtual {
  readonly address: AccessoryAddress;
  readonly config: VirtualConfig;
  readonly value: CharacteristicValue | null;
  /** For a timer, with its times on the dry run's clock. */
  readonly timer: TimerState | undefined;
}

export interface VirtualRehearsalDeps {
  readonly accessories: readonly RehearsedVirtual[];
  readonly timers: Pick<WallTimers, 'now' | 'set'>;
  /** Reports a new value: written, set by an operation, or changed by the accessory itself. */
  readonly report: (address: AccessoryAddress, iid: HapId, value: CharacteristicValue, via: 'write' | 'device') => void;
}

export interface VirtualRehearsal extends Pick<VirtualDriver, 'write' | 'operate' | 'timerOf'> {
  /** Sets a value that is valid for it, whether users may set it or not. */
  set(address: AccessoryAddress, value: CharacteristicValue): void;
}

export type RehearseVirtuals = (deps: VirtualRehearsalDeps) => VirtualRehearsal;
