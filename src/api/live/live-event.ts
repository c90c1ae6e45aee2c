/**
 * The events of all live streams: the reports of the home, and events for live clients alone. Each API presents them in
 * its own format (`characteristic_update`, `event: state.changed`).
 */
import { type EventReport, REPORTED_EVENTS, type ReportedEvent } from '../../home/event-reports.ts';
import type { HomeEvents } from '../../home/events.ts';
import type { CharacteristicValue } from '../../home/model.ts';
import { isoTime } from '../../kernel/iso-time.ts';

/** Sent to live clients only. */
const LIVE_ONLY_EVENTS = {
  'layout.changed': 'Names, rooms, homes, zones, groups, scenes or an accessory’s services changed: read them again',
  'home.connection_changed': 'The driver of a home became available, or is not any more',
  'notification.sent': 'A notification is sent',
  'notification.button_pressed': 'A button of a notification was pressed',
  'notifications.read': 'The caller read notifications, also in another browser',
  'presence.changed': 'A person came home or left',
  'settings.changed': 'What the caller’s account keeps for its clients changed',
  'pairings.changed': 'The connection of a paired device, or what is known of it, changed; once a second at most',
  'discovery.changed': 'What was seen on the network changed; once a second at most',
  'activity.added': 'The activity log of a home has new entries; once a second at most',
  'automations.changed': 'Automations were made, changed, switched or deleted',
  'members.changed': 'Who belongs to a home, or what they may do there, changed',
  'webhooks.changed': 'The caller’s webhooks were made, changed or deleted, or one was disabled or resumed',
  'brokers.changed': 'The MQTT brokers of a home, or how their connections fare, changed',
  'publications.changed': 'What a home publishes, how it fares, or its controllers changed',
  'relay.settings_changed': 'Settings of the daemon were changed',
  'relay.logged': 'The log has new lines; once a second at most, and sent only to clients that ask for it by type',
} as const satisfies Partial<Record<keyof HomeEvents, string>>;
/** Sent only to clients that request them by type: other clients have no use for them. */
const ASKED_FOR: ReadonlySet<LiveEventType> = new Set(['relay.logged']);

type LiveOnlyEvent = keyof typeof LIVE_ONLY_EVENTS;

/** Every event type of the streams, with its meaning for people. */
export const LIVE_EVENTS: Readonly<Record<LiveEventType, string>> = { ...REPORTED_EVENTS, ...LIVE_ONLY_EVENTS };
export type LiveEventType = ReportedEvent | LiveOnlyEvent;

export type LiveData = Readonly<Record<string, CharacteristicValue>>;

/** An event before it has a sequence number. */
export interface LiveReport extends Omit<EventReport, 'type' | 'data'> {
  readonly type: LiveEventType;
  readonly data: LiveData;
  /** The only user who may see it; `null`: every user who may see where it happened. */
  readonly userId: string | null;
}

/** @param types the requested types; all if left out. */
export function isWanted(type: LiveEventType, types: ReadonlySet<string> | undefined): boolean {
  return types ? types.has(type) : !ASKED_FOR.has(type);
}

export class LiveEvent implements LiveReport {
  /** One more than the previous event's, whether or not a client may see that one. */
  readonly seq: number;
  /** For clients to resume from: `<epoch>-<seq>`. */
  readonly id: string;
  readonly type: LiveEventType;
  readonly at: number;
  readonly homeId: string | null;
  readonly roomId: string | null;
  readonly accessoryId: string | null;
  readonly userId: string | null;
  readonly data: LiveData;
  #json: string | undefined;

  constructor(seq: number, id: string, report: LiveReport) {
    this.seq = seq;
    this.id = id;
    this.type = report.type;
    this.at = report.at;
    this.homeId = report.homeId;
    this.roomId = report.roomId;
    this.accessoryId = report.accessoryId;
    this.userId = report.userId;
    this.data = report.data;
  }

  /** `{type, timestamp, data}` in the webhooks' format (wire-facts §5), created once for all readers. */
  get json(): string {
    this.#json ??= JSON.stringify({ type: this.type, timestamp: isoTime(this.at), data: this.data });
    return this.#json;
  }
}

/** Reports of events for live clients only. @param now the time of events without one of their own. */
export const LIVE_ONLY_REPORTS: { readonly [K in LiveOnlyEvent]: (event: HomeEvents[K], now: number) => LiveReport } = {
  'layout.changed': ({ homeId }, now) => ofHome('layout.changed', homeId, now, {}),
  'home.connection_changed': ({ homeId, connected }, now) =>
    ofHome('home.connection_changed', homeId, now, { connected }),
  'notification.sent': ({ homeId, userId, at, ...fields }) => ({
    ...ofHome('notification.sent', homeId, at, fields),
    userId,
  }),
  'notification.button_pressed': ({ homeId, userId, at, ...fields }) => ({
    ...ofHome('notification.button_pressed', homeId, at, fields),
    userId,
  }),
  'notifications.read': ({ userId }, now) => ofUser('notifications.read', userId, now),
  'presence.changed': ({ homeId, at, ...fields }) => ofHome('presence.changed', homeId, at, fields),
  'settings.changed': ({ userId }, now) => ofUser('settings.changed', userId, now),
  'pairings.changed': ({ homeId }, now) => ofHome('pairings.changed', homeId, now, {}),
  'discovery.changed': (_, now) => ofRelay('discovery.changed', now, {}),
  'activity.added': ({ homeId }, now) => ofHome('activity.added', homeId, now, {}),
  'automations.changed': ({ homeId }, now) => ofHome('automations.changed', homeId, now, {}),
  'members.changed': ({ homeId }, now) => ofHome('members.changed', homeId, now, {}),
  'webhooks.changed': ({ userId }, now) => ofUser('webhooks.changed', userId, now),
  'brokers.changed': ({ homeId }, now) => ofHome('brokers.changed', homeId, now, {}),
  'publications.changed': ({ homeId }, now) => ofHome('publications.changed', homeId, now, {}),
  'relay.settings_changed': (_, now) => ofRelay('relay.settings_changed', now, {}),
  'relay.logged': ({ lastSeq }, now) => ofRelay('relay.logged', now, { lastSeq }),
};

function ofUser(type: LiveOnlyEvent, userId: string, at: number): LiveReport {
  return { ...ofRelay(type, at, {}), userId };
}

/** For admins of any home. */
function ofRelay(type: LiveOnlyEvent, at: number, data: LiveData): LiveReport {
  return { type, at, homeId: null, roomId: null, accessoryId: null, userId: null, data };
}

function ofHome(type: LiveOnlyEvent, homeId: string | null, at: number, fields: LiveData): LiveReport {
  return { type, at, homeId, roomId: null, accessoryId: null, userId: null, data: { ...fields, homeId } };
}
