/**
 * The service worker: caches this build's files, so that the dashboard opens while the relay is unreachable and shows
 * its own message. It caches no data of the home: API responses pass through unchanged. Browsers run it over https and
 * on localhost only; over plain http the dashboard works without it.
 */
import { isDashboardAddress } from './places.ts';
import { addressOf, pathOf, type ShowOptions, toShown } from './service-worker-push.ts';

/** The used part of `lib.webworker`, which conflicts with `lib.dom`. */
interface WorkerScope {
  /** The build inserts it before this file (`build-pwa.ts`). */
  readonly hearthdBuild: { readonly version: string; readonly files: readonly string[] };
  readonly location: Location;
  readonly caches: CacheStorage;
  readonly registration: { showNotification(title: string, options: ShowOptions): Promise<void> };
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { readonly type: 'window'; readonly includeUncontrolled: true }): Promise<readonly Page[]>;
    openWindow(address: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: LifeEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: RequestEvent) => void): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NotificationEvent) => void): void;
}

interface Page {
  readonly url: string;
  focus(): Promise<unknown>;
  postMessage(message: OpenMessage): void;
}

interface LifeEvent {
  waitUntil(work: Promise<unknown>): void;
}

interface PushEvent extends LifeEvent {
  readonly data: { text(): string } | null;
}

interface NotificationEvent extends LifeEvent {
  readonly notification: Notification;
  /** The id of a button; empty for a tap beside them. */
  readonly action?: string;
}

interface RequestEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

/** To a page: go there. */
export interface OpenMessage {
  readonly type: 'open';
  readonly address: string;
}

declare const self: WorkerScope;

const PREFIX = 'hearthd-';
const CACHE = `${PREFIX}${self.hearthdBuild.version}`;
const SHELL = '/';
/** A relay in the local network answers at once; one that is off may not even refuse the connection. */
const SHELL_WAIT_MS = 4_000;

self.addEventListener('install', (event) => event.waitUntil(keepBuild()));

self.addEventListener('activate', (event) => event.waitUntil(forgetOthers().then(() => self.clients.claim())));

// The user accepted the new version.
self.addEventListener('message', ({ data }) => {
  if (data === 'use-now') void self.skipWaiting();
});

self.addEventListener('push', (event) => {
  const { title, options } = toShown(event.data?.text());
  event.waitUntil(self.registration.showNotification(title, options));
});

// Also for notifications that `live/notices.ts` shows through the service worker.
self.addEventListener('notificationclick', (event) => {
  const { data } = event.notification;
  event.notification.close();
  const path = pathOf(data, event.action ?? '');
  event.waitUntil(path === undefined ? openAddress(addressOf(data, self.location.origin)) : press(path));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    if (isDashboardAddress(pathname)) event.respondWith(openShell(request));
  } else if (self.hearthdBuild.files.includes(pathname)) {
    event.respondWith(fromBuild(request));
  }
});

async function keepBuild(): Promise<void> {
  const cache = await self.caches.open(CACHE);
  // All files or none: a partly cached build could not open every page.
  await cache.addAll(self.hearthdBuild.files);
  await cache.put(SHELL, await askForShell(SHELL));
}

async function askForShell(address: string, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(address, {
    headers: { Accept: 'text/html' },
    cache: 'no-cache',
    ...(signal && { signal }),
  });
  if (!response.ok || response.redirected) throw new Error(`The dashboard was not served: ${response.status}`);
  return response;
}

/** Returns the relay's page, which is the latest; if the relay does not answer, the cached one. */
async function openShell(request: Request): Promise<Response> {
  try {
    return await askForShell(request.url, AbortSignal.timeout(SHELL_WAIT_MS));
  } catch {
    const cache = await self.caches.open(CACHE);
    return (await cache.match(SHELL)) ?? fetch(request);
  }
}

/** A file with a content hash in its name never changes. */
async function fromBuild(request: Request): Promise<Response> {
  const cache = await self.caches.open(CACHE);
  return (await cache.match(request.url)) ?? fetch(request);
}

/** No page is needed. A press that was not accepted opens the list, which shows why: it is pressed, or too old. */
async function press(path: string): Promise<unknown> {
  const isDone = await fetch(path, { method: 'POST' }).then(
    ({ ok }) => ok,
    () => false,
  );
  return isDone ? undefined : openAddress(addressOf(undefined, self.location.origin));
}

/** An open page goes there by itself: nothing that was typed into a form is lost without a question. */
async function openAddress(address: string): Promise<unknown> {
  const { origin, pathname } = new URL(address);
  if (origin !== self.location.origin || !isDashboardAddress(pathname)) return self.clients.openWindow(address);
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find(({ url }) => isDashboardAddress(new URL(url).pathname));
  if (!page) return self.clients.openWindow(address);
  page.postMessage({ type: 'open', address });
  return page.focus();
}

async function forgetOthers(): Promise<void> {
  const names = await self.caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => self.caches.delete(name)),
  );
}
