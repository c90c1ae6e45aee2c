/**
 * Sends an HTTP request that a user configured. A failure is also an output (wire-facts §6.2): `ok: false` with the
 * reason, and the run continues. The action fails only if it requests retries.
 */

import { z } from 'zod';
import { text as textSchema } from '../../../contract/fields.ts';
import {
  faultOfHeaderName,
  faultOfHeaderValue,
  type HttpAnswer,
  type HttpRequest,
  HttpSendError,
} from '../../../home/http-sender.ts';
import { shorten } from '../../../home/vocabulary/values.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { Json, JsonObject } from '../../../kernel/json.ts';
import { parseUrl } from '../../../kernel/parse-url.ts';
import type { ErrorReason } from '../../../kernel/reasons.ts';
import type { Template } from '../field-types.ts';
import { isTooDeep } from '../nesting.ts';
import { invalid } from '../parsing/faults.ts';
import { field, optional, type ValuesOf, withDefault } from '../parsing/field.ts';
import { oneOf } from '../parsing/field-kinds.ts';
import { Fields, parseText } from '../parsing/fields.ts';
import { hasTemplate } from '../parsing/parsing.ts';
import { publicAddress } from '../secrets.ts';
import { ActionFailure, actionKind, type RunContext } from './action-kind.ts';
import { templates } from './fields.ts';
import { renderText } from './rendered.ts';

/** wire-facts §6.2. */
const TIMEOUT_MS = 30_000;

const JSON_TYPE = 'application/json';
const TEXT_TYPE = 'text/plain; charset=utf-8';
/** Why there was no response. */
const REASONS = {
  refused_address: 'web_forbidden',
  invalid_url: 'web_forbidden',
  timeout: 'web_timeout',
  network: 'web_network',
} as const satisfies Readonly<Record<Exclude<HttpSendError['reason'], 'cancelled'>, ErrorReason>>;

const NO_ANSWER = { status: 0, statusText: '', headers: {}, body: null, ok: false };

const MAX_HEADERS = 50;
const WHAT = 'an address that begins with http:// or https://';

const URL_FIELD = field(
  WHAT,
  textSchema('May hold templates. Without user and query for callers who may not change the flow.'),
  (value, path, { parsing }): Template => {
    const url = parseText(value, path).trim();
    if (hasTemplate(url)) return parsing.template(url, path);
    const parsed = parseUrl(url);
    if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return url;
    throw invalid(path, `it must be ${WHAT}`);
  },
);

const HEADERS = field(
  'an object',
  z.record(z.string(), z.string()).meta({
    description: 'May hold templates. Without their values for callers who may not change the flow.',
  }),
  (value, path, { parsing }): Readonly<Record<string, Template>> => {
    const headers = new Fields(value, path, 'headers');
    const names = Object.keys(value as object);
    if (names.length > MAX_HEADERS) throw invalid(path, `there may be at most ${MAX_HEADERS} headers`);
    const entries = names.map((name) => {
      const nameFault = name in {} ? 'is no name of a header' : faultOfHeaderName(name);
      if (nameFault !== null) throw invalid(headers.at(shorten(name)), `it ${nameFault}`);
      const text = headers.text(name);
      // The value of a template is validated when the request is sent.
      const valueFault = hasTemplate(text) ? null : faultOfHeaderValue(text);
      if (valueFault !== null) throw invalid(headers.at(name), `it ${valueFault}`);
      return [name, parsing.template(text, headers.at(name))] as const;
    });
    return Object.fromEntries(entries);
  },
);

const FIELDS = {
  url: URL_FIELD,
  method: withDefault(oneOf(['GET', 'POST', 'PUT', 'DELETE'], '`POST` if left out.'), 'POST'),
  headers: optional(HEADERS),
  body: optional(templates('The content.')),
};

export const fireWebhook = actionKind({
  type: 'fire_webhook',
  fields: FIELDS,
  effect: 'once',
  summarize: ({ method, url }) => `${method} ${shorten(publicAddress(url))}`,
  async execute(action, run) {
    if (!run.ports.automations.mayReachOut(run.program.id)) {
      throw new HearthError(
        'insufficient_permissions',
        'The app or access token that made this automation may not act here now.',
      );
    }
    const { output, failure } = await send(requestOf(action, run), run);
    if (output.ok === true || action.onError !== 'retry') return output;
    const sentence = typeof output.error === 'string' ? output.error : `The answer was ${output.status}`;
    throw new ActionFailure('accessory_error', sentence, output, {
      reason: failure ? REASONS[failure] : 'web_refused',
    });
  },
});

async function send(
  request: HttpRequest,
  run: RunContext,
): Promise<{ readonly output: JsonObject; readonly failure?: keyof typeof REASONS }> {
  try {
    return { output: presentAnswer(await run.ports.http.send(request)) };
  } catch (error) {
    if (!(error instanceof HttpSendError) || error.reason === 'cancelled') throw error;
    return { output: { ...NO_ANSWER, error: error.message }, failure: error.reason };
  }
}

function requestOf(action: ValuesOf<typeof FIELDS>, run: RunContext): HttpRequest {
  const headers = Object.entries(action.headers ?? {}).map(
    ([name, template]) => [name, renderSecret(run, template, `headers.${name}`)] as const,
  );
  const content = action.body === undefined ? undefined : contentOf(run.render(action.body));
  const hasContentType = headers.some(([name]) => name.toLowerCase() === 'content-type');
  if (content && !hasContentType) headers.push(['content-type', content.type]);
  return {
    url: renderSecret(run, action.url, 'url'),
    method: action.method,
    headers: Object.fromEntries(headers),
    body: content?.body,
    timeoutMs: TIMEOUT_MS,
    signal: run.signal,
  };
}

/** The error omits the template: the text around its expressions may be secret. */
function renderSecret(run: RunContext, template: string, name: string): string {
  try {
    return renderText(run, template, name);
  } catch (error) {
    if (!(error instanceof HearthError)) throw error;
    const reason = error.cause instanceof Error ? error.cause.message : 'it must come to a text';
    throw new HearthError(error.code, `${name}: ${reason}`, { field: name });
  }
}

/** Sends text unchanged, and every other value as JSON. */
function contentOf(value: Json): { readonly body: string; readonly type: string } {
  if (typeof value !== 'string') return { body: JSON.stringify(value), type: JSON_TYPE };
  return { body: value, type: parseJson(value) === undefined ? TEXT_TYPE : JSON_TYPE };
}

function presentAnswer({ status, statusText, headers, body }: HttpAnswer): JsonObject {
  const isJson = /[/+]json\b/i.test(headers['content-type'] ?? '');
  // A truncated body is no longer valid JSON: it stays text.
  const parsed = isJson ? parseJson(body) : undefined;
  return { status, statusText, headers: { ...headers }, body: parsed ?? body, ok: status >= 200 && status < 300 };
}

/** Parses objects and lists only: `5` and `true` stay text, as does a value that is nested too deep. */
function parseJson(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === 'object' && value !== null && !isTooDeep(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
