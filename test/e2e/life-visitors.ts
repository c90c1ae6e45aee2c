/**
 * Who comes by in the whole life of a relay in `security-secrets.test.ts`: by its API and by its pages. Each reports to
 * a witness what could be seen.
 */
import { type PageAnswer, PageClient } from '../api/html/page-client.ts';
import { TYPED } from './life-secrets.ts';

/** Notes what a person without a right to a secret could see, by where. */
export type See = (where: string, text: string) => void;

/**
 * A person, an app or a stranger over TCP. What is refused is seen by each onlooker; what is granted, by whom it is
 * for.
 */
export class Visitor {
  readonly #url: string;
  readonly #see: See;
  readonly #token: string | undefined;

  constructor({ url }: { readonly url: string }, see: See, token?: string) {
    this.#url = url;
    this.#see = see;
    this.#token = token;
  }

  async ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const answer = await fetch(this.#url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.#token !== undefined && { Authorization: `Bearer ${this.#token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    this.#see(
      'headers',
      JSON.stringify([...answer.headers].filter(([name]) => name !== 'set-cookie' && name !== 'location')),
    );
    if (!answer.ok) this.#see('refusals', text);
    // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
    const json = (): any => JSON.parse(text);
    return { status: answer.status, text, json };
  }

  graphql(query: string, variables: object = {}) {
    return this.ask('POST', '/graphql', { query, variables });
  }
}

/** A user's browser, whose pages others may see. */
export class Browser {
  readonly client: PageClient;
  readonly #see: See;

  constructor({ url }: { readonly url: string }, see: See) {
    this.#see = see;
    const request = (at: string, init: RequestInit) => fetch(at, { ...init, redirect: 'manual' });
    this.client = new PageClient({ request: request as never }, url);
  }

  async get(path: string): Promise<PageAnswer> {
    return this.#look(await this.client.get(path));
  }

  async submit(page: PageAnswer, action: string, fields: Record<string, string>): Promise<PageAnswer> {
    return this.#look(await this.client.submit(page, action, fields));
  }

  /** What stands on pages, people read over shoulders and browsers keep. */
  #look(answer: PageAnswer): PageAnswer {
    this.#see('pages', withoutWayBack(answer.text));
    return answer;
  }
}

/**
 * A page that is reached by a secret in its address leads back to that address: by its forms, and by way of signing in.
 */
function withoutWayBack(html: string): string {
  return html.replaceAll(/(?:action|href)="[^"]*(?:\/|%2F)(?:invite|s)(?:\/|%2F)[^"]*"/g, '');
}

/** The input of refused requests: no answer may repeat it. */
export async function beRefused(daemon: { readonly url: string }, see: See): Promise<void> {
  const stranger = new Visitor(daemon, see);
  const wrong = TYPED['a wrong password'];
  const logIn = 'mutation ($p: String!) { login(email: "ann@example.org", password: $p) { error token } }';
  see('refusals', (await stranger.graphql(logIn, { p: wrong })).text);
  const signUp = `mutation ($p: String!, $c: String) { signup(email: "eve@example.org", password: $p, invitationCode: $c) { error } }`;
  see('refusals', (await stranger.graphql(signUp, { p: wrong, c: TYPED['a wrong invitation code'] })).text);
  await stranger.ask(
    'POST',
    '/graphql',
    `{"query": "mutation { login", "variables": {"p": "${TYPED['Bob’s password']}`,
  );
  await stranger.ask('GET', `/invite/${TYPED['a wrong invitation code']}`, undefined, { Accept: 'text/html' });
  await stranger.ask('GET', `/rest/state?token=${encodeURIComponent(TYPED['a wrong token'])}`);
  await new Visitor(daemon, see, TYPED['a wrong token']).ask('GET', '/rest/state');
  await new Visitor(daemon, see, TYPED['a wrong refresh token']).ask('POST', '/mcp', {
    jsonrpc: '2.0',
    id: 1,
    method: 'x',
  });
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  for (const fields of [
    { grant_type: 'refresh_token', refresh_token: TYPED['a wrong refresh token'], client_id: 'nobody' },
    {
      grant_type: 'authorization_code',
      code: TYPED['a wrong refresh token'],
      client_secret: TYPED['a wrong client secret'],
    },
  ])
    await stranger.ask('POST', '/oauth/token', new URLSearchParams(fields).toString(), form);
  // A form that another site sends, whole.
  const foreign = { ...form, Origin: 'https://evil.example' };
  await stranger.ask('POST', '/login', new URLSearchParams({ password: wrong }).toString(), foreign);
}
