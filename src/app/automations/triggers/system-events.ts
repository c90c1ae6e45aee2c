import type { HomeDeps } from '../../../home/home-deps.ts';
import type { Accessory, CharacteristicValue } from '../../../home/model.ts';
import type { TimerState } from '../../../home/virtual-driver.ts';
import type { AutomationEvents } from '../automation-events.ts';
import type { Causes } from '../causes.ts';
import { NO_CAUSE } from '../scope.ts';
import { NOTIFICATION_ACTION } from './notification-action.ts';
import { systemEvent } from './system.ts';

/** The value of a running timer. */
const RUNNING = 'active';
const PAUSED = 'paused';

export interface SystemEventsDeps extends HomeDeps<'state' | 'bus'> {
  readonly events: AutomationEvents;
  readonly causes: Causes;
  /** The timer of a virtual accessory; `undefined` for other accessories. */
  readonly timerOf: (accessoryId: string) => TimerState | undefined;
}

/**
 * Publishes system events to automations: `system.relay_connected`, `system.relay_disconnected`, and for virtual
 * timers `timer.started`, `timer.finished`, `timer.paused`, `timer.resumed` and `timer.cancelled` with `{accessoryId,
 * name}`; and `notification_action` for each button of a notification that is pressed. A home that is connected when
 * this starts counts as newly connected: the daemon has started. Call this after the listeners have subscribed.
 * @returns the function that stops it
 */
export function startSystemEvents(deps: SystemEventsDeps): () => void {
  const stopConnections = reportConnections(deps);
  const stopTimers = publishTimers(deps);
  const stopButtons = publishButtons(deps);
  return () => {
    stopConnections();
    stopButtons();
    stopTimers();
  };
}

/** Pausing a home disconnects it too: that changes its record, not its driver. */
function reportConnections({ bus, state, events }: SystemEventsDeps): () => void {
  const connected = new Set<string>();
  const look = ({ homeId }: { readonly homeId: string }): void => {
    const isConnected = state.isConnected(homeId);
    if (isConnected === connected.has(homeId)) return;
    if (isConnected) connected.add(homeId);
    else connected.delete(homeId);
    const eventType = systemEvent(isConnected ? 'relay_connected' : 'relay_disconnected');
    events.emit({ homeId, eventType, eventData: {}, cause: NO_CAUSE });
  };
  const stops = [bus.on('home.connection_changed', look), bus.on('layout.changed', look)];
  for (const { id } of state.homes()) look({ homeId: id });
  return () => {
    for (const stop of stops) stop();
  };
}

function publishTimers({ bus, state, events, causes, timerOf }: SystemEventsDeps): () => void {
  /** When each timer last finished, as of its last event: a run that ends with another time was not cancelled. */
  const finished = new Map<string, number | null>();
  const learn = ({ id, virtual }: Accessory): void => {
    const timer = virtual?.virtualType === 'timer' ? timerOf(id) : undefined;
    if (timer) finished.set(id, timer.finishedAt);
  };
  const learnById = ({ accessoryId }: { readonly accessoryId: string }): void => {
    const accessory = state.accessory(accessoryId);
    if (accessory) learn(accessory);
  };
  for (const accessory of state.accessories()) learn(accessory);
  const stops = [
    bus.on('state.changed', (event) => {
      const { homeId, accessoryId, previous, value, origin } = event;
      const accessory = state.accessory(accessoryId);
      if (accessory?.virtual?.virtualType !== 'timer') return;
      const before = finished.get(accessoryId);
      learn(accessory);
      // By itself a timer ends only because it has finished.
      const isThrough = origin === 'device' || (before !== undefined && finished.get(accessoryId) !== before);
      const word = timerWord(previous, value, isThrough);
      if (word === undefined) return;
      const eventData = { accessoryId, name: accessory.name };
      events.emit({
        homeId,
        eventType: `timer.${word}`,
        eventData,
        cause: causes.of(event, state.characteristic(event)),
      });
    }),
    // When the daemon starts they exist before they have been read from the disk.
    bus.on('accessory.reachability_settled', learnById),
    bus.on('accessory.reachability_changed', learnById),
    bus.on('accessory.removed', ({ accessoryId }) => finished.delete(accessoryId)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** The cause is the person who pressed, so a loop of automations ends here. */
function publishButtons({ bus, events }: SystemEventsDeps): () => void {
  return bus.on('notification.button_pressed', ({ homeId, userId: _, at: __, byKind, byId, byName, ...fields }) => {
    const eventData = { ...fields, by: { kind: byKind, id: byId, name: byName } };
    events.emit({ homeId, eventType: NOTIFICATION_ACTION, eventData, cause: NO_CAUSE });
  });
}

function timerWord(from: CharacteristicValue, to: CharacteristicValue, isThrough: boolean): string | undefined {
  if (to === RUNNING) return from === PAUSED ? 'resumed' : 'started';
  if (to === PAUSED) return 'paused';
  return from === RUNNING || from === PAUSED ? (isThrough ? 'finished' : 'cancelled') : undefined;
}
