/**
 * The dashboard: one page for many addresses, which it tells apart itself. Programs that ask at the same addresses get what they always
 * got; whoever would rather have a page gets this one. It holds no data and needs no token: what it shows it asks the API for.
 */
import { Hono } from 'hono';
import type { FaceEnv, FaceMiddleware } from '../env.ts';
import { type Language, languageOf } from '../language.ts';
import { wantsPage } from '../prefers-page.ts';
import { answerNotBuilt } from './not-built.tsx';
import { assetServer, PAGE_POLICY, readManifest } from './pages.ts';

/** The first part of each of its addresses, as its service worker has them too (`src/web/dashboard/pwa/places.ts`); `/` is the home. */
export const DASHBOARD_PLACES: ReadonlySet<string> = new Set([
  '',
  'accessories',
  'automations',
  'developer',
  'history',
  'notifications',
  'pair',
  'people',
  'rooms',
  'scenes',
  'settings',
  'system',
  'virtual',
  'welcome',
]);

/**
 * As for the other pages, and: pictures that it draws itself, its manifest and its service worker. Nothing becomes markup or the address of
 * a script that its own policy (`src/web/dashboard/trusted-types.ts`) has not let through.
 */
export const DASHBOARD_POLICY = [
  PAGE_POLICY.replace('img-src data:', "img-src 'self' data: blob:").replace(
    "form-action 'none'",
    "form-action 'self'",
  ),
  "manifest-src 'self'",
  "worker-src 'self'",
  'trusted-types default',
  "require-trusted-types-for 'script'",
].join('; ');

/** The camera reads setup codes where the browser gives it to pages (over https). */
const PERMISSIONS = 'camera=(self), geolocation=(self), microphone=()';

/** For `app.use` before every route: answers a browser that opens one of the dashboard's addresses. */
export function dashboardPages(directory: string): FaceMiddleware {
  const serve = assetServer(directory);
  const isBuilt = readManifest(directory).size > 0;
  return async (c, next) => {
    const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
    if (!reads || !DASHBOARD_PLACES.has(c.req.path.split('/')[1] ?? '') || !wantsPage(c)) return next();
    if (!isBuilt) return answerNotBuilt(c);
    return serve(c, 'dashboard/index.html', { policy: DASHBOARD_POLICY, permissions: PERMISSIONS });
  };
}

/** What browsers ask for at fixed addresses: with these the dashboard can be installed, and be opened while the relay is away. */
const MANIFESTS: Readonly<Record<Language, string>> = { en: 'manifest.webmanifest', de: 'manifest.de.webmanifest' };
const WORKER = 'sw.js';

/** Anybody may ask, before authentication. @throws `not_found` none are built */
export function dashboardFiles(directory: string): Hono<FaceEnv> {
  const serve = assetServer(directory);
  const app = new Hono<FaceEnv>();
  app.get(`/${WORKER}`, (c) => serve(c, WORKER, { policy: DASHBOARD_POLICY }));
  return app.get(`/${MANIFESTS.en}`, (c) =>
    serve(c, MANIFESTS[languageOf(c)], { policy: DASHBOARD_POLICY, varies: 'Accept-Language' }),
  );
}
