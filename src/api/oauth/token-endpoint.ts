/**
 * Exchanges codes and refresh tokens for tokens (API §4.3), and revokes tokens (RFC 7009). The library decides; this
 * file adds:
 *
 * - A body may be JSON, and a public client may omit its id: clients of this API do both (wire-facts §9).
 * - Secrets are passed on hashed, as they are stored.
 * - A refresh token works once. Its reuse means theft and ends the sign-in (RFC 9700 §4.14): of several refreshes at
 * once one succeeds, and the next one revokes its tokens.
 * - With the setting `oauth_refresh_grace_seconds` a refresh that is repeated within the window gets the same response
 * again, until the successor is used.
 */
import { z } from 'zod';
import type { ArtifactKind } from '../../app/oauth/artifact-store.ts';
import type { Artifacts } from '../../app/oauth/artifacts.ts';
import type { OAuthClients } from '../../app/oauth/clients.ts';
import { GRANT_TYPES } from '../../contract/oauth-clients.ts';
import { HearthError } from '../../kernel/errors.ts';
import { sha256Hex } from '../../kernel/secrets.ts';
import { type ApiContext, headerOf } from '../env.ts';
import { internalError } from '../error-table.ts';
import { checkEnvelope, readJson, readText } from '../read-body.ts';
import { answer } from '../respond.ts';
import type { AuthorizationServers } from './authorization-server.ts';
import { oauthError } from './oauth-errors.ts';
import { PATHS } from './provider.ts';
import { hashClientSecret } from './provider-adapter.ts';
import { askProvider, errorOf, type ProviderAnswer } from './provider-bridge.ts';
import { isPlain, tokenParameters } from './request-parameters.ts';

export interface TokenEndpointDeps {
  readonly oauthArtifacts: Artifacts;
  readonly oauthClients: OAuthClients;
  readonly servers: AuthorizationServers;
  readonly originOf: (c: ApiContext) => string;
}

/** The part of the library's response that is passed on. */
type Outcome = Pick<ProviderAnswer, 'status' | 'body'>;

const JsonBody = z.record(z.string(), z.unknown());

export class TokenEndpoint {
  readonly #deps: TokenEndpointDeps;
  /** Refreshes in progress, by their token. */
  readonly #refreshing = new Map<string, Promise<unknown>>();

  constructor(deps: TokenEndpointDeps) {
    this.#deps = deps;
  }

  /** POST `/oauth/token`. Public. */
  async exchange(c: ApiContext): Promise<Response> {
    const refused = refuseHeader(c);
    if (refused) return refused;
    const origin = this.#deps.originOf(c);
    const parameters = this.#withClient(tokenParameters(await readParameters(c), origin));
    const nameless = refuseNameless(parameters);
    if (nameless) return nameless;
    const refreshToken = this.#refreshTokenOf(parameters);
    if (refreshToken === undefined) return present(await this.#ask(origin, parameters));
    return present(await this.#oneAtATime(refreshToken, () => this.#refresh(origin, parameters, refreshToken)));
  }

  /** POST `/oauth/revoke`. Public; another client's token stays valid, and the response is the same. */
  async revoke(c: ApiContext): Promise<Response> {
    const refused = refuseHeader(c);
    if (refused) return refused;
    const origin = this.#deps.originOf(c);
    const parameters = tokenParameters(await readParameters(c), origin);
    return present(await this.#askLibrary(PATHS.revoke, origin, parameters));
  }

  async #refresh(origin: string, parameters: URLSearchParams, refreshToken: string): Promise<Outcome> {
    const request = requestOf(parameters);
    const replay = this.#deps.oauthArtifacts.findReplay(refreshToken);
    if (replay?.clientId === parameters.get('client_id')) {
      const given = JSON.parse(replay.answer) as { readonly request: string; readonly body: string };
      if (given.request === request) return { status: 200, body: given.body };
    }
    return this.#ask(origin, parameters, ({ body }) => ({ refreshToken, answer: JSON.stringify({ request, body }) }));
  }

  /** Other requests with the same token wait, and then see its result. */
  async #oneAtATime<T>(refreshToken: string, work: () => Promise<T>): Promise<T> {
    const key = sha256Hex(refreshToken);
    while (this.#refreshing.has(key)) await this.#refreshing.get(key);
    const working = work();
    const settled = working.then(ignore, ignore);
    this.#refreshing.set(key, settled);
    try {
      return await working;
    } finally {
      this.#refreshing.delete(key);
    }
  }

  async #ask(
    origin: string,
    parameters: URLSearchParams,
    accept: (answered: ProviderAnswer) => { refreshToken?: string; answer: string } = () => ({ answer: '' }),
  ): Promise<Outcome> {
    const { result, isKept } = await this.#deps.oauthArtifacts.exchange(
      () => this.#askLibrary(PATHS.token, origin, parameters),
      (answered) => (answered.status === 200 ? accept(answered) : undefined),
    );
    return isKept ? result : { status: 400, body: JSON.stringify({ error: 'invalid_grant' }) };
  }

