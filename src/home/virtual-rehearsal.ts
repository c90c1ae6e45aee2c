/**
 * Virtual accessories in a dry run: they begin as they are now and then do what they would do, in memory only and on the dry run's
 * own clock. What a kind does is the driver's to know, which is why this is a port.
 */
import type { WallTimers } from '../kernel/wall-timers.ts';
import type { AccessoryAddress, CharacteristicValue, HapId, VirtualConfig } from './model.ts';
import type { TimerState, VirtualDriver } from './virtual-driver.ts';

export interface RehearsedVirtual {
  readonly address: AccessoryAddress;
  readonly config: VirtualConfig;
  readonly value: CharacteristicValue | null;
  /** Of a timer, with its times on the dry run's clock. */
  readonly timer: TimerState | undefined;
}

export interface VirtualRehearsalParts {
  readonly accessories: readonly RehearsedVirtual[];
  readonly timers: Pick<WallTimers, 'now' | 'set'>;
  /** It has a new value: because it was written or operated, or by itself. */
  readonly report: (address: AccessoryAddress, iid: HapId, value: CharacteristicValue, via: 'write' | 'device') => void;
}

export interface VirtualRehearsal extends Pick<VirtualDriver, 'write' | 'operate' | 'timerOf'> {
  /** It gets a value that is valid for it, whether people may set it or not. */
  set(address: AccessoryAddress, value: CharacteristicValue): void;
}

export type RehearseVirtuals = (parts: VirtualRehearsalParts) => VirtualRehearsal;
