/**
 * Checks in each build that `mantine-parts.css` contains the styles of exactly those Mantine components that the
 * dashboard uses. A component without its styles is an unstyled box, and the unused styles are four fifths of the full
 * style sheet. Loaded by `web/vite.config.ts`, not by any page.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const PARTS = join(import.meta.dirname, 'mantine-parts.css');
/** Every component has its class names in a module of its own. */
const CLASS_NAMES = /@mantine\/core\/esm\/.*\/([\w-]+)\.module\.mjs$/;
const IMPORTED = /@mantine\/core\/styles\/([\w-]+)\.css/g;
/** Base styles that belong to no component. */
const BASE_STYLES: ReadonlySet<string> = new Set(['baseline', 'default-css-variables', 'global']);

/** The used part of Rolldown's bundle. */
interface Output {
  readonly type: 'chunk' | 'asset';
  readonly modules?: Readonly<Record<string, unknown>>;
}

export function mantineStyles(): Plugin {
  return {
    name: 'hearthd-mantine-styles',
    generateBundle(_options, bundle) {
      const outputs: readonly Output[] = Object.values(bundle);
      const modules = outputs.flatMap(({ modules = {} }) => Object.keys(modules));
      const used = new Set(modules.flatMap((id) => CLASS_NAMES.exec(id)?.[1] ?? []));
      const styled = new Set([...readFileSync(PARTS, 'utf8').matchAll(IMPORTED)].map(([, name = '']) => name));
      const missing = [...used].filter((name) => !styled.has(name));
      const superfluous = [...styled].filter((name) => !used.has(name) && !BASE_STYLES.has(name));
      if (missing.length > 0) throw new Error(`theme/mantine-parts.css lacks the styles of ${missing.join(', ')}`);
      if (superfluous.length > 0)
        throw new Error(`theme/mantine-parts.css has more than is used: ${superfluous.join(', ')}`);
    },
  };
}

const SCROLL_AREA = '\0hearthd:no-scroll-area';

/**
 * Mantine's dialog names its scroll area only to see whether it is used as the dialog's own, which it never is here.
 * Without this, every first page would load it, and what places menus with it.
 */
export function leanDialogs(): Plugin {
  let isFound = false;
  return {
    name: 'hearthd-lean-dialogs',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!/\/ScrollArea\.mjs$/.test(source) || !/\/Modal\/ModalRoot\.mjs$/.test(importer ?? '')) return null;
      isFound = true;
      return SCROLL_AREA;
    },
    load: (id) => (id === SCROLL_AREA ? 'export const ScrollArea = { Autosize: null };' : null),
    generateBundle() {
      if (!isFound) throw new Error("leanDialogs() has nothing to do: Mantine's Modal has changed");
    },
  };
}
