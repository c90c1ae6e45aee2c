/**
 * The static pages: the manual, the API reference and GraphiQL, built by Vite into `dist/web`. Only files in the
 * build's list are served, which is read once when the API is created: no request's path ever becomes a file's path.
 * The pages hold no data, so they need no token; they request their data from the API, with a token that a person typed
 * in.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Hono } from 'hono';
import { HearthError } from '../../kernel/errors.ts';
import { PROGRAM_FOLDER } from '../../kernel/program-folder.ts';
import type { ApiContext, ApiEnv } from '../env.ts';
import { ASK_AGAIN, answerKept, FOR_EVER } from '../negotiate.ts';

/** The build's output directory. `src` has only the sources. */
export const BUILT_PAGES = fileURLToPath(new URL('web/', PROGRAM_FOLDER));

/** One row of `manifest.json`, as `web/vite.config.ts` writes it. */
interface Asset {
  /** Relative to the directory: `docs/index.html`, `assets/docs-BLd2a9_x.js`. Beside each is a gzipped copy, `….gz`. */
  readonly path: string;
  readonly type: string;
  readonly etag: string;
  /** Its name contains a hash of its content. */
  readonly immutable: boolean;
  /** A copy in Brotli, `….br`, is beside it too. */
  readonly hasBrotli?: boolean;
}

const SUFFIX = { br: '.br', gzip: '.gz' } as const;

/** The paths of the pages with scripts, each with its built file. */
const PAGES = { '/docs/api': 'docs/api/index.html', '/graphiql': 'graphiql/index.html' } as const;

/**
 * A page may run its own script files but no inline scripts, connect only to the relay that served it, and not be
 * framed. Swagger UI and CodeMirror write inline styles; both have their images and fonts inside the style sheet.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The manual is text with pictures: its styles are in its style sheet, and nothing becomes markup. */
export const MANUAL_POLICY = [
  PAGE_POLICY.replace("style-src 'self' 'unsafe-inline'", "style-src 'self'").replace(
    'img-src data:',
    "img-src 'self' data:",
  ),
  'trusted-types',
  "require-trusted-types-for 'script'",
].join('; ');

/** Public, before authentication. @throws `not_found` no such page, or none are built */
export function pageRoutes(directory: string): Hono<ApiEnv> {
  const serve = assetServer(directory);
  const app = new Hono<ApiEnv>();
  for (const [address, file] of Object.entries(PAGES)) app.get(address, (c) => serve(c, file));
  const manual = { policy: MANUAL_POLICY };
  app.get('/docs', (c) => serve(c, 'docs/index.html', manual));
  app.get('/docs/search.json', (c) => serve(c, 'docs/search.json', manual));
  // Encoded again: one path segment is one name, with any characters.
  app.get('/docs/:page', (c) => serve(c, `docs/${encodeURIComponent(c.req.param('page'))}.html`, manual));
  return app.get('/assets/:file', (c) => serve(c, `assets/${c.req.param('file')}`));
}

/** The headers of a built file, beside the common ones. */
interface AssetHeaders {
  readonly policy?: string;
  readonly permissions?: string;
  /** The request header, beside Accept-Encoding, that selects the file. */
  readonly varies?: string;
}

/** @returns a function that responds with a built file. @throws `not_found` no such file, or none are built */
export function assetServer(
  directory: string,
): (c: ApiContext, path: string, headers?: AssetHeaders) => Promise<Response> {
  const assets = readManifest(directory);
  return (c, path, headers) => {
    if (assets.size === 0) throw notBuilt();
    const asset = assets.get(path);
    if (!asset) throw new HearthError('not_found', 'Not found: there is nothing at this address.');
    return answerAsset(c, directory, asset, headers);
  };
}

/** Empty if there is no list, or an unreadable one: the relay works without pages. */
export function readManifest(directory: string): ReadonlyMap<string, Asset> {
  try {
    // The build's own file, beside the daemon's own code: it needs no schema.
    const list = JSON.parse(readFileSync(`${directory}/manifest.json`, 'utf8')) as readonly Asset[];
    return new Map(list.map((asset) => [asset.path, asset]));
  } catch {
    return new Map();
  }
}

function answerAsset(
  c: ApiContext,
  directory: string,
  { path, type, etag, immutable, hasBrotli }: Asset,
  { policy = PAGE_POLICY, permissions, varies }: AssetHeaders = {},
): Promise<Response> {
  const kept = { type, etag, cacheControl: immutable ? FOR_EVER : ASK_AGAIN, policy, permissions, varies, hasBrotli };
  return answerKept(c, kept, async (coding) => {
    try {
      return await readFile(`${directory}/${path}${coding ? SUFFIX[coding] : ''}`);
    } catch (cause) {
      // Another build is there now, with other file names.
      throw new HearthError('not_found', 'This page was replaced while hearthd ran: restart it.', {}, { cause });
    }
  });
}

function notBuilt(): HearthError {
  return new HearthError('not_found', 'The pages are not built: run "npm run build" and start hearthd from its build.');
}
