/** The pages' style sheet, the same for everybody: kept by browsers, asked for again, and answered with 304 until it changes. */
import { gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { sha256Hex } from '../../kernel/secrets.ts';
import type { FaceEnv } from '../env.ts';
import { ASK_AGAIN, answerKept } from '../negotiate.ts';
import { STYLE, STYLE_PATH } from './style.ts';

export function styleRoutes(): Hono<FaceEnv> {
  const plain = Buffer.from(STYLE.trim());
  const etag = `"${sha256Hex(STYLE).slice(0, 32)}"`;
  let zipped: Buffer<ArrayBuffer> | undefined;
  return new Hono<FaceEnv>().get(STYLE_PATH, (c) =>
    answerKept(c, { type: 'text/css; charset=utf-8', etag, cacheControl: ASK_AGAIN }, (gzipped) => {
      if (!gzipped) return plain;
      zipped ??= gzipSync(plain);
      return zipped;
    }),
  );
}
