/**
 * The client metadata that an app registers (RFC 7591). The relay keeps the fields that it knows and ignores the rest,
 * as the RFC requires. All of it is unverified and shown as such; the relay never fetches a URL in it.
 */
import { z } from 'zod';
import { isSeen } from '../home/names.ts';
import { parseUrl } from '../kernel/parse-url.ts';
import { id, integer, text } from './fields.ts';
import { parseScope, presentScope } from './oauth-scope.ts';
import type { Output } from './parse.ts';
import { isLoopbackHost, isNative, kindOfRedirect, MAX_URI_LENGTH } from './redirect-uri.ts';

// What the relay offers.
export const GRANT_TYPES = ['authorization_code', 'refresh_token'] as const;
export const RESPONSE_TYPES = ['code'] as const;
export const AUTH_METHODS = ['none', 'client_secret_post'] as const;

const MAX_REDIRECT_URIS = 20;
/** Longer names are truncated. */
const MAX_NAME_LENGTH = 200;

/** RFC 7591 §3.2.2. */
export class RegistrationError extends Error {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata';

  constructor(error: RegistrationError['error'], sentence: string) {
    super(sentence);
    this.error = error;
  }
}

/** Other values are ignored: the answer lists the supported ones. */
function listWith(field: string, needed: string) {
  const error = `${field} must name ${needed}.`;
  return z
    .array(z.unknown(), { error })
    .refine((list) => list.includes(needed), { error })
    .nullish();
}

/** An address that is safe to show to people: never one that executes code. */
function webAddress(field: string) {
  const error = `${field} must be an http or https address.`;
  return z
    .string({ error })
    .refine((uri) => uri === '' || isWebAddress(uri), { error })
    .transform((uri) => (uri === '' ? null : new URL(uri).href))
    .nullish();
}

const REDIRECT = { params: { error: 'invalid_redirect_uri' } } as const;
const NO_REDIRECT = 'redirect_uris must name at least one address.';

/** Any field besides `redirect_uris` may be absent or `null`. Errors come in this order. */
const ClientRegistration = z.object(
  {
    grant_types: listWith('grant_types', GRANT_TYPES[0]),
    response_types: listWith('response_types', RESPONSE_TYPES[0]),
    redirect_uris: z
      .array(z.unknown(), { error: NO_REDIRECT })
      .min(1, { error: NO_REDIRECT })
      .max(MAX_REDIRECT_URIS, { error: `redirect_uris may name ${MAX_REDIRECT_URIS} addresses at most.`, abort: true })
      .refine((uris): uris is string[] => uris.every((uri) => typeof uri === 'string' && kindOfRedirect(uri)), {
        ...REDIRECT,
        error:
          'Each of redirect_uris must be an https address, http on localhost, 127.0.0.1 or [::1], or have a scheme with a dot, as com.example.app:/callback; without fragment, user name and password.',
        abort: true,
      })
      // A program on this computer has no certificate for https there, so one of the two URIs is a mistake.
      .refine((uris) => !isNative(uris) || !uris.some(isLoopbackWeb), {
        ...REDIRECT,
        error: 'An app on this computer can be sent back to http on localhost, not to https on localhost.',
      })
      .transform((uris): readonly string[] => [...new Set(uris)]),
    client_name: z
      .string({ error: 'client_name must be text.' })
      .refine(isSeen, {
        error: 'client_name must not contain characters that are invisible or change the direction of text.',
      })
      .transform(truncateName)
      .nullish(),
    client_uri: webAddress('client_uri'),
    logo_uri: webAddress('logo_uri'),
    /** Its default in RFC 7591 is HTTP Basic, which the relay does not offer. Apps without it keep no secret. */
    token_endpoint_auth_method: z
      .enum(AUTH_METHODS, { error: `token_endpoint_auth_method must be one of ${AUTH_METHODS.join(', ')}.` })
      .nullish()
      .transform((method) => method ?? 'none'),
    /** In the relay's spelling; `null` if it names none that the relay has. */
    scope: z
      .string({ error: 'scope must be text: names with a blank between them.' })
      .transform((scope) => {
        const level = parseScope(scope);
        return level === undefined ? null : presentScope(level);
      })
      .nullish(),
  },
  { error: 'The body must be a JSON object.' },
);
type Registration = z.output<typeof ClientRegistration>;

