/**
 * The dashboard: one page for many paths, which it routes itself. Programs get the API's responses at the same paths;
 * clients that prefer a page get this one. It holds no data and needs no token: it requests its data from the API.
 */
import { Hono } from 'hono';
import { isDashboardAddress } from '../../web/dashboard/pwa/places.ts';
import type { ApiEnv, ApiMiddleware } from '../env.ts';
import { languageOf } from '../language.ts';
import { wantsPage } from '../prefers-page.ts';
import { answerNotBuilt } from './not-built.tsx';
import { assetServer, PAGE_POLICY, readManifest } from './pages.ts';

/**
 * The policy of the other pages, plus: images that it draws itself, its manifest and its service worker. Nothing
 * becomes markup or a script URL that its own policy (`src/web/dashboard/trusted-types.ts`) has not permitted.
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

/** The camera reads setup codes if the browser gives pages access to it (over https). */
const PERMISSIONS = 'camera=(self), geolocation=(self), microphone=()';

/** For `app.use` before every route: responds to a browser that opens one of the dashboard's paths. */
export function dashboardPages(directory: string): ApiMiddleware {
  const serve = assetServer(directory);
  const isBuilt = readManifest(directory).size > 0;
  return async (c, next) => {
    const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
    if (!reads || !isDashboardAddress(c.req.path) || !wantsPage(c)) return next();
    if (!isBuilt) return answerNotBuilt(c);
    return serve(c, 'dashboard/index.html', { policy: DASHBOARD_POLICY, permissions: PERMISSIONS });
  };
}

/**
 * Files that browsers request at fixed paths: with these the dashboard can be installed, and opened while the relay is
 * offline.
 */
const MANIFEST = 'manifest.webmanifest';
const WORKER = 'sw.js';

/** Public, before authentication. @throws `not_found` none are built */
export function dashboardFiles(directory: string): Hono<ApiEnv> {
  const serve = assetServer(directory);
  const app = new Hono<ApiEnv>();
  app.get(`/${WORKER}`, (c) => serve(c, WORKER, { policy: DASHBOARD_POLICY }));
  return app.get(`/${MANIFEST}`, (c) => {
    const language = languageOf(c);
    const file = language === 'en' ? MANIFEST : `manifest.${language}.webmanifest`;
    return serve(c, file, { policy: DASHBOARD_POLICY, varies: 'Accept-Language' });
  });
}
