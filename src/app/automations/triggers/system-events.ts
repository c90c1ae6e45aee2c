import type { HomeEvents } from '../../../home/events.ts';
import type { HomeState } from '../../../home/home-state.ts';
import type { Accessory, CharacteristicValue } from '../../../home/model.ts';
import type { TimerState } from '../../../home/virtual-driver.ts';
import type { EventBus } from '../../../kernel/event-bus.ts';
import type { AutomationEvents } from '../automation-events.ts';
import type { Causes } from '../engine/causes.ts';
import { NO_CAUSE } from '../program.ts';
import { systemEvent } from './system.ts';

/** What a timer's value says it does. */
const RUNNING = 'active';
const PAUSED = 'paused';

export interface SystemEventsParts {
  readonly bus: EventBus<HomeEvents>;
  readonly state: HomeState;
  readonly events: AutomationEvents;
  readonly causes: Causes;
  /** The timer that a virtual accessory is; `undefined` for everything else. */
  readonly timerOf: (accessoryId: string) => TimerState | undefined;
}

/**
 * Tells automations what the house does: `system.relay_connected`, `system.relay_disconnected`, and of virtual timers `timer.started`,
 * `timer.finished`, `timer.paused`, `timer.resumed` and `timer.cancelled` with `{accessoryId, name}`. A home that is connected when
 * this begins has just become so: the daemon has started. To be called when those who are to hear it listen.
 * @returns the function that ends it
 */
export function startSystemEvents(parts: SystemEventsParts): () => void {
  const stopConnections = tellConnections(parts);
  const stopTimers = tellTimers(parts);
  return () => {
    stopConnections();
    stopTimers();
  };
}

/** Pausing a home cuts it off, too: that is a change of its record, not of its driver. */
function tellConnections({ bus, state, events }: SystemEventsParts): () => void {
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

function tellTimers({ bus, state, events, causes, timerOf }: SystemEventsParts): () => void {
  /** When each was through last, as of what it did last: a run that ends with another time was not cancelled. */
  const finished = new Map<string, number | null>();
  const learn = ({ id, virtual }: Accessory): void => {
    const timer = virtual?.virtualType === 'timer' ? timerOf(id) : undefined;
    if (timer) finished.set(id, timer.finishedAt);
  };
  for (const accessory of state.accessories()) learn(accessory);
  const stops = [
    bus.on('state.changed', (event) => {
      const { homeId, accessoryId, previous, value, origin } = event;
      const accessory = state.accessory(accessoryId);
      if (accessory?.virtual?.virtualType !== 'timer') return;
      const before = finished.get(accessoryId);
      learn(accessory);
      // By itself a timer only ever ends because it is through.
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
    // When the daemon starts they are there before they have been read from the disk.
    bus.on('accessory.reachability_changed', ({ accessoryId }) => {
      const accessory = state.accessory(accessoryId);
      if (accessory) learn(accessory);
    }),
    bus.on('accessory.removed', ({ accessoryId }) => finished.delete(accessoryId)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function timerWord(from: CharacteristicValue, to: CharacteristicValue, isThrough: boolean): string | undefined {
  if (to === RUNNING) return from === PAUSED ? 'resumed' : 'started';
  if (to === PAUSED) return 'paused';
  return from === RUNNING || from === PAUSED ? (isThrough ? 'finished' : 'cancelled') : undefined;
}
