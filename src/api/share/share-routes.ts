/**
 * Share links: all routes under `/s/{hash}` (API §4.4), in one list. They need no token: `app/sharing` authorizes each
 * request. Programs get JSON and people a page at the same URLs. No cache may store them, no search engine may index
 * them, and they reveal no referrer to other sites.
 */
import { Hono } from 'hono';
import { newId } from '../../kernel/ids.ts';
import { type Authenticator, authenticateIfGiven } from '../authenticate.ts';
import type { ApiContext, ApiEnv, ApiMiddleware } from '../env.ts';
import { methodNotAllowed } from '../error-table.ts';
import { guardBody } from '../guards.ts';
import { PageError } from '../html/sentences.ts';
import { styleSheetRoutes } from '../html/style-sheet.ts';
import { wantsPage } from '../prefers-page.ts';
import { ShareApi, type ShareFaceDeps } from './share-api.ts';
import { SHARE_STYLE, SHARE_STYLE_PATH } from './style.ts';
import { texts } from './texts.ts';
import { VERBS } from './verbs.ts';

export interface ShareRoutesDeps extends ShareFaceDeps {
  readonly credentials: Authenticator;
}

const PREFIX = '/s/';
const SHARE = `${PREFIX}:hash`;

/** A form of the page with a text field. */
const MAX_FORM_BYTES = 16_384;

export function shareRoutes(deps: ShareRoutesDeps): Hono<ApiEnv> {
  const api = new ShareApi(deps);
  const app = new Hono<ApiEnv>();
  app.route('/', styleSheetRoutes(SHARE_STYLE_PATH, SHARE_STYLE));
  app.use(`${PREFIX}*`, unlisted, authenticateIfGiven(deps.credentials), guardBody(MAX_FORM_BYTES));

  app.get(SHARE, (c) => api.show(c)).all(only('GET', 'HEAD'));
  app.get(`${SHARE}/events`, (c) => api.stream(c)).all(only('GET', 'HEAD'));
  app.get(`${SHARE}/qr.svg`, (c) => api.qrCode(c)).all(only('GET', 'HEAD'));
  app.post(`${SHARE}/passcode`, (c) => api.takePasscode(c)).all(only('POST'));
  app.post(`${SHARE}/set`, (c) => api.set(c)).all(only('POST'));
  for (const verb of VERBS) {
    const path = `${SHARE}/${verb.path}`;
    const act = (c: ApiContext): Promise<Response> => api.act(c, verb);
    app
      .get(path, act)
      .post(act)
      .all(only('GET', 'HEAD', 'POST'));
  }
  app.all(`${PREFIX}*`, () => {
    throw new PageError('not_found', (language) => texts[language].refused.nothingHere);
  });

  app.onError((error, c) => {
    if (!wantsPage(c)) throw error;
    const requestId = c.get('caller')?.requestId ?? newId();
    deps.failures.note(error, { requestId, method: c.req.method, path: withoutShareHash(c.req.path) });
    return api.refuse(c, error, requestId);
  });
  return app;
}

/** The path of a request, without the secret, for logs: the hash alone opens the share. */
export function withoutShareHash(path: string): string {
  return path.replace(/^\/s\/[^/]+/, `${PREFIX}…`);
}

/** Search engines that find a link must not index it. */
const unlisted: ApiMiddleware = async (c, next) => {
  await next();
  c.header('X-Robots-Tag', 'noindex, nofollow');
};

function only(...allow: readonly string[]): (c: ApiContext) => never {
  return (c) => {
    throw methodNotAllowed(c.req.method, allow);
  };
}
