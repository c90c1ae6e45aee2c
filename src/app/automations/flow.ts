/**
 * What a flow is: the record of the service's own automations (wire-facts §6.2), as it is kept and shown once parsed. Types only.
 * Native automations are translated to the same triggers, conditions and actions (`native/`), so that one engine runs both.
 *
 * Characteristics are named in snake_case, with a number from the second service that has one (`power_state_2`); their values are
 * what the device has, as in `state.changed`. Ids are UUIDs in lower case. What may hold `{{ }}` is marked: templates.
 */
import type { CharacteristicValue } from '../../home/model.ts';

/** All parts are optional, none negative but in offsets; together at most what the field says. */
export interface Duration {
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
}

/** `single`: a second run is refused while one runs. `restart`: it ends the first. `queued`, `parallel`: up to `maxRunning`. */
export const RUN_MODES = ['single', 'restart', 'queued', 'parallel'] as const;
export type RunMode = (typeof RUN_MODES)[number];

/** One accessory, or a service group as the one accessory that it is. */
export type Target =
  | { readonly accessoryId: string; readonly serviceGroupId?: undefined }
  | { readonly serviceGroupId: string; readonly accessoryId?: undefined };

interface TriggerBase {
  /** Unique among the triggers of its list. */
  readonly id: string;
  readonly enabled: boolean;
}

export type Trigger = TriggerBase &
  (
    | ({
        readonly type: 'state';
        readonly characteristicType: string;
        /** Any where left out. */
        readonly from?: CharacteristicValue;
        readonly to?: CharacteristicValue;
        /** Fires when it has been so for that long. */
        readonly for?: Duration;
      } & Target)
    /** Fires on entering the range: crossing `above`, `below`, or both. */
    | ({
        readonly type: 'numeric_state';
        readonly characteristicType: string;
        readonly above?: number;
        readonly below?: number;
        readonly for?: Duration;
      } & Target)
    /** `HH:MM` or `HH:MM:SS`. Weekdays 0 = Sunday … 6 = Saturday; every day where left out. */
    | { readonly type: 'time'; readonly at: string; readonly weekdays?: readonly number[] }
    /** Each part `/N`, `N` or `*`; what stands left of the first one given is any, right of it 0. */
    | { readonly type: 'time_pattern'; readonly hours?: string; readonly minutes?: string; readonly seconds?: string }
    | { readonly type: 'sun'; readonly event: 'sunrise' | 'sunset'; readonly offset?: Duration }
    | { readonly type: 'webhook'; readonly webhookId: string; readonly allowedMethods?: readonly WebhookMethod[] }
    /** `eventData`: what the event's data must hold at least. */
    | { readonly type: 'event'; readonly eventType: string; readonly eventData?: JsonObject }
    | { readonly type: 'system'; readonly event: SystemEvent }
    /** Fires when the expression becomes true. */
    | { readonly type: 'template'; readonly expression: string; readonly for?: Duration }
    | {
        readonly type: 'device_availability';
        readonly accessoryId: string;
        readonly to: 'unavailable' | 'available';
        /** Five minutes where left out. */
        readonly for?: Duration;
      }
    /** Somebody comes home or leaves. `personIds`: only these people count. */
    | { readonly type: 'presence'; readonly event: PresenceEvent; readonly personIds?: readonly string[] }
    /** Somebody enters or leaves a circle. Degrees and metres. */
    | {
        readonly type: 'location';
        readonly latitude: number;
        readonly longitude: number;
        readonly radius: number;
        readonly notifyOnEntry: boolean;
        readonly notifyOnExit: boolean;
        readonly personIds?: readonly string[];
      }
    /** Native: one moment, and further ones counted from it. */
    | {
        readonly type: 'timer';
        readonly fireDate: string;
        readonly recurrence?: DateComponents;
        readonly timeZone?: string;
      }
    /** Native: every moment that has these components. */
    | { readonly type: 'calendar'; readonly components: DateComponents }
    /** Native: so long after whatever began to wait for it. */
    | { readonly type: 'duration'; readonly seconds: number }
  );
export type TriggerType = Trigger['type'];
export type TriggerOf<T extends TriggerType> = Extract<Trigger, { type: T }>;

export const WEBHOOK_METHODS = ['GET', 'POST', 'PUT'] as const;
export type WebhookMethod = (typeof WEBHOOK_METHODS)[number];
export const SYSTEM_EVENTS = ['relay_connected', 'relay_disconnected', 'automation_reloaded'] as const;
export type SystemEvent = (typeof SYSTEM_EVENTS)[number];
/** Of anybody, or of the first to come and the last to go (wire-facts §6.1). */
export const PRESENCE_EVENTS = ['atHome', 'notAtHome', 'firstArrival', 'lastDeparture'] as const;
export type PresenceEvent = (typeof PRESENCE_EVENTS)[number];

