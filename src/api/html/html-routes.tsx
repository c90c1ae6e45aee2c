/** All server-rendered pages in one list, behind their common middleware: a limit on forms, and errors as pages. */
import { Hono } from 'hono';
import { newId } from '../../kernel/ids.ts';
import type { ApiEnv } from '../env.ts';
import { guardBody } from '../guards.ts';
import { trustRoutes } from '../trust/trust-routes.tsx';
import { accountRoutes } from './account.tsx';
import { presentErrorPage } from './error-page.tsx';
import { MAX_FORM_BYTES } from './form.tsx';
import type { HtmlDeps } from './html-deps.ts';
import { inviteRoutes } from './invite.tsx';
import { loginRoutes } from './login.tsx';
import { secondStepRoutes } from './second-step.tsx';
import { setupRoutes } from './setup.tsx';
import { STYLE, STYLE_PATH } from './style.ts';
import { styleSheetRoutes } from './style-sheet.ts';

/** Before authentication: people get a session on these pages. Only here does a cookie identify the signed-in user. */
export function htmlRoutes(deps: HtmlDeps): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  for (const pages of ['/login', '/login/*', '/logout', '/setup', '/invite/*', '/account/*'])
    app.post(pages, guardBody(MAX_FORM_BYTES));
  app.route('/', styleSheetRoutes(STYLE_PATH, STYLE));
  app.route('/', loginRoutes(deps));
  app.route('/', setupRoutes(deps));
  app.route('/', inviteRoutes(deps));
  app.route('/', secondStepRoutes(deps));
  app.route('/', accountRoutes(deps));
  app.route('/', trustRoutes(deps));
  app.onError((error, c) => {
    const { method, path } = c.req;
    const requestId = newId();
    deps.failures.note(error, { requestId, method, path: withoutCode(path) });
    return presentErrorPage(error, c, requestId);
  });
  return app;
}

/** The code of an invitation is a secret: no log may contain it. */
function withoutCode(path: string): string {
  return path.replace(/^(\/invite\/)[^/]+/, '$1…');
}
