/** The messages between the relay and the process of a Matter bridge, sent as structured clones. */
import type {
  MatterClusters,
  MatterEndpoint,
  MatterFabric,
  MatterIdentity,
  MatterPress,
  MatterStorageChange,
  MatterStoredValue,
  MatterWrite,
  MatterWriteResult,
} from '../../home/matter-port.ts';

/** What the bridge obeys, one after the other. */
export type MatterOrder =
  /** The first message: all that the bridge needs to go online. */
  | {
      readonly type: 'open';
      readonly identity: MatterIdentity;
      /** In the order in which to try them; 0 for any. */
      readonly ports: readonly number[];
      readonly networkInterface: string | null;
      readonly version: string;
      readonly stored: readonly MatterStoredValue[];
      readonly configurationVersion: number;
      readonly endpoints: readonly MatterEndpoint[];
    }
  /** Endpoints that are new or different, and those that are gone. */
  | {
      readonly type: 'endpoints';
      readonly put: readonly MatterEndpoint[];
      readonly remove: readonly string[];
      readonly configurationVersion: number;
    }
  | { readonly type: 'values'; readonly values: readonly { readonly key: string; readonly clusters: MatterClusters }[] }
  | { readonly type: 'pressed'; readonly key: string; readonly press: MatterPress }
  /** An interface came up: sent twice, as its addresses may not be usable at once. */
  | { readonly type: 'network_changed' }
  | { readonly type: 'stop' };

export type ToChild =
  | MatterOrder
  /** Answered at once: it shows that the process is not stuck. */
  | { readonly type: 'ping' }
  | { readonly type: 'ask'; readonly id: number; readonly request: MatterRequest };

/** The answers to `store` and `write`. */
export type ToChildAnswer =
  | { readonly type: 'stored'; readonly id: number; readonly error: string | null }
  | { readonly type: 'written'; readonly id: number; readonly result: MatterWriteResult };

/** What the child answers with `answer`. */
export type MatterRequest =
  | { readonly type: 'open_window'; readonly durationS: number }
  | { readonly type: 'close_window' }
  | { readonly type: 'remove_fabric'; readonly index: number };

export interface CommissioningStatus {
  readonly windowEndsAt: number | null;
  readonly fabrics: readonly MatterFabric[];
}

export type FromChild =
  /** The bridge is online. */
  | ({
      readonly type: 'online';
      readonly port: number;
      readonly manualCode: string;
      readonly qrCode: string;
    } & CommissioningStatus)
  | ({ readonly type: 'status' } & CommissioningStatus)
  | { readonly type: 'store'; readonly id: number; readonly changes: readonly MatterStorageChange[] }
  | { readonly type: 'write'; readonly id: number; readonly write: MatterWrite }
  | { readonly type: 'stop_motion'; readonly key: string }
  | { readonly type: 'identify'; readonly key: string }
  | { readonly type: 'answer'; readonly id: number; readonly error: string | null }
  /** An endpoint, or values of one, that the library refuses; the others go on. `isMissing`: there is no endpoint. */
  | { readonly type: 'refused'; readonly key: string; readonly error: string; readonly isMissing: boolean }
  | { readonly type: 'pong'; readonly residentBytes: number }
  | { readonly type: 'log'; readonly level: 'warn' | 'error'; readonly message: string }
  /** The process ends after this. */
  | { readonly type: 'failed'; readonly error: string };
