/**
 * Builds the pages of `src/web` into `dist/web`: hashed scripts and styles under `assets/`, one `index.html` a page,
 * each with a gzipped copy beside it, and `manifest.json`, the list of what the daemon serves. What the dashboard loads
 * first is there in Brotli too. Nothing else of these packages is needed to run.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin, type ProxyOptions } from 'vite';
import { texts } from '../texts/build/vite-texts.ts';
import { bundledPackages } from './bundled-packages.js';
import { pwa } from './dashboard/pwa/build-pwa.ts';
import { firstLoad } from './dashboard/shell/build-first-load.ts';
import { leanDialogs, mantineStyles } from './dashboard/theme/build-mantine.ts';
import { changelog } from './docs/build-changelog.ts';
import { docs } from './docs/build-docs.ts';

const WEB = import.meta.dirname;
const ROOT = resolve(WEB, '../..');

/** What the pages are made of; anything else that a build brought forth would have no type, and ends it. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

/** Beside what is served. */
const UNSERVED: ReadonlySet<string> = new Set(['manifest.json', 'bundled-packages.json']);

/** What opening one page may cost on the network: its HTML with the scripts and styles that it names. */
const BUDGET_GZIP_BYTES = 700_000;
/**
 * What the home page may load before it shows the first tile, in any language: HTML, scripts and styles. People open it
 * on cheap phones.
 */
const HOME_GZIP_BYTES = 200_000;
const DASHBOARD = 'dashboard/index.html';
/** The first page in another language; each visitor loads one of them. */
const FIRST_TEXTS = /\/texts-\w+-[\w-]{8}\.js$/;

/** Licences whose notices must travel with the code (Apache-2.0 §4); Vite itself lists the texts of all others. */
function notices(): Plugin {
  return {
    name: 'hearthd-notices',
    writeBundle({ dir = '' }) {
      copyFileSync(resolve(ROOT, 'node_modules/swagger-ui-dist/NOTICE'), join(dir, 'assets/swagger-ui-notice.txt'));
    },
  };
}

/** Writes the gzipped copies and `manifest.json`, and prints the size of each page. */
function manifest(): Plugin {
  let isWritten = false;
  return {
    name: 'hearthd-manifest',
    enforce: 'post',
    writeBundle() {
      isWritten = true;
    },
    closeBundle() {
      // The part that found an earlier error has reported it.
      if (!isWritten) return;
      const { root, build } = this.environment.config;
      const dir = resolve(root, build.outDir);
      const home = readFileSync(join(dir, DASHBOARD), 'utf8');
      const isFirst = (path: string) => path === DASHBOARD || home.includes(`"/${path}"`) || FIRST_TEXTS.test(path);
      const entries = listFiles(dir).map((path) => describeFile(dir, path, isFirst(path)));
      writeFileSync(join(dir, 'manifest.json'), `${JSON.stringify(entries, null, 1)}\n`);
      for (const { path } of entries) if (path.endsWith('.html')) weigh(dir, path, entries);
    },
  };
}

function listFiles(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && !UNSERVED.has(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .sort();
}

/** @param isFirst loaded before the first tile: on a slow link over https, Brotli saves a seventh of that time */
function describeFile(dir: string, path: string, isFirst: boolean) {
  const bytes = readFileSync(join(dir, path));
  const type = TYPES[extname(path)];
  if (type === undefined) throw new Error(`${path} has a type that the daemon does not serve`);
  const gzipped = gzipSync(bytes, { level: 9 });
  writeFileSync(join(dir, `${path}.gz`), gzipped);
  const hasBrotli = isFirst && /\.(?:html|js|css)$/.test(path);
  if (hasBrotli) writeFileSync(join(dir, `${path}.br`), brotliCompressSync(bytes));
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  // Vite names these after their content: under one name there is one content for ever.
  const immutable = /-[\w-]{8}\.(?:css|js)$/.test(path);
  return { path, type, etag, immutable, hasBrotli, bytes: bytes.length, gzipBytes: gzipped.length };
}

function weigh(dir: string, page: string, entries: readonly Weighed[]): void {
  const html = readFileSync(join(dir, page), 'utf8');
  const loaded = entries.filter(({ path }) => path === page || html.includes(`"/${path}"`));
  const bytes = loaded.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0);
  // The pages of the manual are alike.
  if (!/^docs\/[^/]+$/.test(page) || page === 'docs/index.html')
    console.info(`${page}: ${Math.round(bytes / 1_000)} kB gzip in ${loaded.length} files`);
  if (bytes > BUDGET_GZIP_BYTES) throw new Error(`${page} is over its budget of ${BUDGET_GZIP_BYTES} bytes`);
  if (page === DASHBOARD) weighHome(loaded, entries);
}

/** What is loaded for the first tile, and what only by the pages that need it. */
function weighHome(loaded: readonly Weighed[], entries: readonly Weighed[]): void {
  const code = loaded.filter(({ path }) => /\.(?:html|js|css)$/.test(path));
  const texts = entries.filter(({ path }) => FIRST_TEXTS.test(path)).map(({ gzipBytes }) => gzipBytes);
  const bytes = code.reduce((sum, { gzipBytes }) => sum + gzipBytes, Math.max(0, ...texts));
  const later = entries.filter(
    (entry) =>
      entry.path.endsWith('.js') &&
      !loaded.includes(entry) &&
      !/\/(?:docs|graphiql|passkey-sign-in|share)-/.test(entry.path),
  );
  const largest = later.toSorted((a, b) => b.gzipBytes - a.gzipBytes).slice(0, 5);
  const list = largest.map(
    ({ path, gzipBytes }) => `${path.replace(/^.*\/|-[\w-]{8}\.js$/g, '')} ${Math.round(gzipBytes / 1_000)}`,
  );
  const budget = `${Math.round(bytes / 1_000)} of ${HOME_GZIP_BYTES / 1_000} kB gzip before the first tile`;
  console.info(`dashboard: ${budget}; by route, the largest in kB: ${list.join(', ') || 'none'}`);
  if (bytes > HOME_GZIP_BYTES) throw new Error(`The home page is over its budget of ${HOME_GZIP_BYTES} bytes`);
}

