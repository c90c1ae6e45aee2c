/**
 * Sends notifications: keeps each, hands it to the channels and to the devices and topics of people, and notes what
 * became of it. It applies no limits and authorizes no one.
 */
import { CHANNELS, type ChannelName } from '../../contract/notifications.ts';
import type { OutgoingNotification } from '../../home/notification-channel.ts';
import { messageOf } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { LogThrottle } from '../../kernel/logger.ts';
import { Tally } from '../../kernel/tally.ts';
import type { AppDeps } from '../access/app-deps.ts';
import type { Caller } from '../access/caller.ts';
import type { ButtonTokens } from './button-tokens.ts';
import type { NotificationDelivery } from './delivery.ts';
import type { NotificationStore, StoredNotification } from './notification-store.ts';
import type { NotificationRequest, NotificationResult } from './notifier.ts';
import type { NtfyTopics, StoredNtfyTopic } from './ntfy-topics.ts';
import { linkOf, toOutgoing } from './outgoing.ts';
import { type ChannelChoice, DEFAULT_CHOICE } from './preference.ts';
import type { NotificationPreferences } from './preferences.ts';
import type { StoredPushDevice } from './push-device-store.ts';
import type { PushDevices } from './push-devices.ts';

/** The result of a notification, with an error sentence for each failed channel. */
export interface DeliveredNotification extends NotificationResult {
  readonly failures: Readonly<Partial<Record<ChannelName, string>>>;
}

interface Deps extends AppDeps<'access' | 'bus' | 'clock' | 'logger'> {
  readonly store: NotificationStore;
  readonly preferences: NotificationPreferences;
  /** To the configured channels; `local`, the event bus, always exists. */
  readonly delivery: NotificationDelivery;
  readonly pushDevices: PushDevices;
  readonly ntfyTopics: NtfyTopics;
  readonly buttonTokens: ButtonTokens;
  /** Where others reach the relay; `null` if no admin has set it. */
  readonly publicUrl: () => string | null;
  readonly memberRoles: { of(homeId: string): readonly { readonly userId: string }[] };
}

/** Where single people are reached. */
interface PersonalTargets {
  readonly devices: readonly StoredPushDevice[];
  readonly topics: readonly StoredNtfyTopic[];
}

type Outcome = readonly [ChannelName, string | null];

