/**
 * Publishes home events: converts events of the bus to the terms of the API (decisions §9), with names and places. It
 * builds each report once for all consumers: webhooks, live streams, subscriptions. It does not publish every event,
 * and it does not check permissions: `homeId` and `accessoryId` identify the subject for that.
 */
import { CHARACTERISTIC, characteristicName } from '../hap-spec/characteristics.ts';
import { EventBus } from '../kernel/event-bus.ts';
import type { Logger } from '../kernel/logger.ts';
import type { HomeEvents } from './events.ts';
import type { HomeDeps } from './home-deps.ts';
import type { HomeState } from './home-state.ts';
import type { CharacteristicValue } from './model.ts';
import { presentValue } from './vocabulary/values.ts';
/** Every published event type with its description. */
export const REPORTED_EVENTS = {
  'state.changed': 'A characteristic has a new value, confirmed by its device, or a button was pressed',
  'accessory.reachability_changed': 'An accessory answers again, or does not any more',
  'accessory.added': 'An accessory is new in a home',
  'accessory.removed': 'An accessory is gone from a home',
  'scene.executed': 'A scene was executed',
  'automation.fired': 'An automation began to run',
  'automation.failed': 'A run of an automation ended with an error, or was stopped',
  'relay.started': 'The relay has started',
} as const;
export type ReportedEvent = keyof typeof REPORTED_EVENTS;

/** The data of an event: JSON, in the field names of the webhooks' `data` (wire-facts §5). */
export type ReportData = Readonly<Record<string, CharacteristicValue>>;

export interface EventReport {
  readonly type: ReportedEvent;
  /** The time of the event, in milliseconds. */
  readonly at: number;
  /** The home of the event; `null` for an event of the whole relay. */
  readonly homeId: string | null;
  readonly roomId: string | null;
  /** The accessory of the event, if it concerns exactly one. */
  readonly accessoryId: string | null;
  readonly data: ReportData;
  /** The value is a device's answer to a command. */
  readonly isConfirmation?: boolean;
}

export interface EventReportsDeps extends HomeDeps<'state' | 'bus'> {
  readonly logger?: Logger | undefined;
}

export class EventReports {
  readonly #state: HomeState;
  readonly #reports: EventBus<{ reported: EventReport }>;

  constructor({ bus, state, logger }: EventReportsDeps) {
    this.#state = state;
    this.#reports = new EventBus(logger);
    bus.on('state.changed', (event) => this.#notify(() => this.#stateChanged(event)));
    bus.on('button.pressed', (event) => this.#notify(() => this.#buttonPressed(event)));
    bus.on('accessory.reachability_changed', ({ accessoryId, at, reachable }) =>
      this.#notify(() =>
        this.#ofAccessory('accessory.reachability_changed', accessoryId, at, { isReachable: reachable }),
      ),
    );
    bus.on('accessory.added', ({ accessoryId, at }) =>
      this.#notify(() => this.#ofAccessory('accessory.added', accessoryId, at, {})),
    );
    bus.on('accessory.removed', ({ homeId, accessoryId, name, roomId, at }) =>
      this.#notify(() => ({
        ...{ type: 'accessory.removed', at, homeId, roomId, accessoryId },
        data: { accessoryId, accessoryName: name, homeId, roomId },
      })),
    );
    bus.on('scene.executed', ({ homeId, sceneId, name, success, at }) =>
      this.#notify(() => ({
        ...{ type: 'scene.executed', at, homeId, roomId: null, accessoryId: null },
        data: { sceneId, sceneName: name, success, homeId },
      })),
    );
    for (const type of ['automation.fired', 'automation.failed'] as const) {
      bus.on(type, (event) => this.#notify(() => ofAutomation(type, event)));
    }
    bus.on('relay.started', ({ version, at }) =>
      this.#notify(() => ({
        ...{ type: 'relay.started', at, homeId: null, roomId: null, accessoryId: null },
        data: { version },
      })),
    );
  }

  /**
   * Calls the listener once per event, in the order of the bus. An error in one listener does not affect the others.
   * @returns the function that ends this subscription.
   */
  on(listener: (report: EventReport) => void): () => void {
    return this.#reports.on('reported', listener);
  }

  /** Builds no report while there are no listeners. */
  #notify(make: () => EventReport | undefined): void {
    if (!this.#reports.hasListener('reported')) return;
    const report = make();
    if (report) this.#reports.emit('reported', report);
  }

  #stateChanged(event: HomeEvents['state.changed']): EventReport | undefined {
    const { accessoryId, serviceIid, iid, type, value, at, origin } = event;
    const characteristic = this.#state.characteristic({ accessoryId, iid });
    if (!characteristic) return undefined;
    const report = this.#ofAccessory('state.changed', accessoryId, at, {
      serviceId: `${accessoryId}.${serviceIid}`,
      characteristicType: characteristicName(type),
      value: presentValue(characteristic.value === value ? characteristic : { ...characteristic, value }),
    });
    return report && origin === 'write' ? { ...report, isConfirmation: true } : report;
  }

  #buttonPressed({ accessoryId, serviceIid, value, at }: HomeEvents['button.pressed']): EventReport | undefined {
    return this.#ofAccessory('state.changed', accessoryId, at, {
      serviceId: `${accessoryId}.${serviceIid}`,
      characteristicType: characteristicName(CHARACTERISTIC.programmableSwitchEvent),
      value,
    });
  }

  #ofAccessory(type: ReportedEvent, accessoryId: string, at: number, more: ReportData): EventReport | undefined {
    const accessory = this.#state.accessory(accessoryId);
    if (!accessory) return undefined;
    const { homeId, roomId, name } = accessory;
    return {
      type,
      at,
      homeId,
      roomId,
      accessoryId,
      data: { accessoryId, accessoryName: name, ...more, homeId, roomId },
    };
  }
}

function ofAutomation(type: 'automation.fired' | 'automation.failed', event: HomeEvents[typeof type]): EventReport {
  const { homeId, automationId, name, kind, runId, at } = event;
  const error = 'error' in event && typeof event.error === 'string' ? { error: event.error } : {};
  return {
    ...{ type, at, homeId, roomId: null, accessoryId: null },
    data: { automationId, automationName: name, kind, runId, ...error, homeId },
  };
}
