/** The REST API responses, as far as the command line uses them. All other fields pass through `--json`. */

/** The used fields of a flow (wire-facts §6.2); times are ISO 8601. */
export interface FlowResource {
  readonly id: string;
  readonly name: string;
  readonly homeId: string;
  readonly enabled: boolean;
  readonly metadata: { readonly lastTriggeredAt?: string };
  readonly webhookUrls: readonly string[];
}

/** A native automation (API §2.4). */
export interface NativeAutomationResource {
  readonly id: string;
  readonly name: string;
  readonly homeId: string;
  readonly isEnabled: boolean;
  readonly lastFireDate: string | null;
}

export interface FlowVersionResource {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly savedAt: string;
}

/** Response of POST `/rest/flows/:id/run`. */
export interface RunResource {
  readonly success: boolean;
  readonly runId: string;
  readonly blockedReason?: string;
}

/** The readable outline of an automation, from GET `/rest/flows/:id/outline`. */
export interface OutlineResource {
  readonly name: string;
  readonly kind: string;
  readonly enabled: boolean;
  readonly triggers: readonly { readonly summary: string; readonly enabled: boolean }[];
  readonly conditions: string | null;
  readonly actions: readonly {
    readonly depth: number;
    readonly branch: string | null;
    readonly summary: string;
    readonly enabled: boolean;
  }[];
}

/** One run of an automation (wire-facts §6.5). */
export interface TraceResource {
  readonly id: string;
  readonly automationName: string;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly status: string;
  readonly triggerData: { readonly type: string };
  readonly steps: readonly TraceStepResource[];
  readonly error: string | null;
  readonly blockedReason: string | null;
}

export interface TraceStepResource {
  readonly nodeId: string | null;
  readonly nodeSummary: string;
  readonly result: string;
  readonly durationMs: number | null;
  readonly error: string | null;
  readonly parentNodeId: string | null;
  readonly branch: string | null;
  readonly iteration: number | null;
  readonly attempt: number;
}

/**
 * Response of GET `/rest/state`: home key → room key → accessory key → properties, with `_…` keys in between (API
 * §2.2).
 */
export type StateTree = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;

const NO_PROPERTIES = ['type', 'name', 'group', 'accessories'];

/**
 * Whether a key of an accessory's entry in the state tree is a property, to show and set: the other keys describe the
 * entry.
 */
export function isProperty(key: string): boolean {
  return !key.startsWith('_') && !NO_PROPERTIES.includes(key);
}
