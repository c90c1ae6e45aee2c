/**
 * Builds the pages of `src/web` into `dist/web`: hashed scripts and styles under `assets/`, one `index.html` a page,
 * each with a gzipped copy beside it, and `manifest.json`, the list of what the daemon serves. Nothing else of these
 * packages is needed to run.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin, type ProxyOptions } from 'vite';
import { texts } from '../texts/build/vite-texts.ts';
import { bundledPackages } from './bundled-packages.js';
import { pwa } from './dashboard/pwa/build-pwa.ts';
import { mantineStyles } from './dashboard/theme/build-mantine.ts';
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
/** What the dashboard may load of scripts before it shows anything: people open it on cheap phones. */
const DASHBOARD_SCRIPTS_GZIP_BYTES = 220_000;
const DASHBOARD = 'dashboard/index.html';

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
      const entries = listFiles(dir).map((path) => describeFile(dir, path));
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

function describeFile(dir: string, path: string) {
  const bytes = readFileSync(join(dir, path));
  const type = TYPES[extname(path)];
  if (type === undefined) throw new Error(`${path} has a type that the daemon does not serve`);
  const gzipped = gzipSync(bytes, { level: 9 });
  writeFileSync(join(dir, `${path}.gz`), gzipped);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  // Vite names these after their content: under one name there is one content for ever.
  const immutable = /-[\w-]{8}\.(?:css|js)$/.test(path);
  return { path, type, etag, immutable, bytes: bytes.length, gzipBytes: gzipped.length };
}

function weigh(dir: string, page: string, entries: readonly Weighed[]): void {
  const html = readFileSync(join(dir, page), 'utf8');
  const loaded = entries.filter(({ path }) => path === page || html.includes(`"/${path}"`));
  const bytes = loaded.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0);
  // The pages of the manual are alike.
  if (!/^docs\/[^/]+$/.test(page) || page === 'docs/index.html')
    console.info(`${page}: ${Math.round(bytes / 1_000)} kB gzip in ${loaded.length} files`);
  if (bytes > BUDGET_GZIP_BYTES) throw new Error(`${page} is over its budget of ${BUDGET_GZIP_BYTES} bytes`);
  if (page === DASHBOARD) weighDashboard(loaded, entries);
}

/** What is loaded at once, and what only by the pages that need it. */
function weighDashboard(loaded: readonly Weighed[], entries: readonly Weighed[]): void {
  const scripts = (files: readonly Weighed[]) => files.filter(({ path }) => path.endsWith('.js'));
  const initial = scripts(loaded).reduce((sum, { gzipBytes }) => sum + gzipBytes, 0);
  const budget = `${Math.round(initial / 1_000)} of ${DASHBOARD_SCRIPTS_GZIP_BYTES / 1_000} kB gzip of JavaScript at first`;
  const later = scripts(entries).filter(
    ({ path }) => !/\/(?:docs|graphiql|share)-/.test(path) && !loaded.some((file) => file.path === path),
  );
  const largest = later.toSorted((a, b) => b.gzipBytes - a.gzipBytes).slice(0, 5);
  const list = largest.map(
    ({ path, gzipBytes }) => `${path.replace(/^.*\/|-[\w-]{8}\.js$/g, '')} ${Math.round(gzipBytes / 1_000)}`,
  );
  console.info(`dashboard: ${budget}; by route, the largest in kB: ${list.join(', ') || 'none'}`);
  if (initial > DASHBOARD_SCRIPTS_GZIP_BYTES) throw new Error(`${DASHBOARD} is over its budget of JavaScript`);
}

interface Weighed {
  readonly path: string;
  readonly gzipBytes: number;
}

/** React, and what comes with floating and scrolling parts. */
const LIBRARIES = [
  'react|react-dom|scheduler|clsx|tslib|@floating-ui|tabbable|react-remove-scroll|react-remove-scroll-bar|react-style-singleton',
  'use-callback-ref|use-sidecar|get-nonce|detect-node-es|@tanstack/(?:react-virtual|virtual-core)',
].join('|');

/**
 * What is loaded together lies in one file: each file costs a phone a request, and there would be forty for the first
 * page. Above stands what is chosen first.
 */
const FILES = [
  // What GraphiQL has as well: it must not load the dashboard for it.
  {
    name: 'libraries',
    priority: 3,
    tags: ['$initial' as const],
    test: new RegExp(`node_modules/(?:${LIBRARIES})/|vite/preload-helper`),
  },
  // The dashboard before its pages; not what names its entry, and not the service worker, which stands alone.
  {
    name: 'frame',
    priority: 2,
    tags: ['$initial' as const],
    test: /node_modules\/(?:@mantine|@tanstack|wouter|lucide-react)\/|texts:[\w-]+$|src\/(?:web\/dashboard|texts)\/(?!main|index|pwa\/(?:places|service-worker(?:-push)?\.ts))/,
  },
  // The first page in another language.
  {
    name: (id: string) => `texts-${id.split('/').at(-1)}`,
    priority: 2,
    test: /texts:(?:common|devices|home|pwa|search|shell)\/\w+$/,
  },
  { name: 'home', priority: 1, test: /pages\/home\/home-page/ },
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
  plugins: [texts(), notices(), mantineStyles(), pwa(), docs(), bundledPackages(), manifest(), dashboardAtItsPlaces()],
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
        docs: join(WEB, 'docs/page.html'),
        'docs-api': join(WEB, 'docs/api/index.html'),
        graphiql: join(WEB, 'graphiql/index.html'),
        // No page of its own: the relay renders that.
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
