/**
 * Notifications of the home: their limits, tests, history and buttons; the sender selects channels and delivers.
 * Automations and the home itself call `notify`; the other operations are for users. Channels are ports: ntfy and SMTP
 * are implemented by drivers.
 */
import { setImmediate } from 'node:timers/promises';
import type { ActivityActor } from '../../contract/activity.ts';
import {
  BUTTON_LIFE_MS,
  CHANNELS,
  type NotificationChannel as ChannelInfo,
  type NotificationButton,
  NotificationPage,
  PressButton,
  ReadNotifications,
  UNREAD_LIMIT,
} from '../../contract/notifications.ts';
import { parseInput } from '../../contract/parse.ts';
import type { HomeEvents } from '../../home/events.ts';
import type { OutgoingNotification } from '../../home/notification-channel.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { requireMaker } from '../access/authority.ts';
import { insufficientPermissions, notFound, requireSession } from '../access/authorize.ts';
import { type Caller, ownerOf } from '../access/caller.ts';
import { type AnnouncementTexts, ofChange, ofSignIn } from './account-announcements.ts';
import type { ButtonTokens } from './button-tokens.ts';
import type { NotificationDelivery } from './delivery.ts';
import { NotificationLimits } from './limits.ts';
import type { NotificationStore, Reach, SeenNotification, StoredNotification } from './notification-store.ts';
import type { NotificationRequest, NotificationResult, Notifier } from './notifier.ts';
import type { NtfyTopics } from './ntfy-topics.ts';
import { toOutgoing } from './outgoing.ts';
import type { PushDevices } from './push-devices.ts';
import { type DeliveredNotification, type NotificationSender, personAs } from './sender.ts';

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

interface Deps extends AppDeps<'state' | 'access' | 'bus' | 'clock'> {
  readonly store: NotificationStore;
  readonly sender: NotificationSender;
  readonly delivery: Pick<NotificationDelivery, 'stop'>;
  readonly pushDevices: PushDevices;
  readonly ntfyTopics: NtfyTopics;
  readonly buttonTokens: ButtonTokens;
  /** By language; English without one. */
  readonly announcementTexts: (language: string | undefined) => AnnouncementTexts;
  /** That the person chose in the dashboard. */
  readonly languageOf: (userId: string) => string | undefined;
  /** Describes a caller, and records that it pressed a button. */
  readonly activity: {
    actorOf(caller: Caller): ActivityActor;
    onButtonPressed(caller: Caller, notification: StoredNotification, title: string): void;
  };
}

export class Notifications implements Notifier, Startable {
  readonly #deps: Deps;
  readonly #limits: NotificationLimits;
  #unsubscribe: () => void = () => {};

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#limits = new NotificationLimits(deps.clock);
  }

  get counts(): NotificationSender['counts'] {
    return this.#deps.sender.counts;
  }

  start(): void {
    const { store, bus } = this.#deps;
    this.#limits.restore(store.since(this.#limits.since));
    const subscriptions = [
      bus.on('user.removed', ({ userId }) => this.#forget(userId)),
      bus.on('session.new_device', (signIn) => this.#announceSignIn(signIn)),
      bus.on('account.second_step_changed', (change) => this.#announceSecondStep(change)),
    ];
    this.#unsubscribe = () => {
      for (const unsubscribe of subscriptions) unsubscribe();
    };
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
    if (verdict === 'send') return this.#deps.sender.send(request);
    return Promise.resolve(this.#deps.sender.holdBack(request, verdict === 'hold'));
  }

  #announceSignIn(event: HomeEvents['session.new_device']): void {
    // A thief who has the password must not fill the list.
    if (this.#limits.take(`sign-ins of ${event.userId}`) !== 'send') return;
    this.#announce(event.userId, ofSignIn(this.#textsFor(event.userId), event));
  }

  #announceSecondStep(event: HomeEvents['account.second_step_changed']): void {
    if (this.#limits.take(`second steps of ${event.userId}`) !== 'send') return;
    this.#announce(event.userId, ofChange(this.#textsFor(event.userId), event));
  }

  #textsFor(userId: string): AnnouncementTexts {
    const { announcementTexts, languageOf } = this.#deps;
    return announcementTexts(languageOf(userId));
  }

  /**
   * To the person's own devices, ntfy topic and list alone, and regardless of preferences: it is about the safety of
   * the account.
   */
  #announce(userId: string, { title, message }: { readonly title: string; readonly message: string }): void {
    const { sender } = this.#deps;
    const request = {
      ...{ ownerId: userId, homeId: null, automationId: null, title, message },
      ...{ icon: null, iconColor: null, data: { priority: 'high' } },
    };
    void sender.sendTo(sender.targetsOf([userId]), request, { local: true, push: false, email: false });
  }

  /**
   * Sends a message over every configured channel and to the caller's own devices, regardless of preferences. Requires
   * an admin of any home.
   * @param message `null` for the default text.
   * @throws `insufficient_permissions` · `rate_limited` more than thirty an hour
   */
  async sendTest(caller: Caller, message: string | null): Promise<DeliveredNotification> {
    const { access, sender } = this.#deps;
    access.authorizeAny(caller, 'manage');
    if (this.#limits.take(TESTS) !== 'send') {
      throw new HearthError('rate_limited', 'Too many test notifications. Try again in an hour.');
    }
    const owner = ownerOf(caller);
    const request = { ...testRequest(message), homeId: null, automationId: null };
    return sender.sendTo(sender.targetsOf(owner ? [owner] : []), request, { local: true, push: true, email: true });
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
    const { sender } = this.#deps;
    const { devices, topics } = sender.targetsOf(owner ? [owner] : []);
    const isReached = devices.length + topics.length > 0;
    return CHANNELS.map((name) => ({ name, configured: sender.isConfigured(name) || (name === 'push' && isReached) }));
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

  #takeTest(userId: string, message: string | null): OutgoingNotification {
    if (this.#limits.take(`${TESTS} ${userId}`) !== 'send') {
      throw new HearthError('rate_limited', 'Too many test notifications. Try again in an hour.');
    }
    return toOutgoing({ ...testRequest(message), homeId: null, automationId: null }, this.#deps.clock.now());
  }

  /** Notifications for one user only are deleted with the account. */
  #forget(userId: string): void {
    try {
      this.#deps.store.deleteOf(userId);
    } catch (error) {
      this.#deps.sender.logStorage(error);
    }
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

function testRequest(message: string | null) {
  return { title: 'hearthd', message: message || TEST_MESSAGE, icon: null, iconColor: null, data: null };
}