interface Weighed {
  readonly path: string;
  readonly gzipBytes: number;
}

const REACT = 'react|react-dom|scheduler|clsx';
/** What dialogs need to hold the page behind them. */
const SCROLL_LOCK = [
  'tslib|react-remove-scroll|react-remove-scroll-bar|react-style-singleton',
  'use-callback-ref|use-sidecar|get-nonce|detect-node-es',
].join('|');
/** What places menus beside their buttons, and long lists: GraphiQL starts with it, the dashboard opens it later. */
const FLOATING = '@floating-ui|tabbable|@tanstack/(?:react-virtual|virtual-core)';

/**
 * What is loaded together lies in one file: each file costs a phone a request, and there would be forty for the first
 * page. Above stands what is chosen first.
 */
const FILES = [
  // What `first-requests.ts` needs: it must not wait for the rest.
  {
    name: 'first',
    priority: 4,
    test: /dashboard\/(?:api\/(?:graphql|graphql-request|stored-session)|account\/account-document|home\/home-document)\.ts$/,
  },
  // What GraphiQL has as well: it must not load the dashboard for it.
  {
    name: 'libraries',
    priority: 3,
    tags: ['$initial' as const],
    test: new RegExp(`node_modules/(?:${REACT})/|vite/preload-helper`),
  },
  { name: 'scroll-lock', priority: 3, test: new RegExp(`node_modules/(?:${SCROLL_LOCK})/`) },
  { name: 'floating', priority: 3, test: new RegExp(`node_modules/(?:${FLOATING})/`) },
  // The dashboard before its pages; not what names its entry, and not the service worker, which stands alone.
  {
    name: 'frame',
    priority: 2,
    tags: ['$initial' as const],
    test: /node_modules\/(?:@mantine|@tanstack|wouter|lucide-react)\/|texts:[\w-]+$|src\/(?:web\/dashboard|texts)\/(?!main|index|first-requests|pwa\/(?:places|service-worker(?:-push)?\.ts))/,
  },
  // The first page in another language.
  {
    name: (id: string) => `texts-${id.split('/').at(-1)}`,
    priority: 2,
    test: /texts:(?:common|devices|home|pwa|search|shell)\/\w+$/,
  },
  // What comes with the first form, dialog or menu: one style sheet for all of them.
  { name: 'parts', priority: 1, test: /@mantine\/core\/styles\/[\w-]+\.layer\.css$|ui\/unseen\.css$/ },
  { name: 'home', priority: 1, test: /pages\/home\/home-page/ },
  // Icons of several pages, but not of the first one: each would be a file, and the first page names them all.
  { name: 'page-icons', priority: 1, minShareCount: 4, test: /node_modules\/lucide-react\// },
];

/** While developing, the dashboard answers at its own addresses, as the relay has it. */
function dashboardAtItsPlaces(): Plugin {
  return {
    name: 'hearthd-places',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        const isPage =
          request.headers.accept?.includes('text/html') && !/^\/(?:docs|graphiql|s)\b|\./.test(request.url ?? '');
        if (isPage) request.url = `/${DASHBOARD}`;
        next();
      });
    },
  };
}

/**
 * `HEARTHD_URL=http://localhost:5656 npm run dev` shows the sources as they change, against a relay that runs already.
 */
function devProxy(relay = 'http://127.0.0.1:5656'): Record<string, ProxyOptions> {
  const headers = { origin: new URL(relay).origin };
  const paths = ['/graphql', '/rest', '/events', '/s', '/health', '/openapi.json'];
  return Object.fromEntries(
    paths.map((path) => [`^${path}(?:[/?]|$)`, { target: relay, changeOrigin: true, headers }]),
  );
}

export default defineConfig({
  root: WEB,
  base: '/',
  publicDir: false,
  server: { host: '127.0.0.1', proxy: devProxy(process.env.HEARTHD_URL) },
  logLevel: 'warn',
  plugins: [
    texts(),
    notices(),
    mantineStyles(),
    leanDialogs(),
    firstLoad(),
    pwa(),
    docs(),
    changelog(),
    bundledPackages(),
    manifest(),
    dashboardAtItsPlaces(),
  ],
  build: {
    outDir: resolve(ROOT, 'dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    // Those that have light-dark(): a rewriting of it would need the scheme to be known when the page is built.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Fonts stay inside the style sheet: then no page needs another type or request.
    assetsInlineLimit: 200_000,
    license: { fileName: 'assets/licenses.md' },
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      // "use client" means something to servers that render React, and nothing here.
      onLog: (level, log, notify) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : notify(level, log)),
      input: {
        dashboard: join(WEB, 'dashboard/index.html'),
        'first-requests': join(WEB, 'dashboard/first-requests.ts'),
        docs: join(WEB, 'docs/page.html'),
        'docs-api': join(WEB, 'docs/api/index.html'),
        graphiql: join(WEB, 'graphiql/index.html'),
        // No pages of their own: the relay renders those.
        'passkey-sign-in': join(WEB, 'sign-in/main.ts'),
        share: join(WEB, 'share/main.ts'),
        sw: join(WEB, 'dashboard/pwa/service-worker.ts'),
      },
      // Browsers look for a service worker at the address where it was, regardless of its content.
      output: {
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        codeSplitting: { groups: FILES },
      },
    },
  },
});
