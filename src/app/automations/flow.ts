/**
 * A flow: the record of the service's own automations (wire-facts §6.2), in its parsed form, as it is stored and
 * shown. Types only. Native automations are translated to the same triggers, conditions and actions (`native/`), so
 * that one engine runs both.
 *
 * Characteristics have snake_case names, with a number from the second service on (`power_state_2`). Their values are
 * the device's values, as in `state.changed`. Ids are UUIDs in lower case. Types with `Template` in their name may
 * contain `{{ }}`.
 */
import type { RunMode } from '../../contract/flows.ts';
import type { Json, JsonObject } from '../../kernel/json.ts';
import type { Action } from './actions/index.ts';
import type { ConditionBlock } from './conditions/index.ts';
import type { Trigger } from './triggers/index.ts';

/** The behaviour of a flow, without its name, its home and its enabled state. */
export interface FlowDefinition {
  readonly description: string | null;
  readonly mode: RunMode;
  /** The maximum of active or queued runs; 10 if omitted. */
  readonly maxRunning: number;
  readonly triggers: readonly Trigger[];
  readonly conditions: ConditionBlock;
  readonly actions: readonly Action[];
  readonly variables: Readonly<Record<string, Json>>;
  readonly blueprintId: string | null;
  /** Data of the editor: positions of nodes, edges, notes. The relay never reads it. */
  readonly uiState: JsonObject | null;
}

export interface Flow extends FlowDefinition {
  /** UUID, lower case. */
  readonly id: string;
  readonly homeId: string;
  /** Ends with a letter or a number; unique among the home's flows, ignoring case. */
  readonly name: string;
  readonly enabled: boolean;
  /** Increases with every save. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly lastTriggeredAt: number | null;
  /** How often its triggers fired, including refused runs. */
  readonly triggerCount: number;
}
