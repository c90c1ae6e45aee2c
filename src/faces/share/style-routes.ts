import { gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { sha256Hex } from '../../kernel/secrets.ts';
import type { FaceEnv } from '../env.ts';
import { ASK_AGAIN, answerKept } from '../negotiate.ts';
import { SHARE_STYLE, SHARE_STYLE_PATH } from './style.ts';

/** The same for every share, so that it stands apart from them and is kept by browsers. */
export function shareStyleRoutes(): Hono<FaceEnv> {
  const plain = Buffer.from(SHARE_STYLE.trim());
  const zipped = gzipSync(plain);
  const etag = `"${sha256Hex(SHARE_STYLE).slice(0, 32)}"`;
  const kept = { type: 'text/css; charset=utf-8', etag, cacheControl: ASK_AGAIN };
  return new Hono<FaceEnv>().get(SHARE_STYLE_PATH, (c) => answerKept(c, kept, (gzipped) => (gzipped ? zipped : plain)));
}
