/**
 * The service worker: caches this build's files, so that the dashboard opens while the relay is unreachable and shows
 * its own message. It caches no data of the home: API responses pass through unchanged. Browsers run it over https and
 * on localhost only; over plain http the dashboard works without it.
 */
import { isDashboardAddress } from './places.ts';

/** The used part of `lib.webworker`, which conflicts with `lib.dom`. */
interface WorkerScope {
  /** The build inserts it before this file (`build-pwa.ts`). */
  readonly hearthdBuild: { readonly version: string; readonly files: readonly string[] };
  readonly location: Location;
  readonly caches: CacheStorage;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { readonly type: 'window' }): Promise<readonly Page[]>;
    openWindow(address: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: LifeEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: RequestEvent) => void): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NotificationEvent) => void): void;
}

interface Page {
  focus(): Promise<unknown>;
}

interface LifeEvent {
  waitUntil(work: Promise<unknown>): void;
}

interface NotificationEvent extends LifeEvent {
  readonly notification: Notification;
}

interface RequestEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
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

// Handles notifications that `live/notices.ts` shows through the service worker.
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(showPage());
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

async function showPage(): Promise<unknown> {
  const [page] = await self.clients.matchAll({ type: 'window' });
  return page ? page.focus() : self.clients.openWindow('/notifications');
}

async function forgetOthers(): Promise<void> {
  const names = await self.caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => self.caches.delete(name)),
  );
}
