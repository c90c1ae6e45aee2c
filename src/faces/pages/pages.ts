/**
 * The pages that a browser may open: the API reference and GraphiQL, built by Vite into `dist/web`. What is served is the list that
 * the build wrote, read once when the face is made: no request's path ever becomes a file's path. The pages hold no data, so they
 * need no token; what they show they ask the API for, with a token that a person typed in.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Hono } from 'hono';
import { HearthError } from '../../kernel/errors.ts';
import { PROGRAM_FOLDER } from '../../kernel/program-folder.ts';
import type { FaceContext, FaceEnv } from '../env.ts';
import { ASK_AGAIN, answerKept, FOR_EVER } from '../negotiate.ts';

/** Where the build puts them. In `src` there is nothing but their sources. */
export const BUILT_PAGES = fileURLToPath(new URL('web/', PROGRAM_FOLDER));

/** One row of `manifest.json`, as `vite.config.ts` writes it. */
interface Asset {
  /** Below the directory: `docs/index.html`, `assets/docs-BLd2a9_x.js`. Beside each lies a gzipped copy, `….gz`. */
  readonly path: string;
  readonly type: string;
  readonly etag: string;
  /** Its name has a hash of its content. */
  readonly immutable: boolean;
}

/** The addresses of the pages, each with the folder it is built into. */
const PAGES = ['docs', 'graphiql'] as const;

/**
 * A page may run its own scripts and nothing written into it, talk to the relay that served it and to nobody else, and be framed by
 * nobody. Styles are written into elements by Swagger UI and CodeMirror; both have their pictures and fonts inside the style sheet.
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

/** Anybody may ask, before authentication. @throws `not_found` no such page, or none are built */
export function pageRoutes(directory: string): Hono<FaceEnv> {
  const serve = assetServer(directory);
  const app = new Hono<FaceEnv>();
  for (const page of PAGES) app.get(`/${page}`, (c) => serve(c, `${page}/index.html`));
  return app.get('/assets/:file', (c) => serve(c, `assets/${c.req.param('file')}`));
}

/** What is asked of a built file, beside what all have in common. */
interface AssetHeaders {
  readonly policy?: string;
  readonly permissions?: string;
  /** The request header, beside Accept-Encoding, that decides which file it is. */
  readonly varies?: string;
}

/** @returns a function that answers with a built file. @throws `not_found` no such file, or none are built */
export function assetServer(
  directory: string,
): (c: FaceContext, path: string, headers?: AssetHeaders) => Promise<Response> {
  const assets = readManifest(directory);
  return (c, path, headers) => {
    if (assets.size === 0) throw notBuilt();
    const asset = assets.get(path);
    if (!asset) throw new HearthError('not_found', 'Not found: there is nothing at this address.');
    return answerAsset(c, directory, asset, headers);
  };
}

/** Nothing where there is no list, or none that can be read: the house works without pages. */
export function readManifest(directory: string): ReadonlyMap<string, Asset> {
  try {
    // Our own build's file, beside our own code: it needs no schema.
    const list = JSON.parse(readFileSync(`${directory}/manifest.json`, 'utf8')) as readonly Asset[];
    return new Map(list.map((asset) => [asset.path, asset]));
  } catch {
    return new Map();
  }
}

function answerAsset(
  c: FaceContext,
  directory: string,
  { path, type, etag, immutable }: Asset,
  { policy = PAGE_POLICY, permissions, varies }: AssetHeaders = {},
): Promise<Response> {
  const kept = { type, etag, cacheControl: immutable ? FOR_EVER : ASK_AGAIN, policy, permissions, varies };
  return answerKept(c, kept, async (gzipped) => {
    try {
      return await readFile(`${directory}/${path}${gzipped ? '.gz' : ''}`);
    } catch (cause) {
      // Another build lies there now, under other names.
      throw new HearthError('not_found', 'This page was replaced while hearthd ran: restart it.', {}, { cause });
    }
  });
}

function notBuilt(): HearthError {
  return new HearthError('not_found', 'The pages are not built: run "npm run build" and start hearthd from its build.');
}
