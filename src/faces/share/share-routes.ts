/**
 * Share links: everything under `/s/{hash}` (API §4.4), in one list. Nobody needs a token here: what a link opens, and to whom, is
 * judged by `app/sharing` at each request. Programs get JSON and people a page at the same addresses. Nothing of it may be kept by a
 * cache, found by a search engine or told to another site.
 */
import { Hono } from 'hono';
import { newId } from '../../kernel/ids.ts';
import { type Authenticator, authenticateIfGiven } from '../authenticate.ts';
import type { FaceContext, FaceEnv, FaceMiddleware } from '../env.ts';
import { methodNotAllowed } from '../error-table.ts';
import { guardBody } from '../guards.ts';
import { PageError } from '../html/sentences.ts';
import { styleSheetRoutes } from '../html/style-sheet.ts';
import { wantsPage } from '../prefers-page.ts';
import { ShareFace, type ShareFaceParts } from './share-face.ts';
import { SHARE_STYLE, SHARE_STYLE_PATH } from './style.ts';
import { texts } from './texts/texts.ts';
import { VERBS } from './verbs.ts';

export interface ShareRoutesDeps extends ShareFaceParts {
  readonly credentials: Authenticator;
}

const PREFIX = '/s/';
const SHARE = `${PREFIX}:hash`;

/** A form of the page with a text in it. */
const MAX_FORM_BYTES = 16_384;

export function shareRoutes(deps: ShareRoutesDeps): Hono<FaceEnv> {
  const face = new ShareFace(deps);
  const app = new Hono<FaceEnv>();
  app.route('/', styleSheetRoutes(SHARE_STYLE_PATH, SHARE_STYLE));
  app.use(`${PREFIX}*`, unlisted, authenticateIfGiven(deps.credentials), guardBody(MAX_FORM_BYTES));

  app.get(SHARE, (c) => face.show(c)).all(only('GET', 'HEAD'));
  app.get(`${SHARE}/events`, (c) => face.stream(c)).all(only('GET', 'HEAD'));
  app.get(`${SHARE}/qr.svg`, (c) => face.qrCode(c)).all(only('GET', 'HEAD'));
  app.post(`${SHARE}/passcode`, (c) => face.takePasscode(c)).all(only('POST'));
  app.post(`${SHARE}/set`, (c) => face.set(c)).all(only('POST'));
  for (const verb of VERBS) {
    const path = `${SHARE}/${verb.path}`;
    const act = (c: FaceContext): Promise<Response> => face.act(c, verb);
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
    return face.refuse(c, error, requestId);
  });
  return app;
}

/** The path of a request as a log may show it: whoever knows the hash has the share. */
export function withoutShareHash(path: string): string {
  return path.replace(/^\/s\/[^/]+/, `${PREFIX}…`);
}

/** Search engines that come by a link keep nothing of it. */
const unlisted: FaceMiddleware = async (c, next) => {
  await next();
  c.header('X-Robots-Tag', 'noindex, nofollow');
};

function only(...allow: readonly string[]): (c: FaceContext) => never {
  return (c) => {
    throw methodNotAllowed(c.req.method, allow);
  };
}
