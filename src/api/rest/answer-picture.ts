import type { KeptPicture } from '../../app/layout/picture.ts';
import { type ApiContext, headerOf } from '../env.ts';
import { matchesEtag } from '../negotiate.ts';
import { answer } from '../respond.ts';

/** Pictures are for members. No browser keeps them: they would outlast a sign-out. Programs have the ETag. */
const KEPT_BY_NONE = 'no-store';

export function answerPicture(c: ApiContext, { type, hash, bytes }: KeptPicture): Response {
  const etag = `"${hash}"`;
  const kept = { ETag: etag, 'Cache-Control': KEPT_BY_NONE, Vary: 'Authorization' };
  if (matchesEtag(headerOf(c, 'if-none-match'), etag)) return answer(null, 304, kept);
  return answer(bytes, 200, { ...kept, 'Content-Type': type, 'Content-Length': String(bytes.byteLength) });
}
