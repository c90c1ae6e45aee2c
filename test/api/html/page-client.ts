/**
 * A browser as far as cookies, forms and redirects go: it fills in what a page's form has, and sends it as a browser
 * would.
 */
import type { Hono } from 'hono';
import type { ApiEnv } from '../../../src/api/env.ts';

export interface PageAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Where it leads, if it is a redirect. */
  readonly location: string | null;
  /** As they were set, each whole. */
  readonly cookies: readonly string[];
}

export class PageClient {
  readonly jar = new Map<string, string>();
  /** What the last request was answered. */
  last: PageAnswer | undefined;
  readonly #app: Pick<Hono<ApiEnv>, 'request'>;
  readonly #origin: string;

  constructor(app: Pick<Hono<ApiEnv>, 'request'>, origin = 'http://localhost') {
    this.#app = app;
    this.#origin = origin;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<PageAnswer> {
    return this.#request(path, { headers });
  }

  /** Sends the form of `page` whose action is `action`, with these fields in the place of what it has. */
  async submit(page: PageAnswer, action: string, fields: Record<string, string> = {}): Promise<PageAnswer> {
    return this.post(action, { ...hiddenFields(page.text, action), ...fields });
  }

  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<PageAnswer> {
    const all = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: this.#origin, ...headers };
    return this.#request(path, { method: 'POST', headers: all, body: new URLSearchParams(fields).toString() });
  }

  async #request(
    path: string,
    init: { headers: Record<string, string>; method?: string; body?: string },
  ): Promise<PageAnswer> {
    const headers: Record<string, string> = { Accept: 'text/html', ...init.headers };
    const { host } = new URL(this.#origin);
    headers.Host ??= host;
    if (this.jar.size > 0) headers.Cookie ??= [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.#app.request(new URL(path, this.#origin).href, { ...init, headers });
    for (const cookie of answer.headers.getSetCookie()) this.#keep(cookie);
    this.last = {
      status: answer.status,
      headers: answer.headers,
      text: await answer.text(),
      location: answer.headers.get('location'),
      cookies: answer.headers.getSetCookie(),
    };
    return this.last;
  }

  #keep(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/max-age=0/i.test(cookie)) this.jar.delete(name);
    else this.jar.set(name, value);
  }
}

/** What the form with this action brings back unseen. */
export function hiddenFields(html: string, action: string): Record<string, string> {
  const form = html.split('<form ').find((part) => part.includes(`action="${action.replaceAll('&', '&amp;')}"`));
  if (form === undefined) throw new Error(`The page has no form for ${action}: ${html}`);
  const [fields = ''] = form.split('</form>');
  return Object.fromEntries(
    [...fields.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll('&amp;', '&'),
    ]),
  );
}
