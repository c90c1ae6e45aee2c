import type { RelayFacts } from './relay-ground.ts';

/** How the relay does, all of it looked up at one moment. */
export interface RelayReport extends RelayFacts {
  readonly node: string;
  /** `linux arm64` */
  readonly platform: string;
  readonly pid: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** IANA name of the computer's zone. Homes have zones of their own. */
  readonly timeZone: string;
  /** In bytes: of the process, and of the computer. */
  readonly memory: { readonly process: number; readonly free: number; readonly total: number };
  /** Mean of processes that want to run, over 1, 5 and 15 minutes; zeros where the system does not say. */
  readonly load: readonly number[];
  readonly processors: number;
  /** Of the data directory; `null` where the system does not say. */
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number } | null;
  /** `bytes` is `null` where one can't be opened. */
  readonly databases: readonly { readonly name: 'relay' | 'history'; readonly bytes: number | null }[];
  /** Names of files that were damaged, in the data directory. */
  readonly setAside: readonly string[];
  readonly counts: {
    readonly homes: number;
    readonly accessories: number;
    readonly unreachableAccessories: number;
    readonly pairedDevices: number;
    readonly connectedDevices: number;
    readonly offlineDevices: number;
    readonly pairingsLost: number;
    /** Accessory servers that announce themselves now, ours or not. */
    readonly seenByMulticast: number;
    readonly automations: number;
    readonly automationRunsUnderWay: number;
    readonly webhookDeliveriesWaiting: number;
  };
}
