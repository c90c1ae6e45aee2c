/**
 * A style sheet of pages, the same for every client: browsers cache and revalidate it, and get 304 until it changes.
 */
import { gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { sha256Hex } from '../../kernel/secrets.ts';
import type { ApiEnv } from '../env.ts';
import { ASK_AGAIN, answerKept } from '../negotiate.ts';

export function styleSheetRoutes(path: string, style: string): Hono<ApiEnv> {
  const plain = Buffer.from(style.trim());
  const kept = { type: 'text/css; charset=utf-8', etag: `"${sha256Hex(style).slice(0, 32)}"`, cacheControl: ASK_AGAIN };
  let zipped: Buffer<ArrayBuffer> | undefined;
  return new Hono<ApiEnv>().get(path, (c) =>
    answerKept(c, kept, (coding) => {
      if (!coding) return plain;
      zipped ??= gzipSync(plain);
      return zipped;
    }),
  );
}
