/**
 * A flow: the record of the service's own automations (wire-facts §6.2), in its parsed form, as it is stored and
 * shown. Types only. Native automations are translated to the same triggers, conditions and actions (`native/`), so
 * that one engine runs both.
 *
 * Characteristics have snake_case names, with a number from the second service on (`power_state_2`). Their values are
 * the device's values, as in `state.changed`. Ids are UUIDs in lower case. Types with `Template` in their name may
 * contain `{{ }}`.
 */
import type { Json, JsonObject } from '../../kernel/json.ts';
import type { ConditionBlock } from './conditions/index.ts';
import type { Template, TemplateDuration, TemplateNumber, TemplateValue } from './field-types.ts';
import type { Trigger } from './triggers/index.ts';

/**
 * `single`: refuses a second run while one is active. `restart`: the second run ends the first. `queued`, `parallel`:
 * up to `maxRunning`.
 */
export const RUN_MODES = ['single', 'restart', 'queued', 'parallel'] as const;
export type RunMode = (typeof RUN_MODES)[number];

/**
 * How a run continues after an action fails. `retry`: repeats it after a delay that doubles; after the last retry, the
 * run continues.
 */
export const ERROR_POLICIES = ['stop', 'continue', 'retry'] as const;
export type ErrorPolicy = (typeof ERROR_POLICIES)[number];

interface ActionBase {
  /** Unique in the flow, including nested actions: `nodes['<id>'].data` is its output. */
  readonly id: string;
  readonly alias?: string;
  readonly enabled: boolean;
  readonly onError: ErrorPolicy;
  /** 3 if omitted. */
  readonly maxRetries?: number;
  /** 1,000 if omitted; doubles up to 30,000. */
  readonly retryDelayMs?: number;
}

export type Action = ActionBase &
  (
    | {
        readonly type: 'set_characteristic';
        readonly accessoryId: string;
        readonly characteristicType: string;
        readonly value: TemplateValue;
      }
    | {
        readonly type: 'set_service_group';
        readonly groupId: string;
        readonly characteristicType: string;
        readonly value: TemplateValue;
      }
    | { readonly type: 'execute_scene'; readonly sceneId: string }
    /** At most 24 hours. */
    | { readonly type: 'delay'; readonly duration: TemplateDuration }
    | {
        readonly type: 'wait_for_trigger';
        readonly triggers: readonly Trigger[];
        readonly timeout?: TemplateDuration;
        readonly continueOnTimeout: boolean;
      }
    | {
        readonly type: 'wait_for_template';
        readonly expression: string;
        readonly timeout?: TemplateDuration;
        readonly continueOnTimeout: boolean;
      }
    | {
        readonly type: 'choose';
        readonly choices: readonly {
          readonly alias?: string;
          readonly conditions: ConditionBlock;
          readonly actions: readonly Action[];
        }[];
        readonly default?: readonly Action[];
      }
    | {
        readonly type: 'if_then_else';
        readonly condition: ConditionBlock;
        readonly then: readonly Action[];
        readonly else: readonly Action[];
      }
    | ({ readonly type: 'repeat'; readonly sequence: readonly Action[] } & (
        | { readonly mode: 'count'; readonly count: TemplateNumber }
        | { readonly mode: 'while'; readonly whileCondition: ConditionBlock }
        | { readonly mode: 'until'; readonly untilCondition: ConditionBlock }
        | { readonly mode: 'for_each'; readonly forEachItems: TemplateValue }
      ))
    | { readonly type: 'parallel'; readonly branches: readonly (readonly Action[])[] }
    | { readonly type: 'variables'; readonly variables: Readonly<Record<string, TemplateValue>> }
    | { readonly type: 'stop'; readonly reason?: Template; readonly error: boolean; readonly responseVariable?: string }
    | { readonly type: 'fire_event'; readonly eventType: string; readonly eventData?: TemplateValue }
    | {
        readonly type: 'fire_webhook';
        readonly url: Template;
        readonly method: HttpMethod;
        readonly headers?: Readonly<Record<string, Template>>;
        readonly body?: TemplateValue;
      }
    | {
        readonly type: 'toggle_automation';
        readonly automationId: string;
        readonly action: 'enable' | 'disable' | 'toggle' | 'trigger';
      }
    | {
        readonly type: 'call_script';
        /** Another flow of the home. */
        readonly scriptId: string;
        readonly variables?: Readonly<Record<string, TemplateValue>>;
        readonly responseVariable?: string;
      }
    | {
        readonly type: 'notify';
        readonly message: Template;
        readonly title?: Template;
        readonly icon?: string;
        readonly iconColor?: string;
        readonly data?: TemplateValue;
      }
    | {
        readonly type: 'merge';
        readonly mode: 'append' | 'combine' | 'wait_all';
        readonly combineKey?: string;
        /** Ids of other actions. */
        readonly inputIds: readonly string[];
      }
    | {
        readonly type: 'virtual';
        readonly accessoryId: string;
        readonly operation: string;
        readonly value?: TemplateValue;
        readonly duration?: TemplateDuration;
        readonly step?: TemplateNumber;
      }
    /**
     * Restores the values that `nodeId`, an `execute_scene` of the same automation, replaced, where the scene's values
     * are still set.
     */
    | { readonly type: 'restore_state'; readonly nodeId: string }
  );
export type ActionType = Action['type'];
export type ActionOf<T extends ActionType> = Extract<Action, { type: T }>;

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

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
