/**
 * The client metadata that an app registers (RFC 7591). The relay keeps the fields that it knows and ignores the rest,
 * as the RFC requires. All of it is unverified and shown as such; the relay never fetches a URL in it.
 */
import { isSeen } from '../../home/names.ts';
import { isLoopbackHost, isNative, kindOfRedirect, MAX_URI_LENGTH } from './redirect-uri.ts';
import { parseScope, presentScope } from './scope.ts';

/** RFC 7591 §3.2.2. */
export class RegistrationError extends Error {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata';

  constructor(error: RegistrationError['error'], sentence: string) {
    super(sentence);
    this.error = error;
  }
}

export interface ClientMetadata {
  readonly redirectUris: readonly string[];
  readonly clientName: string | null;
  readonly clientUri: string | null;
  readonly logoUri: string | null;
  readonly authMethod: 'none' | 'client_secret_post';
  /** In the relay's spelling; `null` if it named none. */
  readonly scope: string | null;
}

const MAX_REDIRECT_URIS = 20;
/** Longer names are truncated. */
const MAX_NAME_LENGTH = 200;
const GRANT_TYPES = ['authorization_code', 'refresh_token'];
const AUTH_METHODS = ['none', 'client_secret_post'] as const;

/** @throws `RegistrationError` */
export function parseClientMetadata(input: unknown): ClientMetadata {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw invalid('The body must be a JSON object.');
  }
  const fields = input as Readonly<Record<string, unknown>>;
  requireAmong(fields.grant_types, 'authorization_code', 'grant_types');
  requireAmong(fields.response_types, 'code', 'response_types');
  return {
    redirectUris: parseRedirectUris(fields.redirect_uris),
    clientName: parseName(fields.client_name),
    clientUri: parseWebUri(fields.client_uri, 'client_uri'),
    logoUri: parseWebUri(fields.logo_uri, 'logo_uri'),
    authMethod: parseAuthMethod(fields.token_endpoint_auth_method),
    scope: parseScopeField(fields.scope),
  };
}

/** The metadata as on the wire. The grant types are those that the relay offers, regardless of what the app named. */
export function presentClientMetadata(metadata: ClientMetadata): Record<string, unknown> {
  return {
    redirect_uris: metadata.redirectUris,
    ...(metadata.clientName !== null && { client_name: metadata.clientName }),
    ...(metadata.clientUri !== null && { client_uri: metadata.clientUri }),
    ...(metadata.logoUri !== null && { logo_uri: metadata.logoUri }),
    grant_types: GRANT_TYPES,
    response_types: ['code'],
    token_endpoint_auth_method: metadata.authMethod,
    ...(metadata.scope !== null && { scope: metadata.scope }),
  };
}

function parseRedirectUris(input: unknown): readonly string[] {
  if (!Array.isArray(input) || input.length === 0) throw invalid('redirect_uris must name at least one address.');
  if (input.length > MAX_REDIRECT_URIS) throw invalid(`redirect_uris may name ${MAX_REDIRECT_URIS} addresses at most.`);
  for (const uri of input) {
    if (typeof uri === 'string' && kindOfRedirect(uri) !== undefined) continue;
    throw invalidRedirect(
      'Each of redirect_uris must be an https address, http on localhost, 127.0.0.1 or [::1], or have a scheme with a dot, as com.example.app:/callback; without fragment, user name and password.',
    );
  }
  const uris = input as readonly string[];
  // A program on this computer has no certificate for https there, so one of the two URIs is a mistake.
  if (isNative(uris) && uris.some((uri) => kindOfRedirect(uri) === 'web' && isLoopbackHost(new URL(uri).hostname))) {
    throw invalidRedirect('An app on this computer can be sent back to http on localhost, not to https on localhost.');
  }
  return [...new Set(uris)];
}

function parseName(input: unknown): string | null {
  if (input === undefined || input === null) return null;
  if (typeof input !== 'string') throw invalid('client_name must be text.');
  if (!isSeen(input)) {
    throw invalid('client_name must not contain characters that are invisible or change the direction of text.');
  }
  const name = [
    ...input
      .replace(/\p{Cs}/gu, '\uFFFD')
      .trim()
      .slice(0, MAX_NAME_LENGTH * 2),
  ]
    .slice(0, MAX_NAME_LENGTH)
    .join('');
  return name === '' ? null : name;
}

/** A URL that is safe to show to people: never one that executes code. */
function parseWebUri(input: unknown, field: string): string | null {
  if (input === undefined || input === null || input === '') return null;
  const url = typeof input === 'string' && input.length <= MAX_URI_LENGTH && URL.canParse(input) && new URL(input);
  if (url && (url.protocol === 'https:' || url.protocol === 'http:')) return url.href;
  throw invalid(`${field} must be an http or https address.`);
}

/**
 * Without this field, RFC 7591 defaults to HTTP Basic, which the relay does not offer. Apps without the field keep no
 * secret.
 */
function parseAuthMethod(input: unknown): ClientMetadata['authMethod'] {
  if (input === undefined || input === null) return 'none';
  const method = AUTH_METHODS.find((known) => known === input);
  if (!method) throw invalid(`token_endpoint_auth_method must be one of ${AUTH_METHODS.join(', ')}.`);
  return method;
}

function parseScopeField(input: unknown): string | null {
  if (input === undefined || input === null || input === '') return null;
  if (typeof input !== 'string') throw invalid('scope must be text: names with a blank between them.');
  const level = parseScope(input);
  return level === undefined ? null : presentScope(level);
}

/** Other values are ignored: the response lists the supported ones. */
function requireAmong(input: unknown, needed: string, field: string): void {
  if (input === undefined || input === null) return;
  if (!Array.isArray(input) || !input.includes(needed)) throw invalid(`${field} must name ${needed}.`);
}

function invalidRedirect(sentence: string): RegistrationError {
  return new RegistrationError('invalid_redirect_uri', sentence);
}

function invalid(sentence: string): RegistrationError {
  return new RegistrationError('invalid_client_metadata', sentence);
}
