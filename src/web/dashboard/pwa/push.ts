/**
 * Notifications on this device, also while no page is open (Web Push). The browser makes a subscription with the
 * relay's key, and the relay keeps it for the person who is signed in.
 */
import { callRest } from '../api/client.ts';

export type PushSupport = 'ready' | 'insecure' | 'install first' | 'unsupported';

/** The id of the person for whom this browser is subscribed. */
const OWNER = 'hearthd.push';

export function pushSupport(): PushSupport {
  if (!isSecureContext) return 'insecure';
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) return 'ready';
  // Safari on iPhone and iPad has it in installed apps only.
  return /\b(?:iPhone|iPad)\b/.test(navigator.userAgent) ? 'install first' : 'unsupported';
}

/** Whether the relay pushes to this browser for this person. */
export function isPushOn(userId: string): boolean {
  return keptOwner() === userId && pushSupport() === 'ready' && Notification.permission === 'granted';
}

function keptOwner(): string | null {
  try {
    return localStorage.getItem(OWNER);
  } catch {
    return null;
  }
}

/**
 * Asks for the permission, subscribes, and sends the subscription to the relay.
 * @returns whether the person gave the permission
 */
export async function turnPushOn(userId: string, name: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  await register(name);
  localStorage.setItem(OWNER, userId);
  return true;
}

/** Ends the subscription of this browser. The relay removes the device by itself, with the session or on request. */
export async function turnPushOff(): Promise<void> {
  localStorage.removeItem(OWNER);
  if (pushSupport() !== 'ready') return;
  const worker = await navigator.serviceWorker.getRegistration();
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
}

/**
 * Sends the subscription again when a page opens: the session may be a new one, the browser may have changed its keys,
 * and a restored relay may not have it. Ends that of another person, whose session has expired here.
 */
export async function renewPush(userId: string, name: string): Promise<void> {
  if (isPushOn(userId)) await register(name);
  else if ((keptOwner() ?? userId) !== userId) await turnPushOff();
}

async function register(name: string): Promise<void> {
  const { publicKey } = (await callRest('GET', '/rest/notifications/push-key')) as { readonly publicKey: string };
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await subscribe(pushManager, publicKey);
  const { endpoint, keys = {} } = subscription.toJSON();
  await callRest('POST', '/rest/notifications/push-devices', { name, endpoint, p256dh: keys.p256dh, auth: keys.auth });
}

/** A subscription with the key of another relay, or of one that was set up again, is replaced. */
async function subscribe(manager: PushManager, publicKey: string): Promise<PushSubscription> {
  const known = await manager.getSubscription();
  if (known && toBase64Url(known.options.applicationServerKey) === publicKey) return known;
  await known?.unsubscribe();
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

function toBase64Url(bytes: ArrayBuffer | null): string {
  const text = String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0)));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
