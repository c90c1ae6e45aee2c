/**
 * POST `/notification-action/:token`: the ntfy app and the service worker of a browser press a button.
 * There is no authentication: the token is the secret, good for one press (`app/notifications/button-tokens.ts`). Only
 * POST acts, so that no preview of a link presses anything, and no log contains the token.
 */
import { Hono } from 'hono';
import type { Notifications } from '../app/notifications/notifications.ts';
import { BUTTON_PATH } from '../contract/notifications.ts';
import type { ApiEnv } from './env.ts';
import { answerJson } from './respond.ts';

const PREFIX = `${BUTTON_PATH}/`;

export function notificationActionRoutes({ notifications }: { readonly notifications: Notifications }): Hono<ApiEnv> {
  // It reads no body: senders may send any.
  return new Hono<ApiEnv>().post(`${PREFIX}:token`, (c) => {
    notifications.pressByToken(c.req.param('token'));
    return answerJson({ success: true });
  });
}

/** The path of a request, without the secret, for logs. */
export function withoutButtonToken(path: string): string {
  return path.startsWith(PREFIX) ? `${PREFIX}…` : path;
}
