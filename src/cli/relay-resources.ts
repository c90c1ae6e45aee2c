/** Like `api-resources.ts`, for the relay itself: its status, log and settings. */

/** From GET `/rest/relay`; sizes are in bytes, times ISO 8601. */
export interface RelayStatusResource {
  readonly name: string;
  readonly version: string;
  readonly node: string;
  readonly platform: string;
  readonly startedAt: string;
  readonly uptimeMs: number;
  readonly addresses: readonly string[];
  readonly advertisedAs: string | null;
  readonly interfaces: readonly { readonly name: string }[];
  readonly dataDirectory: string;
  readonly memory: { readonly process: number; readonly total: number };
  readonly load: readonly number[];
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number } | null;
  readonly databases: readonly { readonly name: string; readonly bytes: number | null }[];
  readonly counts: {
    readonly homes: number;
    readonly accessories: number;
    readonly unreachableAccessories: number;
    readonly pairedDevices: number;
    readonly connectedDevices: number;
    readonly automations: number;
    readonly automationRunsUnderWay: number;
  };
  readonly warnings: readonly { readonly severity: string; readonly message: string; readonly remedy: string }[];
}

export interface LogLineResource {
  readonly seq: number;
  readonly at: string;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface RelaySettingResource {
  readonly name: string;
  readonly isList: boolean;
  readonly isSecret: boolean;
  readonly isLive: boolean;
  readonly value: string | number | boolean | readonly string[] | null;
  readonly isSet: boolean;
  readonly source: string;
  readonly setBy: string | null;
}
