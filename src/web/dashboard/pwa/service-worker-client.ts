/**
 * The page's side of the service worker: registers it if the browser supports it, and offers a reload when a new build
 * is ready. Without a service worker, a page whose files are gone after an update offers the same.
 */
import pwaTexts from 'texts:pwa';

import { navigate } from 'wouter/use-browser-location';
import { textsNow } from '../texts/texts.ts';
import { mayLeave } from '../ui/leave-guard.ts';
import { isRelayThere } from '../ui/load-part.ts';
import { showToast } from '../ui/toasts.tsx';
import type { OpenMessage } from './service-worker.ts';

/** Relays are updated every few weeks, and wall tablets are never reloaded. */
const LOOK_EVERY_MS = 3_600_000;

export function startPwa(): void {
  addEventListener('vite:preloadError', () => void offerReload());
  // Vite's own server has no service worker build.
  if (import.meta.hot || !('serviceWorker' in navigator)) return;
  navigator.serviceWorker.addEventListener('message', ({ data }) => void goTo(data));
  void register();
}

/**
 * A part of the page was not loaded yet, and the updated relay no longer has it. If the relay does not answer, another
 * notice shows that.
 */
async function offerReload(): Promise<void> {
  if (await isRelayThere()) offer(() => location.reload());
}

/** A notification was tapped. @param message of the service worker */
async function goTo(message: Partial<OpenMessage> | null): Promise<void> {
  if (message?.type !== 'open' || typeof message.address !== 'string') return;
  const { origin, pathname, search, hash } = new URL(message.address);
  if (origin === location.origin && (await mayLeave())) navigate(`${pathname}${search}${hash}`);
}

async function register(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.register('/sw.js');
    setInterval(() => void registration.update().catch(() => undefined), LOOK_EVERY_MS);
    if (registration.waiting && navigator.serviceWorker.controller) offerBuild(registration.waiting);
    registration.addEventListener('updatefound', () => watch(registration));
  } catch {
    // Blocked, or over https with an untrusted certificate: the page works without it.
  }
}

function watch({ installing }: ServiceWorkerRegistration): void {
  installing?.addEventListener('statechange', () => {
    // The first service worker is not an update.
    if (installing.state === 'installed' && navigator.serviceWorker.controller) offerBuild(installing);
  });
}

function offerBuild(worker: ServiceWorker): void {
  offer(() => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    worker.postMessage('use-now');
  });
}

function offer(run: () => void): void {
  const t = textsNow(pwaTexts);
  showToast({ text: t.newVersion, action: { label: t.reload, run } });
}
