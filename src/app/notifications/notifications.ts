/**
 * Sends all notifications of the home. It selects channels (preferences), applies limits, delivers, and keeps a
 * history. Automations and the home itself call `notify`; the other operations are for users. Channels are ports: ntfy
 * and SMTP are implemented by drivers.
 */
import { setImmediate } from 'node:timers/promises';
import type { ActivityActor } from '../../contract/activity.ts';
import {
  BUTTON_LIFE_MS,
  CHANNELS,
  type NotificationChannel as ChannelInfo,
  type ChannelName,
  type NotificationButton,
  NotificationPage,
  PressButton,
  ReadNotifications,
  UNREAD_LIMIT,
} from '../../contract/notifications.ts';
import { parseInput } from '../../contract/parse.ts';
import type { OutgoingNotification } from '../../home/notification-channel.ts';
import { HearthError, messageOf } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { LogThrottle } from '../../kernel/logger.ts';
import { Tally } from '../../kernel/tally.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { requireMaker } from '../access/authority.ts';
import { insufficientPermissions, notFound, requireSession } from '../access/authorize.ts';
import { type Caller, ownerOf } from '../access/caller.ts';
import type { ButtonTokens } from './button-tokens.ts';
import type { NotificationDelivery } from './delivery.ts';
import { NotificationLimits } from './limits.ts';
import type { NotificationStore, Reach, SeenNotification, StoredNotification } from './notification-store.ts';
import type { NotificationRequest, NotificationResult, Notifier } from './notifier.ts';
import type { NtfyTopics, StoredNtfyTopic } from './ntfy-topics.ts';
import { linkOf, toOutgoing } from './outgoing.ts';
import { type ChannelChoice, DEFAULT_CHOICE } from './preference.ts';
import type { NotificationPreferences } from './preferences.ts';
import type { StoredPushDevice } from './push-device-store.ts';
import type { PushDevices } from './push-devices.ts';

const DAY_MS = 86_400_000;
/** API §8. */
export const HISTORY_RETENTION_MS = 30 * DAY_MS;
/** Some hundreds a day for a month; a runaway home cannot fill the disk. */
const MAX_ROWS = 20_000;
/** Rows deleted per slice: some milliseconds on a small computer. */
const ROWS_A_SLICE = 500;
const TEST_MESSAGE = 'This is a test from hearthd.';
/** Sender id that counts test messages. */
const TESTS = 'tests';

/** The result of a notification, with an error sentence for each failed channel. */
export interface DeliveredNotification extends NotificationResult {
  readonly failures: Readonly<Partial<Record<ChannelName, string>>>;
}

interface Deps extends AppDeps<'state' | 'access' | 'bus' | 'clock' | 'logger'> {
  readonly store: NotificationStore;
  readonly preferences: NotificationPreferences;
  /** To the configured channels; `local`, the event bus, always exists. */
  readonly delivery: NotificationDelivery;
  readonly pushDevices: PushDevices;
  readonly ntfyTopics: NtfyTopics;
  readonly buttonTokens: ButtonTokens;
  /** Where others reach the relay; `null` if no admin has set it. */
  readonly publicUrl: () => string | null;
  /** Describes a caller, and records that it pressed a button. */
  readonly activity: {
    actorOf(caller: Caller): ActivityActor;
    onButtonPressed(caller: Caller, notification: StoredNotification, title: string): void;
  };
  readonly memberRoles: { of(homeId: string): readonly { readonly userId: string }[] };
}

