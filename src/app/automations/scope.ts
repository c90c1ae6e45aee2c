/** What a run knows: why it began, and the names that its expressions can use. */
import type { Json, JsonObject } from '../../kernel/json.ts';

/** The trigger data, which expressions read under `trigger` (wire-facts §6.4). */
export interface TriggerData {
  /** The trigger's id; `null` for a requested run. */
  readonly id: string | null;
  readonly type: string;
  /** When it fired, in seconds since 1970. */
  readonly timestamp: number;
  readonly from_value?: Json;
  readonly to_value?: Json;
  readonly accessory_id?: string;
  readonly service_group_id?: string;
  readonly characteristic_type?: string;
  readonly event_type?: string;
  readonly event_data?: Json;
  readonly webhook_payload?: Json;
  readonly person_id?: string;
}

/** The automations that led here, oldest first; empty if a person, a device or the clock did. */
export interface Cause {
  readonly chain: readonly { readonly automationId: string; readonly name: string }[];
}
export const NO_CAUSE: Cause = { chain: [] };

/** The names that expressions can use. */
export interface ExpressionScope {
  readonly trigger: TriggerData | null;
  readonly variables: Readonly<Record<string, Json>>;
  /** Outputs of the actions so far, by their ids. */
  readonly nodes: Readonly<Record<string, { readonly data: JsonObject }>>;
  readonly repeat: RepeatScope | null;
  readonly wait: { readonly completed: boolean; readonly trigger: TriggerData | null } | null;
}

export interface RepeatScope {
  /** From 1. */
  readonly index: number;
  readonly first: boolean;
  /** Known in advance for `count` and `for_each` only. */
  readonly last: boolean | null;
  readonly item: Json;
}
