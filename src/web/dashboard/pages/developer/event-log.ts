/** The events on the live events page: the newest first, up to a maximum, and those that arrived during a pause. */
import type { LiveEvent } from '../../api/event-stream.ts';

const MAX_KEPT = 200;

export interface SeenEvent extends LiveEvent {
  /** A unique number, because some events have no id. */
  readonly number: number;
  /** Its data, on one line. */
  readonly text: string;
}

export interface EventLog {
  readonly shown: readonly SeenEvent[];
  readonly held: readonly SeenEvent[];
  readonly isPaused: boolean;
  readonly count: number;
}

export type EventLogAct =
  | { readonly do: 'take'; readonly event: LiveEvent }
  | { readonly do: 'pause' | 'resume' | 'clear' };

export const NO_EVENTS: EventLog = { shown: [], held: [], isPaused: false, count: 0 };

export function reduceEvents(log: EventLog, act: EventLogAct): EventLog {
  switch (act.do) {
    case 'take':
      return take(log, act.event);
    case 'pause':
      return { ...log, isPaused: true };
    case 'resume':
      return { ...log, isPaused: false, held: [], shown: newest([...log.held, ...log.shown]) };
    case 'clear':
      return { ...log, shown: [], held: [] };
  }
}

function take(log: EventLog, event: LiveEvent): EventLog {
  const count = log.count + 1;
  const seen = { ...event, number: count, text: JSON.stringify(event.data) };
  if (log.isPaused) return { ...log, count, held: newest([seen, ...log.held]) };
  return { ...log, count, shown: newest([seen, ...log.shown]) };
}

function newest(events: readonly SeenEvent[]): readonly SeenEvent[] {
  return events.slice(0, MAX_KEPT);
}

/** Events with the text in their type or data, ignoring case. */
export function matching(events: readonly SeenEvent[], filter: string): readonly SeenEvent[] {
  const wanted = filter.trim().toLowerCase();
  if (wanted === '') return events;
  return events.filter(({ type, text }) => `${type} ${text}`.toLowerCase().includes(wanted));
}
