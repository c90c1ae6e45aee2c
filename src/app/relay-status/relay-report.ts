import type { RelayFacts } from './relay-deps.ts';

/** The status of the relay at one moment. */
export interface RelayReport extends RelayFacts {
  readonly node: string;
  /** `linux arm64` */
  readonly platform: string;
  readonly pid: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** IANA name of the computer's time zone. Homes have time zones of their own. */
  readonly timeZone: string;
  /** In bytes: the process, and the computer. */
  readonly memory: { readonly process: number; readonly free: number; readonly total: number };
  /** Load average over 1, 5 and 15 minutes; zeros if the system does not provide it. */
  readonly load: readonly number[];
  readonly processors: number;
  /** Of the data directory; `null` if the system does not provide it. */
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number } | null;
  /** `bytes` is `null` if a database cannot be opened. */
  readonly databases: readonly { readonly name: 'relay' | 'history'; readonly bytes: number | null }[];
  /** Names of damaged files that were set aside in the data directory. */
  readonly setAside: readonly string[];
  readonly counts: {
    readonly homes: number;
    readonly accessories: number;
    readonly unreachableAccessories: number;
    readonly pairedDevices: number;
    readonly connectedDevices: number;
    readonly offlineDevices: number;
    readonly pairingsLost: number;
    /** Accessory servers currently discovered by multicast, paired here or not. */
    readonly seenByMulticast: number;
    readonly automations: number;
    readonly automationRunsUnderWay: number;
    readonly webhookDeliveriesWaiting: number;
  };
}