export class NotificationSender {
  /** Counts of deliveries, failures, and messages suppressed by limits. */
  readonly counts = {
    sent: new Tally<ChannelName>(CHANNELS),
    failed: new Tally<ChannelName>(CHANNELS),
    heldBack: 0,
  };
  readonly #deps: Deps;
  readonly #throttle: LogThrottle;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#throttle = new LogThrottle(deps.clock);
  }

  /** To those who are to get it, over the channels that they want it on. */
  send(request: NotificationRequest): Promise<NotificationResult> {
    return this.sendTo(this.#targetsFor(request), request, this.#choiceFor(request));
  }

  async sendTo(
    targets: PersonalTargets,
    request: NotificationRequest,
    wanted: ChannelChoice,
  ): Promise<DeliveredNotification> {
    const { clock, bus } = this.#deps;
    const outgoing = toOutgoing(request, clock.now());
    const used = CHANNELS.filter((name) => wanted[name] && this.isConfigured(name));
    const kept = this.#keep(request, outgoing, used.includes('local') ? ['local'] : []);
    if (used.includes('local')) {
      const { id: notificationId, ownerId: userId, homeId, automationId, title, message, createdAt: at } = kept;
      const buttons = kept.buttons.length;
      bus.emit('notification.sent', { notificationId, userId, homeId, automationId, title, message, buttons, at });
    }
    const outcomes = await this.#deliver(outgoing, used, targets, kept);
    const sent = CHANNELS.filter((name) => outcomes.some(([channel, failure]) => channel === name && failure === null));
    const failed = CHANNELS.filter((name) =>
      outcomes.some(([channel, failure]) => channel === name && failure !== null),
    );
    const failures = failuresOf(outcomes);
    this.#logFailures(kept, failures);
    for (const name of sent) this.counts.sent.add(name);
    for (const name of failed) this.counts.failed.add(name);
    if (outcomes.some(([name]) => name !== 'local'))
      this.#amend({ ...kept, channelsSent: sent, channelsFailed: failed });
    return {
      notificationId: kept.id,
      delivered: sent.length > 0,
      channels: sent,
      rateLimited: false,
      reason: failed.length > 0 ? 'error' : reasonOf(sent, wanted),
      failures,
    };
  }

  /** @returns for each way that was used its channel, and why it failed. Several may belong to one channel. */
  async #deliver(
    outgoing: OutgoingNotification,
    used: readonly ChannelName[],
    { devices, topics }: PersonalTargets,
    kept: StoredNotification,
  ): Promise<readonly Outcome[]> {
    const { delivery, pushDevices, ntfyTopics } = this.#deps;
    const { id: notificationId, automationId, link } = kept;
    const publicUrl = this.#deps.publicUrl();
    const byChannel = used.map(async (name): Promise<Outcome> => {
      return [name, name === 'local' ? null : await delivery.deliver(name, outgoing)];
    });
    const buttonsOf = (userId: string) => this.#buttonsOf(kept, userId);
    const toDevices = pushDevices.deliver(devices, outgoing, { notificationId, automationId, link, buttonsOf });
    const toTopics = ntfyTopics.deliver(topics, (userId) => {
      const buttons = publicUrl === null ? [] : buttonsOf(userId);
      return { ...outgoing, buttons: buttons.map(({ title, path }) => ({ title, url: `${publicUrl}${path}` })) };
    });
    const [outcomes, ...personal] = await Promise.all([Promise.all(byChannel), toDevices, toTopics]);
    return [...outcomes, ...personal.flat().map((failure): Outcome => ['push', failure])];
  }

  /** @param keep whether the history shows that it was not sent */
  holdBack(request: NotificationRequest, keep: boolean): NotificationResult {
    const { automationId, homeId } = request;
    this.counts.heldBack += 1;
    if (keep) this.#keep(request, toOutgoing(request, this.#deps.clock.now()), [], true);
    this.#throttle.once(`limit ${automationId}`, (skipped) =>
      this.#deps.logger.warn({ automationId, homeId, ...skipped }, 'Suppressed a notification: too many were sent'),
    );
    return { notificationId: null, delivered: false, channels: [], rateLimited: true, reason: 'rate_limited' };
  }

  /** A message whose preferences cannot be read uses the defaults. */
  #choiceFor(request: NotificationRequest): ChannelChoice {
    try {
      return this.#deps.preferences.resolve(request.ownerId ?? null, request);
    } catch (error) {
      this.logStorage(error);
      return DEFAULT_CHOICE;
    }
  }

  /** Those of the person it is for, or of the home's members: of the people who want it there. */
  #targetsFor(request: NotificationRequest): PersonalTargets {
    const { ownerId = null, homeId } = request;
    const { memberRoles, preferences } = this.#deps;
    try {
      const members = homeId === null ? [] : memberRoles.of(homeId).map(({ userId }) => userId);
      const { devices, topics } = this.targetsOf(ownerId === null ? members : [ownerId]);
      const people = new Set([...devices, ...topics].map(({ userId }) => userId));
      const wants = new Set([...people].filter((userId) => preferences.resolveFor(userId, request).push));
      return {
        devices: devices.filter(({ userId }) => wants.has(userId)),
        topics: topics.filter(({ userId }) => wants.has(userId)),
      };
    } catch (error) {
      this.logStorage(error);
      return { devices: [], topics: [] };
    }
  }

  targetsOf(userIds: readonly string[]): PersonalTargets {
    const { pushDevices, ntfyTopics } = this.#deps;
    return { devices: pushDevices.of(userIds), topics: ntfyTopics.of(userIds) };
  }

  /** A message that cannot be stored is still sent. */
  #keep(
    request: NotificationRequest,
    { title, message, at, clickUrl }: OutgoingNotification,
    channelsSent: readonly ChannelName[],
    rateLimited = false,
  ): StoredNotification {
    const { ownerId = null, homeId, automationId, tag = null, buttons = [] } = request;
    const notification: StoredNotification = {
      id: newId(),
      ownerId,
      homeId,
      automationId,
      title,
      message,
      channelsSent,
      channelsFailed: [],
      rateLimited,
      createdAt: at,
      link: linkOf(request, clickUrl),
      tag,
      // Nothing can press what the home or its people do not get.
      buttons: rateLimited || homeId === null ? [] : buttons,
      pressed: null,
    };
    try {
      this.#deps.store.add(notification);
      return notification;
    } catch (error) {
      this.logStorage(error);
      return { ...notification, buttons: [] };
    }
  }

  #amend(notification: StoredNotification): void {
    try {
      this.#deps.store.setChannels(notification);
    } catch (error) {
      this.logStorage(error);
    }
  }

  /** Those that a person can press. */
  #buttonsOf({ id: notificationId, homeId, buttons }: StoredNotification, userId: string) {
    const { access, buttonTokens } = this.#deps;
    if (homeId === null || buttons.length === 0 || !access.mayIn(personAs(userId), 'control', homeId)) return [];
    return buttons.map((button, index) => ({
      ...button,
      path: buttonTokens.pathOf({ notificationId, userId, index }),
    }));
  }

  logStorage(error: unknown): void {
    this.#throttle.once('storage', () =>
      this.#deps.logger.warn({ error: messageOf(error) }, 'Could not save the notification history'),
    );
  }

  #logFailures(
    { id: notificationId, automationId }: StoredNotification,
    failures: Readonly<Partial<Record<ChannelName, string>>>,
  ): void {
    for (const [channel, error] of Object.entries(failures)) {
      this.#throttle.once(`${channel} ${error}`, (skipped) =>
        this.#deps.logger.warn(
          { channel, error, notificationId, automationId, ...skipped },
          'Could not deliver a notification',
        ),
      );
    }
  }

  isConfigured(name: ChannelName): boolean {
    return name === 'local' || this.#deps.delivery.has(name);
  }
}

/** The failures of each channel, each sentence once. */
function failuresOf(outcomes: readonly Outcome[]): Readonly<Partial<Record<ChannelName, string>>> {
  const failures: Partial<Record<ChannelName, string>> = {};
  for (const [name, failure] of outcomes) {
    const before = failures[name];
    if (failure === null || before?.includes(failure)) continue;
    failures[name] = before === undefined ? failure : `${before} ${failure}`;
  }
  return failures;
}

/** A person who is not signed in, for what was sent to that person. */
export function personAs(userId: string): Caller {
  return { principal: { kind: 'user', userId, sessionId: '' }, requestId: newId(), depth: 0 };
}

/** Why nothing was sent although nothing failed; `null` if something was sent. */
function reasonOf(sent: readonly ChannelName[], wanted: ChannelChoice): 'preference' | 'no_devices' | null {
  if (sent.length > 0) return null;
  return Object.values(wanted).includes(true) ? 'no_devices' : 'preference';
}