/** The relay's own names of the fields that it keeps. */
const WIRE_NAMES = {
  redirectUris: 'redirect_uris',
  clientName: 'client_name',
  clientUri: 'client_uri',
  logoUri: 'logo_uri',
  authMethod: 'token_endpoint_auth_method',
  scope: 'scope',
} as const satisfies Readonly<Record<string, keyof Registration>>;
type WireNames = typeof WIRE_NAMES;

export type ClientMetadata = {
  readonly [Name in keyof WireNames]: Exclude<Registration[WireNames[Name]], undefined>;
};

/** @throws `RegistrationError` */
export function parseClientMetadata(input: unknown): ClientMetadata {
  const { data, error } = ClientRegistration.safeParse(input);
  const [issue] = error?.issues ?? [];
  if (issue?.code === 'custom' && issue.params?.error === REDIRECT.params.error) {
    throw new RegistrationError(REDIRECT.params.error, issue.message);
  }
  if (!data) throw new RegistrationError('invalid_client_metadata', issue?.message ?? '');
  const kept = Object.entries(WIRE_NAMES).map(([name, wire]) => [name, data[wire] ?? null]);
  return Object.fromEntries(kept) as ClientMetadata;
}

/**
 * The answer to a registration (RFC 7591 §3.2.1). The grant types are those that the relay offers, regardless of what
 * the app named.
 */
export const RegisteredApp = z.strictObject({
  client_id: id('For `/oauth/authorize` and `/oauth/token`.'),
  client_secret: text('Of apps with `client_secret_post`; shown this once.').optional(),
  client_secret_expires_at: z.literal(0).describe('Beside a secret: it does not expire.').optional(),
  client_id_issued_at: integer('Seconds since 1970.'),
  redirect_uris: z.array(z.string()),
  client_name: z.string().optional(),
  client_uri: z.string().optional(),
  logo_uri: z.string().optional(),
  token_endpoint_auth_method: z.enum(AUTH_METHODS),
  scope: z.string().optional(),
  grant_types: z.array(z.enum(GRANT_TYPES)),
  response_types: z.array(z.enum(RESPONSE_TYPES)),
});
export type RegisteredApp = Output<typeof RegisteredApp>;

/** The metadata as on the wire. */
export function presentClientMetadata(
  metadata: ClientMetadata,
): Omit<RegisteredApp, `client_id${string}` | `client_secret${string}`> {
  const { clientName, clientUri, logoUri, scope } = metadata;
  return {
    redirect_uris: metadata.redirectUris,
    ...(clientName !== null && { client_name: clientName }),
    ...(clientUri !== null && { client_uri: clientUri }),
    ...(logoUri !== null && { logo_uri: logoUri }),
    token_endpoint_auth_method: metadata.authMethod,
    ...(scope !== null && { scope }),
    grant_types: GRANT_TYPES,
    response_types: RESPONSE_TYPES,
  };
}

function isLoopbackWeb(uri: string): boolean {
  return kindOfRedirect(uri) === 'web' && isLoopbackHost(new URL(uri).hostname);
}

function isWebAddress(uri: string): boolean {
  const url = uri.length <= MAX_URI_LENGTH ? parseUrl(uri) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:';
}

function truncateName(input: string): string | null {
  const start = input
    .replace(/\p{Cs}/gu, '\uFFFD')
    .trim()
    .slice(0, MAX_NAME_LENGTH * 2);
  const name = [...start].slice(0, MAX_NAME_LENGTH).join('');
  return name === '' ? null : name;
}
