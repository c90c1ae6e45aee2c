/**
 * The build step for the repository's documents: a page for each below `/docs`, and the search index. Loaded by
 * `web/vite.config.ts`, not by any page; `npm run docs` makes a static site of the same pages.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';
import {
  escapeHtml,
  isServed,
  menuOf,
  pictureFile,
  renderDocuments,
  renderMenu,
  renderPreviousNext,
  type SourceDocument,
} from './render-docs.ts';
import { onSite, type Site, siteFile, siteIndex } from './static-site.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** The folders with documents. */
const FOLDERS = ['.', 'src', 'src/docs/manual', 'src/docs/contract', 'src/docs/security', 'test'];
const PICTURES = join(ROOT, 'src/docs/manual/pictures');
const CONTENTS = 'src/docs/manual/index.md';
/** The frame of every page: Vite inserts the names of its script and style. */
const FRAME = 'docs/page.html';
const REFERENCE = 'docs/api/index.html';

function readDocuments(): readonly SourceDocument[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => (folder === '.' ? name : `${folder}/${name}`)),
  )
    .filter(isServed)
    .map((path) => ({ path, markdown: readFileSync(join(ROOT, path), 'utf8') }));
}

interface BuiltFile {
  /** Below `dist/web`. */
  readonly fileName: string;
  readonly source: string;
}

/** @param frame the HTML frame of all pages */
function buildFiles(frame: string): readonly BuiltFile[] {
  const documents = readDocuments();
  const contents = documents.find(({ path }) => path === CONTENTS);
  if (!contents) throw new Error(`There is no ${CONTENTS}`);
  const pages = renderDocuments(documents);
  const menu = menuOf(contents);
  const files = pages.map(({ address, title, html }) => ({
    fileName: address === '/docs' ? 'docs/index.html' : `${address.slice(1)}.html`,
    source: fill(frame, {
      title: escapeHtml(address === '/docs' ? title : `${title} · hearthd manual`),
      menu: renderMenu(menu, pages, address),
      content: html,
      previousNext: renderPreviousNext(menu, pages, address),
    }),
  }));
  const index = JSON.stringify(pages.flatMap(({ sections }) => sections));
  return [...files, { fileName: 'docs/search.json', source: index }];
}

/** Replaces each comment in the frame with the part of that name. */
function fill(frame: string, parts: Readonly<Record<string, string>>): string {
  return frame.replaceAll(/<!--(\w+)-->|\{\{(\w+)\}\}/g, (_, comment?: string, braces?: string) => {
    const part = parts[comment ?? braces ?? ''];
    if (part === undefined) throw new Error(`Pages have no part ${comment ?? braces}`);
    return part;
  });
}

function moveToSite({ fileName, source }: BuiltFile, site: Site): BuiltFile {
  const moved = fileName.endsWith('.json') ? siteIndex(source, site) : onSite(source, site);
  return { fileName: siteFile(fileName), source: moved };
}

/** @param site makes a static site; without it, the relay serves the pages */
export function docs(site?: Site): Plugin {
  return {
    name: 'hearthd-docs',
    enforce: 'post',
    /** The development server renders pages at each request. */
    configureServer(server) {
      server.middlewares.use('/docs', async ({ url = '/' }, response, next) => {
        try {
          const path = url.replace(/[?#].*$/, '').replace(/\/$/, '');
          if (path === '/api') {
            const page = readFileSync(join(ROOT, 'src/web/docs/api/index.html'), 'utf8');
            response.setHeader('Content-Type', 'text/html; charset=utf-8');
            return response.end(await server.transformIndexHtml('/docs/api/index.html', page));
          }
          const frame = await server.transformIndexHtml(
            `/${FRAME}`,
            readFileSync(join(ROOT, 'src/web', FRAME), 'utf8'),
          );
          const name =
            path === '/search.json' ? 'docs/search.json' : path === '' ? 'docs/index.html' : `docs${path}.html`;
          const file = buildFiles(frame).find(({ fileName }) => fileName === name);
          if (!file) return next();
          response.setHeader('Content-Type', name.endsWith('.json') ? 'application/json' : 'text/html; charset=utf-8');
          response.end(file.source);
        } catch (error) {
          next(error);
        }
      });
    },
    generateBundle(_, bundle) {
      const frame = bundle[FRAME];
      if (frame?.type !== 'asset') throw new Error(`The build has no ${FRAME}`);
      delete bundle[FRAME];
      for (const file of buildFiles(String(frame.source)))
        this.emitFile({ type: 'asset', ...(site ? moveToSite(file, site) : file) });
      if (site) {
        const reference = bundle[REFERENCE];
        if (reference?.type !== 'asset') throw new Error(`The build has no ${REFERENCE}`);
        delete bundle[REFERENCE];
        const file = { fileName: REFERENCE, source: String(reference.source) };
        this.emitFile({ type: 'asset', ...moveToSite(file, site) });
        this.emitFile({ type: 'asset', fileName: 'openapi.json', source: site.openApi });
      }
      for (const name of readdirSync(PICTURES))
        this.emitFile({ type: 'asset', fileName: pictureFile(name), source: readFileSync(join(PICTURES, name)) });
    },
  };
}