/** Parts of a date in the Gregorian calendar. `weekday`: 1 = Sunday … 7 = Saturday, as the home platform counts. */
export interface DateComponents {
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
  readonly weekday?: number;
  readonly hour?: number;
  readonly minute?: number;
  readonly second?: number;
}

/** An empty block passes. `not` passes when none of its children does. */
export interface ConditionBlock {
  readonly operator: 'and' | 'or' | 'not';
  readonly conditions: readonly (Condition | ConditionBlock)[];
}

export const COMPARISONS = ['eq', 'neq', 'above', 'below', 'at_least', 'at_most'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export type Condition =
  | ({
      readonly type: 'state';
      readonly characteristicType: string;
      readonly value: CharacteristicValue;
      /** `eq` where left out. */
      readonly operator?: Comparison;
    } & Target)
  | ({
      readonly type: 'numeric_state';
      readonly characteristicType: string;
      readonly above?: number;
      readonly below?: number;
    } & Target)
  /** From `after` until before `before`; across midnight where `before` is the earlier one. */
  | { readonly type: 'time'; readonly after?: string; readonly before?: string; readonly weekdays?: readonly number[] }
  | {
      readonly type: 'sun';
      readonly after?: 'sunrise' | 'sunset';
      readonly afterOffset?: Duration;
      readonly before?: 'sunrise' | 'sunset';
      readonly beforeOffset?: Duration;
    }
  | { readonly type: 'template'; readonly expression: string }
  | { readonly type: 'trigger'; readonly triggerId: string }
  | {
      readonly type: 'presence';
      readonly event: 'atHome' | 'notAtHome';
      readonly who: 'anyone' | 'everyone' | readonly string[];
    };
export type ConditionType = Condition['type'];
export type ConditionOf<T extends ConditionType> = Extract<Condition, { type: T }>;

/** What becomes of a run whose action fails. `retry`: again after a pause that doubles; when that is used up, the run goes on. */
export const ERROR_POLICIES = ['stop', 'continue', 'retry'] as const;
export type ErrorPolicy = (typeof ERROR_POLICIES)[number];

interface ActionBase {
  /** Unique in the flow, nested actions included: `nodes['<id>'].data` is its output. */
  readonly id: string;
  readonly alias?: string;
  readonly enabled: boolean;
  readonly onError: ErrorPolicy;
  /** 3 where left out. */
  readonly maxRetries?: number;
  /** 1,000 where left out; doubles up to 30,000. */
  readonly retryDelayMs?: number;
}

/** Text in which `{{ expression }}` stands for its value. Text that is one expression and nothing else keeps the value's type. */
export type Template = string;
/** A JSON value in which any text may be a template. */
export type TemplateValue = Json;
/** What is a number of something, or the expression that says how many. */
export type TemplateNumber = number | Template;
export type TemplateDuration =
  | { readonly hours?: TemplateNumber; readonly minutes?: TemplateNumber; readonly seconds?: TemplateNumber }
  | Template;

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
    /** Puts back what `nodeId`, an `execute_scene` of the same automation, found when it ran, where it is still as that left it. */
    | { readonly type: 'restore_state'; readonly nodeId: string }
  );
export type ActionType = Action['type'];
export type ActionOf<T extends ActionType> = Extract<Action, { type: T }>;

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** What a flow does, without what it is called, where it is and whether it is on. */
export interface FlowDefinition {
  readonly description: string | null;
  readonly mode: RunMode;
  /** How many runs may be under way, or waiting in a queue; 10 where nobody said. */
  readonly maxRunning: number;
  readonly triggers: readonly Trigger[];
  readonly conditions: ConditionBlock;
  readonly actions: readonly Action[];
  readonly variables: Readonly<Record<string, Json>>;
  readonly blueprintId: string | null;
  /** What an editor keeps for itself: positions of nodes, edges, notes. Never read here. */
  readonly uiState: JsonObject | null;
}

export interface Flow extends FlowDefinition {
  /** UUID, lower case. */
  readonly id: string;
  readonly homeId: string;
  /** Ends with a letter or a number; unique among the home's flows, ignoring case. */
  readonly name: string;
  readonly enabled: boolean;
  /** Rises with every save. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly lastTriggeredAt: number | null;
  /** How often its triggers fired, runs that were refused included. */
  readonly triggerCount: number;
}

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}
