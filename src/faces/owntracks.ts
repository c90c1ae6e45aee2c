/**
 * POST `/owntracks`: the OwnTracks app's HTTP mode (https://owntracks.org/booklet/tech/http/). Positions of phones become
 * presence; everything else that the app sends is taken politely and forgotten. It can only sign in with a user name and a
 * password: the password is an access token.
 */
import { Hono } from 'hono';
import type { AccessTokens } from '../app/access/access-tokens.ts';
import type { People } from '../app/presence/people.ts';
import type { Clock } from '../kernel/clock.ts';
import { HearthError } from '../kernel/errors.ts';
import { authenticateBasic, basicUserName } from './authenticate.ts';
import type { FaceContext, FaceEnv } from './env.ts';
import { guardBody, guardJson } from './guards.ts';
import { answerJson } from './respond.ts';
import { queryId, readJson } from './rest/request.ts';

export interface OwnTracksDeps {
  readonly people: People;
  readonly tokens: Pick<AccessTokens, 'authenticate'>;
  readonly clock: Clock;
}

const PATH = '/owntracks';

/** Messages that say where somebody is: now and then, and on entering or leaving a region. */
const POSITIONS: ReadonlySet<unknown> = new Set(['location', 'transition']);

export function ownTracksRoutes({ people, tokens, clock }: OwnTracksDeps): Hono<FaceEnv> {
  return new Hono<FaceEnv>().post(PATH, authenticateBasic(tokens), guardBody(), guardJson(), async (c) => {
    const message = await readMessage(c);
    const { lat: latitude, lon: longitude, acc: accuracy, tst } = message;
    // The app sends what is refused again and again, and everything else after it: a region's name alone says nothing here.
    const isPlaced = message._type === 'location' || latitude !== undefined || longitude !== undefined;
    if (POSITIONS.has(message._type) && isPlaced) {
      const at = typeof tst === 'number' && Number.isFinite(tst) ? tst * 1000 : clock.now();
      const homeId = queryId(c, 'home');
      const report = { latitude, longitude, ...(accuracy !== undefined && { accuracy }), at };
      people.report(c.get('caller'), { name: nameOf(c), homeId }, report);
    }
    // Other people's positions and commands could be sent back here; the app is content with none.
    return answerJson([]);
  });
}

/** @throws `invalid_request` · `invalid_value` it is encrypted */
async function readMessage(c: FaceContext): Promise<Readonly<Record<string, unknown>>> {
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

/** As the app names its user, by header or query; else the user name that it signs in with. @throws `invalid_request` */
function nameOf(c: FaceContext): string {
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
