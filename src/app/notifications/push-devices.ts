/**
 * The browsers on which people receive notifications, also while no page is open (Web Push). A device belongs to the
 * person who is signed in there. It goes with the account, and when its session is ended: by signing out, or by the
 * person on another device. A session that expires leaves it: a phone on which no page was opened for a week still gets
 * the alarm. A new password removes all devices, also those of expired sessions.
 */
import { MAX_PUSH_DEVICES, NewPushDevice } from '../../contract/notifications.ts';
import { parseInput } from '../../contract/parse.ts';
import { NotificationChannelError, type OutgoingNotification } from '../../home/notification-channel.ts';
import { PushSubscriptionGone, type WebPush } from '../../home/web-push.ts';
import { HearthError, messageOf } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { LogThrottle } from '../../kernel/logger.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { requireMaker } from '../access/authority.ts';
import { notFound, requireSession } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { SigningKeys } from '../access/signing-keys.ts';
import type { NotificationDelivery } from './delivery.ts';
import type { PushDeviceStore, StoredPushDevice } from './push-device-store.ts';
import { type PushContents, toPushMessage } from './push-message.ts';

/** The relay's key for push services (VAPID). */
const KEY = 'web-push';

/** A device without its addresses and keys. */
export interface PushDeviceView extends Omit<StoredPushDevice, 'subscription' | 'userId' | 'sessionId'> {
  /** Whether the caller's session set it up. */
  readonly isCurrent: boolean;
}

interface Deps extends AppDeps<'bus' | 'clock' | 'logger'> {
  readonly store: PushDeviceStore;
  readonly webPush: WebPush;
  readonly keys: SigningKeys;
  readonly delivery: NotificationDelivery;
}

export class PushDevices implements Startable {
  readonly #deps: Deps;
  readonly #throttle: LogThrottle;
  #subscriptions: readonly (() => void)[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#throttle = new LogThrottle(deps.clock);
  }

  start(): void {
    const { bus, store } = this.#deps;
    // Made once, before a browser asks for it. On a full disk, the next start makes it.
    this.#trySave(() => this.#seed());
    this.#subscriptions = [
      bus.on('session.ended', ({ sessionId, hasExpired }) => {
        if (!hasExpired) this.#trySave(() => store.deleteOfSession(sessionId));
      }),
      bus.on('sessions.revoked', ({ userId }) => this.#trySave(() => store.deleteOfUser(userId))),
    ];
  }

  stop(): void {
    for (const unsubscribe of this.#subscriptions) unsubscribe();
  }

  /**
   * The key that browsers subscribe with: the same for all of them, for good. @throws `insufficient_permissions` the
   * caller is not signed in
   */
  publicKey(caller: Caller): string {
    requireSession(caller);
    return this.#deps.webPush.publicKey(this.#seed());
  }

  /** The caller’s own devices, oldest first. @throws `insufficient_permissions` the caller is not signed in */
  list(caller: Caller): readonly PushDeviceView[] {
    const userId = requireSession(caller);
    return this.#deps.store.listOf([userId]).map((device) => viewOf(device, caller));
  }

  /**
   * Adds the browser that the caller uses. A known one keeps its id, and gets what is new of its name, keys and
   * session.
   * @throws `insufficient_permissions` the caller is not signed in · `invalid_value` · `conflict` there are too many
   */
  add(caller: Caller, input: NewPushDevice): PushDeviceView {
    const userId = requireSession(caller);
    requireMaker(caller, 'push_device');
    const { name, ...subscription } = parseInput(NewPushDevice, input);
    const { store, webPush, clock } = this.#deps;
    const fault = webPush.judge(subscription);
    if (fault !== null) throw new HearthError('invalid_value', `${fault}.`, { field: 'endpoint' });
    const own = store.listOf([userId]);
    const isKnown = own.some(({ subscription: { endpoint } }) => endpoint === subscription.endpoint);
    if (!isKnown && own.length >= MAX_PUSH_DEVICES) {
      throw new HearthError('conflict', `A person has at most ${MAX_PUSH_DEVICES} devices. Remove one first.`);
    }
    const device = store.save({
      id: newId(),
      userId,
      sessionId: sessionOf(caller),
      name,
      subscription,
      createdAt: clock.now(),
      lastSentAt: null,
      failure: null,
    });
    return viewOf(device, caller);
  }

  /**
   * Removes one of the caller’s own devices. @throws `insufficient_permissions` the caller is not signed in ·
   * `not_found`
   */
  remove(caller: Caller, id: string): void {
    this.#deps.store.delete(this.own(caller, id).id);
  }

  /** One of the caller’s own devices. @throws `insufficient_permissions` the caller is not signed in · `not_found` */
  own(caller: Caller, id: string): StoredPushDevice {
    const userId = requireSession(caller);
    const device = this.#deps.store.listOf([userId]).find((one) => one.id === id.toLowerCase());
    if (!device) throw notFound('not_found');
    return device;
  }

  /** The devices of these people. */
  of(userIds: readonly string[]): readonly StoredPushDevice[] {
    return userIds.length === 0 ? [] : this.#deps.store.listOf(userIds);
  }

  /** @returns for each device why it was not sent, as a sentence, or `null`. Never throws. */
  deliver(
    devices: readonly StoredPushDevice[],
    notification: OutgoingNotification,
    contents: PushContents,
  ): Promise<readonly (string | null)[]> {
    return Promise.all(devices.map((device) => this.#deliver(device, notification, contents)));
  }

  async #deliver(
    device: StoredPushDevice,
    notification: OutgoingNotification,
    contents: PushContents,
  ): Promise<string | null> {
    const { store, clock, delivery } = this.#deps;
    const { id } = device;
    let isGone = false;
    const failure = await delivery.deliverBy(`device ${id}`, async (signal) => {
      try {
        await this.#sendOnce(device, notification, contents, signal);
      } catch (error) {
        if (!(error instanceof PushSubscriptionGone)) throw error;
        isGone = true;
        throw new NotificationChannelError(error.message, false, { cause: error });
      }
    });
    this.#trySave(() => {
      if (isGone) store.delete(id);
      else if (failure === null) store.setSent(id, clock.now());
      else store.setFailure(id, failure);
    });
    return failure;
  }

  async #sendOnce(
    { subscription, userId }: StoredPushDevice,
    notification: OutgoingNotification,
    contents: PushContents,
    signal: AbortSignal,
  ): Promise<void> {
    const seed = this.#seed();
    await this.#deps.webPush.send(subscription, toPushMessage(notification, contents, userId, seed), seed, signal);
  }

  /** Browsers subscribe with the key, so it must not get lost. */
  #seed(): Uint8Array {
    return this.#deps.keys.key(KEY);
  }

  #trySave(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#throttle.once('storage', () =>
        this.#deps.logger.warn({ error: messageOf(error) }, 'Could not save the devices that receive notifications'),
      );
    }
  }
}

function sessionOf({ principal }: Caller): string {
  return principal.kind === 'user' ? principal.sessionId : '';
}

function viewOf(
  { subscription: _, userId: __, sessionId, ...device }: StoredPushDevice,
  caller: Caller,
): PushDeviceView {
  return { ...device, isCurrent: sessionId === sessionOf(caller) };
}