  async #askLibrary(target: string, origin: string, parameters: URLSearchParams): Promise<ProviderAnswer> {
    const form = new URLSearchParams(parameters);
    const secret = form.get('client_secret');
    if (secret !== null && secret !== '' && isPlain(form)) form.set('client_secret', hashClientSecret(secret));
    const server = await this.#deps.servers.at(origin);
    return askProvider(server.callback(), { method: 'POST', target, origin, form });
  }

  /** A public client without an id gets the id that the code or token was issued to. */
  #withClient(parameters: URLSearchParams): URLSearchParams {
    if (parameters.has('client_id')) return parameters;
    const [kind, value] = grantOf(parameters);
    const clientId = value === null ? undefined : this.#deps.oauthArtifacts.find(kind, value)?.clientId;
    const client = clientId === undefined ? undefined : this.#deps.oauthClients.find(clientId);
    if (client?.secretHash === null) parameters.set('client_id', client.id);
    return parameters;
  }

  /** The request's refresh token, if the client authenticates: otherwise only the library's error is possible. */
  #refreshTokenOf(parameters: URLSearchParams): string | undefined {
    const refreshToken = parameters.get('refresh_token');
    if (parameters.get('grant_type') !== 'refresh_token' || refreshToken === null || !isPlain(parameters))
      return undefined;
    const client = this.#deps.oauthClients.find(parameters.get('client_id') ?? '');
    const secret = parameters.get('client_secret') || undefined;
    return client && this.#deps.oauthClients.proves(client, secret) ? refreshToken : undefined;
  }
}

/** A form, as in OAuth, or JSON, as some clients send. @throws `invalid_request` · `unsupported_media_type` */
async function readParameters(c: ApiContext): Promise<URLSearchParams> {
  const [type = ''] = (headerOf(c, 'content-type') ?? '').toLowerCase().split(';');
  if (type.trim() === 'application/x-www-form-urlencoded') return new URLSearchParams(await readText(c));
  if (type.trim() === 'application/json') {
    const fields = Object.entries(checkEnvelope(await readJson(c), JsonBody));
    return new URLSearchParams(
      fields.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as [string, string]] : [])),
    );
  }
  throw new HearthError('unsupported_media_type', 'Send a form (application/x-www-form-urlencoded), or JSON.');
}

function grantOf(parameters: URLSearchParams): readonly [ArtifactKind, string | null] {
  return parameters.get('grant_type') === 'refresh_token'
    ? ['RefreshToken', parameters.get('refresh_token')]
    : ['AuthorizationCode', parameters.get('code')];
}

/**
 * The request names no client, and its code or token does not identify one: it is unknown, or belongs to a client that
 * has to authenticate. One response for both. The library handles malformed requests.
 */
function refuseNameless(parameters: URLSearchParams): Response | undefined {
  const grantType = parameters.get('grant_type');
  if (parameters.has('client_id') || grantType === null || !isPlain(parameters)) return undefined;
  if (!GRANT_TYPES.some((one) => one === grantType)) {
    return oauthError('unsupported_grant_type', `grant_type is ${GRANT_TYPES.join(' or ')}.`, 400);
  }
  const [, value] = grantOf(parameters);
  if (value === null) return undefined;
  return oauthError(
    'invalid_grant',
    `${SENTENCES.invalid_grant} An app that has a secret must send its client_id.`,
    400,
  );
}

/** The parameters of a refresh: a second refresh with others is not a repetition of the first. */
function requestOf(parameters: URLSearchParams): string {
  return JSON.stringify([parameters.get('scope'), parameters.get('resource')]);
}

/** RFC 6749 §5.2: the response to a client that used the header names the scheme to use instead. */
function refuseHeader(c: ApiContext): Response | undefined {
  if (!/^basic /i.test(headerOf(c, 'authorization') ?? '')) return undefined;
  return oauthError('invalid_client', 'Send client_id and client_secret in the body.', 401, {
    'WWW-Authenticate': 'Basic realm="hearthd"',
  });
}

function present(outcome: Outcome): Response {
  const { status, body } = outcome;
  if (status === 200)
    return answer(body, 200, body === '' ? {} : { 'Content-Type': 'application/json', Pragma: 'no-cache' });
  const { error, description } = errorOf(outcome);
  const sentence = error === 'server_error' ? internalError().message : (description ?? SENTENCES[error]);
  return oauthError(error, sentence ?? 'The request was refused.', status);
}

const SENTENCES: Readonly<Record<string, string>> = {
  invalid_grant: 'The code or refresh token is invalid, expired, or was used before.',
};

function ignore(): void {}