export class Notifications implements Notifier, Startable {
  /** Counts of deliveries, failures, and messages suppressed by limits. */
  readonly counts = {
    sent: new Tally<ChannelName>(CHANNELS),
    failed: new Tally<ChannelName>(CHANNELS),
    heldBack: 0,
  };
  readonly #deps: Deps;
  readonly #limits: NotificationLimits;
  readonly #throttle: LogThrottle;
  #unsubscribe: () => void = () => {};

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#limits = new NotificationLimits(deps.clock);
    this.#throttle = new LogThrottle(deps.clock);
  }

  start(): void {
    const { store, bus } = this.#deps;
    this.#limits.restore(store.since(this.#limits.since));
    this.#unsubscribe = bus.on('user.removed', ({ userId }) => this.#forget(userId));
  }

  stop(): Promise<void> {
    this.#unsubscribe();
    return this.#deps.delivery.stop();
  }

  /**
   * For the home itself and its automations; the caller is already authorized. Listeners are notified before this
   * returns.
   */
  notify(request: NotificationRequest): Promise<NotificationResult> {
    const verdict = this.#limits.take(request.automationId);
    if (verdict === 'send') return this.#send(request, this.#choiceFor(request), this.#targetsFor(request));
    return Promise.resolve(this.#holdBack(request, verdict === 'hold'));
  }

  /**
   * Sends a message over every configured channel and to the caller's own devices, regardless of preferences. Requires
   * an admin of any home.
   * @param message `null` for the default text.
   * @throws `insufficient_permissions` · `rate_limited` more than thirty an hour
   */
  async sendTest(caller: Caller, message: string | null): Promise<DeliveredNotification> {
    this.#deps.access.authorizeAny(caller, 'manage');
    if (this.#limits.take(TESTS) !== 'send') {
      throw new HearthError('rate_limited', 'Too many test notifications. Try again in an hour.');
    }
    const owner = ownerOf(caller);
    const request = { ...testRequest(message), homeId: null, automationId: null };
    return this.#send(request, { local: true, push: true, email: true }, this.#targetsOf(owner ? [owner] : []));
  }

  /**
   * Sends a message to one of the caller's own devices.
   * @param message `null` for the default text.
   * @returns why the push service did not accept it, as a sentence; `null` if it did
   * @throws `insufficient_permissions` the caller is not signed in · `not_found` · `rate_limited`
   */
  async sendTestToDevice(caller: Caller, id: string, message: string | null): Promise<string | null> {
    const userId = requireSession(caller);
    const { pushDevices } = this.#deps;
    const device = pushDevices.own(caller, id);
    const outgoing = this.#takeTest(userId, message);
    const [failure = null] = await pushDevices.deliver([device], outgoing, {
      ...{ notificationId: newId(), automationId: null, link: null },
      buttonsOf: () => [],
    });
    return failure;
  }

  /**
   * Sends a message to the caller's own ntfy topic.
   * @param message `null` for the default text.
   * @returns why the server did not accept it, as a sentence; `null` if it did
   * @throws `insufficient_permissions` the caller is not signed in · `not_found` · `rate_limited`
   */
  async sendTestToTopic(caller: Caller, message: string | null): Promise<string | null> {
    const userId = requireSession(caller);
    const { ntfyTopics } = this.#deps;
    const topic = ntfyTopics.own(caller);
    const outgoing = this.#takeTest(userId, message);
    const [failure = null] = await ntfyTopics.deliver([topic], () => outgoing);
    return failure;
  }

  /**
   * The notification history, newest first. Every caller gets notifications of the homes it may view and those for
   * itself only. Admins of any home also get those without a home and an owner.
   * @param page `limit` 1–500, 50 if left out.
   * @throws `invalid_value` limit or offset
   */
  history(caller: Caller, page: NotificationPage = {}): readonly SeenNotification[] {
    const reach = this.#reachOf(caller, 'view');
    const { automationId, ...slice } = parseInput(NotificationPage, page);
    const { store, access } = this.#deps;
    const list = store.list(reach, { automationId: automationId?.toLowerCase() ?? null, ...slice });
    return list.map((one) => {
      const mayPress = one.homeId !== null && access.mayIn(caller, 'control', one.homeId);
      return mayPress || one.buttons.length === 0 ? one : { ...one, buttons: [] };
    });
  }

  /**
   * Presses a button of a notification, which its automations answer. For those who got the notification and may
   * control its home.
   * @returns the notification as it is now
   * @throws `not_found` no such notification for the caller, or no such button · `insufficient_permissions` ·
   *         `conflict` a button of it was pressed before, or a day has passed
   */
  pressButton(caller: Caller, input: PressButton): SeenNotification {
    const reach = this.#reachOf(caller, 'view');
    const { notificationId, buttonId } = parseInput(PressButton, input);
    return this.#press(caller, this.#deps.store.find(reach, notificationId.toLowerCase()), ({ id }) => id === buttonId);
  }

  /**
   * The same for the person to whom a single-use address was sent: the token is the authorization, and what that
   * person may do counts as it is now.
   * @throws as `pressButton`; `not_found` for every token that is none
   */
  pressByToken(token: string): void {
    const { buttonTokens, store } = this.#deps;
    const claim = buttonTokens.read(token);
    if (!claim) throw notFound('not_found');
    const caller = personAs(claim.userId);
    const notification = store.find(this.#reachOf(caller, 'view'), claim.notificationId);
    this.#press(caller, notification, (_, index) => index === claim.index);
  }

  /**
   * Deletes the history of the homes that the caller manages. Requires an admin of any home.
   * @returns the number of deleted notifications.
   * @throws `insufficient_permissions`
   */
  clearHistory(caller: Caller): number {
    this.#deps.access.authorizeAny(caller, 'manage');
    return this.#deps.store.deleteWithin(this.#reachOf(caller, 'manage'));
  }

  /** How many of them the caller has not read, up to a limit; `null` for a caller that is no person. */
  countUnread(caller: Caller): number | null {
    return ownerOf(caller) ? this.#deps.store.countUnread(this.#reachOf(caller, 'view'), UNREAD_LIMIT) : null;
  }

  /**
   * Marks notifications as read by the person who asks: these, or all. It ignores those that the caller may not see.
   * @returns how many are left, as `countUnread`
   * @throws `insufficient_permissions` the caller is no person · `invalid_value`
   */
  markRead(caller: Caller, input: ReadNotifications): number {
    const userId = ownerOf(caller);
    if (!userId) throw insufficientPermissions();
    requireMaker(caller, 'notification_setting');
    const { ids } = parseInput(ReadNotifications, input);
    const { store } = this.#deps;
    const reach = this.#reachOf(caller, 'view');
    // What acts for a person may be limited to some homes.
    if (!ids && caller.principal.kind === 'user') store.markAllRead(userId);
    else store.markRead(reach, ids?.map((id) => id.toLowerCase()) ?? null);
    this.#deps.bus.emit('notifications.read', { userId });
    return store.countUnread(reach, UNREAD_LIMIT);
  }

  /**
   * The configured channels; for a person, push also counts if it reaches a device or a topic of that person. Any
   * caller may read them: they do not include addresses.
   */
  channels(caller: Caller): readonly ChannelInfo[] {
    const owner = ownerOf(caller);
    const { devices, topics } = this.#targetsOf(owner ? [owner] : []);
    const isReached = devices.length + topics.length > 0;
    return CHANNELS.map((name) => ({ name, configured: this.#isConfigured(name) || (name === 'push' && isReached) }));
  }

  /** Always throws, for every caller. @throws `cloud_only` */
  registerPushToken(_caller: Caller): never {
    throw new HearthError(
      'cloud_only',
      'Push tokens are a feature of the Cloud edition only. Set ntfy_url to get notifications through ntfy.',
    );
  }

  /**
   * Deletes notifications older than thirty days, and the oldest beyond 20,000. It runs in slices and yields between
   * them.
   */
  async prune(): Promise<void> {
    const { store, clock } = this.#deps;
    const before = clock.now() - HISTORY_RETENTION_MS;
    while (store.deleteBefore(before, ROWS_A_SLICE) > 0) await setImmediate();
    while (store.deleteBeyond(MAX_ROWS, ROWS_A_SLICE) > 0) await setImmediate();
  }

  #press(
    caller: Caller,
    notification: StoredNotification | undefined,
    isMeant: (button: NotificationButton, index: number) => boolean,
  ): SeenNotification {
    const { access, activity, bus, clock, state, store } = this.#deps;
    const button = notification?.buttons.find(isMeant);
    if (!notification || !button || notification.homeId === null) throw notFound('not_found');
    const { id: notificationId, homeId, ownerId, automationId, tag, createdAt } = notification;
    access.authorizeHome(caller, 'control', state.home(homeId));
    const at = clock.now();
    const pressed = { buttonId: button.id, title: button.title, at, by: activity.actorOf(caller) };
    if (at - createdAt >= BUTTON_LIFE_MS) {
      throw new HearthError('conflict', 'This notification is more than a day old: its buttons do nothing any more.', {
        reason: 'button_expired',
      });
    }
    if (!store.press(notificationId, pressed)) {
      throw new HearthError('conflict', 'A button of this notification was pressed already.', {
        reason: 'button_pressed',
      });
    }
    if (ownerOf(caller)) store.markRead(this.#reachOf(caller, 'view'), [notificationId]);
    activity.onButtonPressed(caller, notification, button.title);
    bus.emit('notification.button_pressed', {
      ...{ notificationId, userId: ownerId, homeId, automationId, tag, at },
      ...{ buttonId: button.id, buttonTitle: button.title },
      ...{ byKind: pressed.by.kind, byId: pressed.by.id, byName: pressed.by.name },
    });
    return { ...notification, pressed, isRead: ownerOf(caller) ? true : null };
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

  #takeTest(userId: string, message: string | null): OutgoingNotification {
    if (this.#limits.take(`${TESTS} ${userId}`) !== 'send') {
      throw new HearthError('rate_limited', 'Too many test notifications. Try again in an hour.');
    }
    return toOutgoing({ ...testRequest(message), homeId: null, automationId: null }, this.#deps.clock.now());
  }

  async #send(
    request: NotificationRequest,
    wanted: ChannelChoice,
    targets: PersonalTargets,
  ): Promise<DeliveredNotification> {
    const { clock, bus } = this.#deps;
    const outgoing = toOutgoing(request, clock.now());
    const used = CHANNELS.filter((name) => wanted[name] && this.#isConfigured(name));
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

  #holdBack(request: NotificationRequest, keep: boolean): NotificationResult {
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
      this.#logStorage(error);
      return DEFAULT_CHOICE;
    }
  }

  /** Those of the person it is for, or of the home's members: of the people who want it there. */
  #targetsFor(request: NotificationRequest): PersonalTargets {
    const { ownerId = null, homeId } = request;
    const { memberRoles, preferences } = this.#deps;
    try {
      const members = homeId === null ? [] : memberRoles.of(homeId).map(({ userId }) => userId);
      const { devices, topics } = this.#targetsOf(ownerId === null ? members : [ownerId]);
      const people = new Set([...devices, ...topics].map(({ userId }) => userId));
      const wants = new Set([...people].filter((userId) => preferences.resolveFor(userId, request).push));
      return {
        devices: devices.filter(({ userId }) => wants.has(userId)),
        topics: topics.filter(({ userId }) => wants.has(userId)),
      };
    } catch (error) {
      this.#logStorage(error);
      return { devices: [], topics: [] };
    }
  }

  #targetsOf(userIds: readonly string[]): PersonalTargets {
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
      this.#logStorage(error);
      return { ...notification, buttons: [] };
    }
  }

  #amend(notification: StoredNotification): void {
    try {
      this.#deps.store.setChannels(notification);
    } catch (error) {
      this.#logStorage(error);
    }
  }

  /** Notifications for one user only are deleted with the account. */
  #forget(userId: string): void {
    try {
      this.#deps.store.deleteOf(userId);
    } catch (error) {
      this.#logStorage(error);
    }
  }

  #logStorage(error: unknown): void {
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

  #isConfigured(name: ChannelName): boolean {
    return name === 'local' || this.#deps.delivery.has(name);
  }

  #reachOf(caller: Caller, action: 'view' | 'manage'): Reach {
    const { access, state } = this.#deps;
    return {
      ownerId: ownerOf(caller) ?? null,
      homeIds: state
        .homes()
        .map(({ id }) => id)
        .filter((id) => access.mayIn(caller, action, id)),
      homeless: access.mayManageAny(caller),
    };
  }
}

/** Where single people are reached. */
interface PersonalTargets {
  readonly devices: readonly StoredPushDevice[];
  readonly topics: readonly StoredNtfyTopic[];
}

type Outcome = readonly [ChannelName, string | null];

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
function personAs(userId: string): Caller {
  return { principal: { kind: 'user', userId, sessionId: '' }, requestId: newId(), depth: 0 };
}

function testRequest(message: string | null) {
  return { title: 'hearthd', message: message || TEST_MESSAGE, icon: null, iconColor: null, data: null };
}

/** Why nothing was sent although nothing failed; `null` if something was sent. */
function reasonOf(sent: readonly ChannelName[], wanted: ChannelChoice): 'preference' | 'no_devices' | null {
  if (sent.length > 0) return null;
  return Object.values(wanted).includes(true) ? 'no_devices' : 'preference';
}
