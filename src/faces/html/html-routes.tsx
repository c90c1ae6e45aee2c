/** Every page that the server renders for people, in one list, behind what they have in common: a limit on forms, and errors as pages. */
import { Hono } from 'hono';
import { newId } from '../../kernel/ids.ts';
import type { FaceEnv } from '../env.ts';
import { guardBody } from '../guards.ts';
import { accountRoutes } from './account.tsx';
import { presentErrorPage } from './error-page.tsx';
import { MAX_FORM_BYTES } from './form.tsx';
import type { HtmlDeps } from './html-deps.ts';
import { inviteRoutes } from './invite.tsx';
import { loginRoutes } from './login.tsx';
import { setupRoutes } from './setup.tsx';
import { STYLE, STYLE_PATH } from './style.ts';
import { styleSheetRoutes } from './style-sheet.ts';

/** Before authentication: these pages are how people come by a session. Whoever is signed in is told by a cookie, and here only. */
export function htmlRoutes(deps: HtmlDeps): Hono<FaceEnv> {
  const app = new Hono<FaceEnv>();
  for (const pages of ['/login', '/logout', '/setup', '/invite/*', '/account/*'])
    app.post(pages, guardBody(MAX_FORM_BYTES));
  app.route('/', styleSheetRoutes(STYLE_PATH, STYLE));
  app.route('/', loginRoutes(deps));
  app.route('/', setupRoutes(deps));
  app.route('/', inviteRoutes(deps));
  app.route('/', accountRoutes(deps));
  app.onError((error, c) => {
    const { method, path } = c.req;
    const requestId = newId();
    deps.failures.note(error, { requestId, method, path: withoutCode(path) });
    return presentErrorPage(error, c, requestId);
  });
  return app;
}

/** The code of an invitation is a secret: it is not for the log. */
function withoutCode(path: string): string {
  return path.replace(/^(\/invite\/)[^/]+/, '$1…');
}
