/**
 * POST `/owntracks`: the OwnTracks app's HTTP mode (https://owntracks.org/booklet/tech/http/). Positions of phones
 * become presence; the relay accepts and ignores every other message of the app. The app can only authenticate with a
 * user name and a password: the password is an access token.
 */
import { Hono } from 'hono';
import type { AccessTokens } from '../app/access/access-tokens.ts';
import type { People } from '../app/presence/people.ts';
import type { Clock } from '../kernel/clock.ts';
import { HearthError } from '../kernel/errors.ts';
import { authenticateBasic, basicUserName } from './authenticate.ts';
import type { ApiContext, ApiEnv } from './env.ts';
import { guardBody, guardJson } from './guards.ts';
import { readJson } from './read-body.ts';
import { queryId } from './read-query.ts';
import { answerJson } from './respond.ts';

export interface OwnTracksDeps {
  readonly people: People;
  readonly tokens: Pick<AccessTokens, 'authenticate'>;
  readonly clock: Clock;
}

const PATH = '/owntracks';

/** Messages with a position: sent at intervals, and on entering or leaving a region. */
const POSITIONS: ReadonlySet<unknown> = new Set(['location', 'transition']);

export function ownTracksRoutes({ people, tokens, clock }: OwnTracksDeps): Hono<ApiEnv> {
  return new Hono<ApiEnv>().post(PATH, authenticateBasic(tokens), guardBody(), guardJson(), async (c) => {
    const message = await readMessage(c);
    const { lat: latitude, lon: longitude, acc: accuracy, tst } = message;
    // The app retries a rejected message again and again, and every later message waits behind it. A region's name
    // alone is not a position here.
    const isPlaced = message._type === 'location' || latitude !== undefined || longitude !== undefined;
    if (POSITIONS.has(message._type) && isPlaced) {
      const at = typeof tst === 'number' && Number.isFinite(tst) ? tst * 1000 : clock.now();
      const homeId = queryId(c, 'home');
      const report = { latitude, longitude, ...(accuracy !== undefined && { accuracy }), at };
      people.report(c.get('caller'), { name: nameOf(c), homeId }, report);
    }
    // The response could contain other people's positions and commands; the app accepts an empty list.
    return answerJson([]);
  });
}

/** @throws `invalid_request` · `invalid_value` the message is encrypted */
async function readMessage(c: ApiContext): Promise<Readonly<Record<string, unknown>>> {
  const message = await readJson(c);
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    throw new HearthError('invalid_request', 'The body must be a JSON object, as OwnTracks sends it.');
  }
  const fields = message as Readonly<Record<string, unknown>>;
  if (fields._type === 'encrypted') {
    throw new HearthError(
      'invalid_value',
      'This message is encrypted: leave the encryption key in OwnTracks empty, and use https instead.',
      { field: '_type' },
    );
  }
  return fields;
}

/**
 * The user name that the app sends in a header or the query; else the one it authenticates with. @throws
 * `invalid_request`
 */
function nameOf(c: ApiContext): string {
  const name = asUtf8(c.req.header('x-limit-u') ?? '') || c.req.query('u') || basicUserName(c);
  if (name) return name;
  throw new HearthError(
    'invalid_request',
    'Who is it? Set a user name in OwnTracks, or add ?u=<name> to the address.',
    {
      field: 'u',
    },
  );
}

/** Node reads headers as Latin-1; the app writes names in UTF-8. */
function asUtf8(header: string): string {
  const text = Buffer.from(header, 'latin1').toString('utf8');
  return text.includes('\uFFFD') ? header : text;
}
