/**
 * Gives each Mantine component that the dashboard uses its own styles: those of the first page are in its style sheet,
 * all others in one that the first dialog, form or menu loads. They are in the layer `mantine`, so that they never win
 * over ours, however late they come. Loaded by `web/vite.config.ts`, not by any page.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** Every component has its class names in a module of its own. */
const CLASS_NAMES = /@mantine\/core\/esm\/.*\/([\w-]+)\.module\.mjs$/;
/** While developing, Mantine is bundled beforehand: the entry loads all its styles. */
const ENTRY = /\/dashboard\/main\.tsx$/;
const VARIABLES = /\/default-css-variables\.layer\.css$/;
/** Mantine's own colours, of which neither the dashboard nor a component's styles use one. */
const UNUSED_COLORS =
  /^\s*--mantine-color-(?:pink|grape|violet|indigo|blue|cyan|teal|green|lime|yellow|orange)-[^;]*;\n/gm;

export function mantineStyles(): Plugin {
  let isDeveloping = false;
  let components = 0;
  let isShortened = false;
  return {
    name: 'hearthd-mantine-styles',
    enforce: 'pre',
    configResolved({ command }) {
      isDeveloping = command === 'serve';
    },
    transform(code, id) {
      if (VARIABLES.test(id)) {
        const shorter = code.replace(UNUSED_COLORS, '');
        isShortened = shorter.length < code.length;
        return shorter;
      }
      if (isDeveloping) return ENTRY.test(id) ? `import '@mantine/core/styles.layer.css';\n${code}` : null;
      const [, name] = CLASS_NAMES.exec(id) ?? [];
      if (name === undefined) return null;
      components += 1;
      return `import ${JSON.stringify(stylesOf(name))};\n${code}`;
    },
    generateBundle() {
      if (components === 0 || !isShortened) throw new Error('mantineStyles() has nothing to do: Mantine has changed');
    },
  };
}

function stylesOf(component: string): string {
  const styles = `@mantine/core/styles/${component}.layer.css`;
  if (!existsSync(fileURLToPath(import.meta.resolve(styles)))) throw new Error(`Mantine has no ${styles}`);
  return styles;
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
