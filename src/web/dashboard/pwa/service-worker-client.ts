/**
 * The page's side of the service worker: registers it where the browser has one, and offers a new build once it is ready. Without one, a
 * page whose files are gone because the relay was updated offers the same.
 */
import { isRelayThere } from '../shell/load-part.ts';
import { defineTexts, textsNow } from '../texts/texts.ts';
import { showToast } from '../ui/toasts.tsx';
import { de } from './texts/de.ts';
import { en } from './texts/en.ts';

const pwaTexts = defineTexts({ en, de });

/** Relays are updated every few weeks, and wall tablets are never reloaded. */
const LOOK_EVERY_MS = 3_600_000;

export function startPwa(): void {
  addEventListener('vite:preloadError', () => void offerReload());
  // Vite's own server has no such build.
  if (import.meta.hot || !('serviceWorker' in navigator)) return;
  void register();
}

/** A part of the page was not loaded yet, and the relay has it no more; if it does not answer, that is told elsewhere. */
async function offerReload(): Promise<void> {
  if (await isRelayThere()) offer(() => location.reload());
}

async function register(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.register('/sw.js');
    setInterval(() => void registration.update().catch(() => undefined), LOOK_EVERY_MS);
    if (registration.waiting && navigator.serviceWorker.controller) offerBuild(registration.waiting);
    registration.addEventListener('updatefound', () => watch(registration));
  } catch {
    // Not allowed, or over https with a certificate that the browser does not trust: the page works without.
  }
}

function watch({ installing }: ServiceWorkerRegistration): void {
  installing?.addEventListener('statechange', () => {
    // The first one of all is no new version.
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
