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
