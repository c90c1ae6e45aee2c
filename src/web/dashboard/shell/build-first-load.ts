/**
 * The build step for the first load: `index.html` names the home page's files too, which the entry loads only when it
 * runs, and starts `first-requests.ts` before all of them. Loaded by `web/vite.config.ts`, not by any page.
 */
import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite';

const PAGE = '/dashboard/index.html';
const FIRST = 'first-requests';
const HOME_PAGE = '/pages/home/home-page.tsx';

export function firstLoad(): Plugin {
  return {
    name: 'hearthd-first-load',
    transformIndexHtml: {
      order: 'post',
      handler(html, { path, bundle }) {
        if (path !== PAGE || !bundle) return undefined;
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        const first = chunks.find(({ isEntry, name }) => isEntry && name === FIRST);
        const home = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(HOME_PAGE));
        if (!first || !home) throw new Error(`The build lacks ${first ? HOME_PAGE : FIRST}`);
        // Before the others: a browser asks for six files at once.
        const script = `<script type="module" async src="/${first.fileName}"></script>\n    `;
        const more = filesOf(home, bundle).map((file) => `/${file}`);
        const links = more.filter((file) => !html.includes(`"${file}"`)).map(linkTo);
        return { html: html.replace('<script type="module"', (next) => script + next), tags: links };
      },
    },
  };
}

function filesOf(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): readonly string[] {
  const files = new Set<string>();
  const add = (name: string) => {
    const output = bundle[name];
    if (output?.type !== 'chunk' || files.has(name)) return;
    files.add(name);
    for (const style of output.viteMetadata?.importedCss ?? []) files.add(style);
    output.imports.forEach(add);
  };
  add(chunk.fileName);
  return [...files];
}

function linkTo(href: string): HtmlTagDescriptor {
  const rel = href.endsWith('.css') ? 'stylesheet' : 'modulepreload';
  return { tag: 'link', attrs: { rel, crossorigin: true, href }, injectTo: 'head' };
}
