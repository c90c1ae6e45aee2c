/**
 * The build step for installation and offline use: icons, the web app manifest, and the list of this build's files for
 * the service worker. Loaded by `web/vite.config.ts`, not by any page.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { readCatalogue } from '../../../texts/catalogue-files.ts';
import { LANGUAGES } from '../../../texts/languages.ts';

const ICONS = join(import.meta.dirname, 'icons');
const TEXTS = join(import.meta.dirname, '../../../texts');
const WORKER = 'sw.js';
const PAGE = 'dashboard/index.html';

const MANIFEST = {
  id: '/',
  name: 'hearthd',
  short_name: 'hearthd',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: '#f5f2ee',
  theme_color: '#f5f2ee',
  categories: ['lifestyle', 'utilities'],
  icons: [
    { src: '/assets/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/assets/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/assets/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
} as const;

/** The relay serves the one in the language of each browser. */
function manifestIn(lang: string): object {
  const { description, ...shortcuts } = readCatalogue(TEXTS, lang, 'web-app-manifest');
  return {
    ...MANIFEST,
    lang,
    description,
    shortcuts: Object.entries(shortcuts).map(([place, name]) => ({ name, url: `/${place}` })),
  };
}

const PICTURES = ['apple-touch-icon.png', 'icon-192.png', 'icon-512.png', 'icon-maskable-512.png', 'icon.svg'] as const;

/** The used part of Rolldown's bundle. */
interface Chunk {
  readonly type: 'chunk' | 'asset';
  readonly fileName: string;
  readonly facadeModuleId?: string | null;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> };
}

export function pwa(): Plugin {
  return {
    name: 'hearthd-pwa',
    enforce: 'post',
    /** Vite's own server has no bundle, so it serves the images directly. */
    configureServer({ middlewares }) {
      middlewares.use('/assets', ({ url }, response, next) => {
        const picture = PICTURES.find((name) => url === `/${name}`);
        if (!picture) return next();
        response.setHeader('Content-Type', picture.endsWith('.svg') ? 'image/svg+xml' : 'image/png');
        response.end(readFileSync(join(ICONS, picture)));
      });
    },
    generateBundle(_, bundle) {
      for (const picture of PICTURES)
        this.emitFile({ type: 'asset', fileName: `assets/${picture}`, source: readFileSync(join(ICONS, picture)) });
      for (const language of Object.keys(LANGUAGES)) {
        this.emitFile({
          type: 'asset',
          fileName: language === 'en' ? 'manifest.webmanifest' : `manifest.${language}.webmanifest`,
          source: `${JSON.stringify(manifestIn(language), null, 1)}\n`,
        });
      }
      const worker = bundle[WORKER];
      if (worker?.type !== 'chunk') throw new Error(`The build has no ${WORKER}`);
      if (worker.imports.length > 0) throw new Error(`${WORKER} must stand alone: it shares ${worker.imports[0]}`);
      const files = filesOfDashboard(Object.values(bundle) as readonly Chunk[]).map((file) => `/${file}`);
      const version = createHash('sha256').update(files.join('\n')).update(worker.code).digest('hex').slice(0, 12);
      worker.code = `self.hearthdBuild=${JSON.stringify({ version, files })};\n${worker.code}`;
    },
  };
}

/** Every script and style that the dashboard may need: their names contain a hash of their content. */
function filesOfDashboard(bundle: readonly Chunk[]): readonly string[] {
  const byName = new Map(bundle.map((chunk) => [chunk.fileName, chunk]));
  const entry = bundle.find(({ facadeModuleId }) => facadeModuleId?.endsWith(PAGE));
  if (!entry) throw new Error(`The build has no ${PAGE}`);
  const found = new Set<string>();
  const waiting = [entry.fileName];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const chunk = byName.get(name);
    if (!chunk || found.has(name)) continue;
    found.add(name);
    for (const css of chunk.viteMetadata?.importedCss ?? []) found.add(css);
    waiting.push(...(chunk.imports ?? []), ...(chunk.dynamicImports ?? []));
  }
  return [...found, ...PICTURES.map((picture) => `assets/${picture}`)].sort();
}
