/**
 * `GET /openapi.json`. The first request loads the descriptions and renders them: most relays never get one, and need
 * not hold them.
 */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import type { JsonSchema } from '../../contract/json-schema.ts';
import { loadOnce } from '../../kernel/load-once.ts';
import type { ApiEnv } from '../env.ts';
import { ASK_AGAIN, answerKept } from '../negotiate.ts';

/** Public. */
export function openApiRoutes(version: string): Hono<ApiEnv> {
  const load = loadOnce(async () => render((await import('./openapi.ts')).createOpenApi(version)));
  return new Hono<ApiEnv>().get('/openapi.json', async (c) => {
    const { plain, gzipped, etag } = await load();
    const kept = { type: 'application/json', etag, cacheControl: ASK_AGAIN };
    return answerKept(c, kept, (compressed) => (compressed ? gzipped : plain));
  });
}

/** The serialised document. */
interface RenderedDocument {
  readonly plain: Buffer<ArrayBuffer>;
  readonly gzipped: Buffer<ArrayBuffer>;
  readonly etag: string;
}

function render(document: JsonSchema): RenderedDocument {
  const plain = Buffer.from(JSON.stringify(document));
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { plain, gzipped: gzipSync(plain), etag };
}
