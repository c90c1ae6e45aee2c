/**
 * Server-rendered pages that work without scripts, for people who have no app yet. This file has the frame that all of
 * them share, and the one function that sends them: never cached, never framed, with a policy under which no injected
 * content could run, load or send a form elsewhere. Each page's content is in its own file.
 */
import type { Child } from 'hono/jsx';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { StatusCode } from 'hono/utils/http-status';
import type { ApiContext } from '../env.ts';
import { languageOf } from '../language.ts';
import { PROTECTIVE_HEADERS } from '../respond.ts';
import { FLAME, ICON_ADDRESS, ROOF } from './icon.ts';
import { STYLE_PATH } from './style.ts';

withoutContext(() => (<html lang="en" />).toString());

/** The return type of a component. */
export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

export interface PageAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Further targets of the page's forms. Chromium checks this for the redirects after a form too, so a page in the
   * middle of an app's sign-in names the app's address: see `formActionSource`.
   */
  readonly formAction?: readonly string[];
  /** The page has scripts of the relay, which connect only to the relay. */
  readonly scripts?: boolean;
}

/** Responds with a page in the language of `languageOf`. Includes the cookies set on the context. */
export function answerPage(c: ApiContext, page: Markup, options: PageAnswer = {}): Response {
  const html: unknown = page.toString();
  if (typeof html !== 'string')
    throw new Error('A page is rendered at once: none of its components may be asynchronous');
  const { Vary: chosenBy } = options.headers ?? {};
  return c.newResponse(`<!DOCTYPE html>${html}`, (options.status ?? 200) as StatusCode, {
    ...PROTECTIVE_HEADERS,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': languageOf(c),
    'Content-Security-Policy': policyOf(options),
    ...options.headers,
    Vary: chosenBy === undefined ? 'Accept-Language' : `${chosenBy}, Accept-Language`,
  });
}

/**
 * Renders once while Node's modules can't be reached. Hono keeps an AsyncLocalStorage for components that wait, if it
 * finds one at its first page; from then on every promise of the daemon would take twice the time (before Node 24).
 */
function withoutContext(render: () => unknown): void {
  const { getBuiltinModule } = process;
  Object.assign(process, { getBuiltinModule: undefined });
  try {
    render();
  } finally {
    Object.assign(process, { getBuiltinModule });
  }
}

/**
 * Redirects to another page after a form (303: the browser gets it and does not send the form again). Includes the
 * cookies.
 */
export function seeOther(c: ApiContext, location: string): Response {
  return c.newResponse(null, 303, { ...PROTECTIVE_HEADERS, Location: location });
}

/** The source expression that permits a redirect to `uri`: the origin, or the scheme of an app's own. */
export function formActionSource(uri: string): string {
  const { origin, protocol } = new URL(uri);
  return protocol === 'https:' || protocol === 'http:' ? origin : protocol;
}

function policyOf({ formAction = [], scripts = false }: PageAnswer): string {
  const forms = formAction.filter((source) => SOURCE.test(source));
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    ...(scripts ? ["script-src 'self'", "connect-src 'self'", "require-trusted-types-for 'script'"] : []),
    `form-action ${["'self'", ...forms].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/** An origin or a scheme, and nothing that could begin another directive. */
const SOURCE = /^[a-z][a-z0-9+.-]*:(?:\/\/[a-z0-9.:[\]-]+)?$/i;

export interface HtmlPageProps {
  readonly texts: { readonly language: string };
  readonly title: string;
  /** The page's content does not fit a narrow sheet. */
  readonly wide?: boolean;
  /** For the head: scripts, a refresh. */
  readonly head?: Child;
  readonly children?: Child;
}

/** The frame of every page: one sheet with the home's name at the top. */
export function Page({ texts, title, wide = false, head, children }: HtmlPageProps): Markup {
  return (
    <html lang={texts.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        {/* With the header's no-referrer, browsers send "Origin: null" with a form, which is refused as foreign. */}
        <meta name="referrer" content="same-origin" />
        <title>{`${title} · hearthd`}</title>
        <link rel="icon" href={ICON_ADDRESS} />
        <link rel="stylesheet" href={STYLE_PATH} />
        {head}
      </head>
      <body>
        <main class={wide ? 'sheet wide' : 'sheet'}>
          <p class="brand">
            <Hearth />
            hearthd
          </p>
          {children}
        </main>
      </body>
    </html>
  );
}

function Hearth(): Markup {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
      <path class="roof" d={ROOF} />
      <path class="flame" d={FLAME} />
    </svg>
  );
}
