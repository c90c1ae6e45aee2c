/**
 * The rendered pages as a static site: all in one folder, with links to files below its base, so that any file server
 * can serve them. Pure. The pages are those of the relay; only their addresses differ.
 */
import type { Section } from './search.ts';

export interface Site {
  /** `/hearthd/`, or `./` for any place. Ends with a slash. */
  readonly base: string;
  /** The content of `openapi.json`. */
  readonly openApi: string;
}

/** @param text as people write it @throws `Error` it is no path */
export function parseBase(text: string): string {
  if (!/^(?:\.|(?:\/[\w.~-]+)*)\/$/.test(text))
    throw new Error(`"${text}" is no base path. Write it like /hearthd/, or ./ for any place.`);
  return text;
}

/** @param fileName below `dist/web` @returns the name on the site: `docs/install.html` is `install.html` */
export function siteFile(fileName: string): string {
  return fileName === 'docs/api/index.html' ? 'api.html' : fileName.replace(/^docs\//, '');
}

/** @param address on the relay @returns the one on the site, or `undefined` if only a relay has it */
export function siteAddress(address: string, { base }: Pick<Site, 'base'>): string | undefined {
  const [, path = '', hash = ''] = /^([^#]*)(#.*)?$/.exec(address) ?? [];
  if (path === '/docs') return `${base}index.html${hash}`;
  const [, name] = /^\/docs\/([\w-]+(?:\.json)?)$/.exec(path) ?? [];
  if (name !== undefined) return `${base}${name.endsWith('.json') ? name : `${name}.html`}${hash}`;
  return path === '/openapi.json' || path.startsWith('/assets/') ? `${base}${path.slice(1)}` : undefined;
}

/** Links that only a relay has become text; those around the page are left out. */
export function onSite(html: string, site: Pick<Site, 'base'>): string {
  return html
    .replaceAll(/\s*<a class="relay" [^>]*>[^<]*<\/a>/g, '')
    .replaceAll(/<a href="(\/[^"]*)"[^>]*>(.*?)<\/a>/gs, (link, address: string, text: string) =>
      siteAddress(address, site) === undefined ? text : link,
    )
    .replaceAll(/ (href|src|data-\w+)="(\/[^"]*)"/g, (_, name: string, address: string) => {
      const moved = siteAddress(address, site);
      if (moved === undefined) throw new Error(`The site has no ${address}`);
      return ` ${name}="${moved}"`;
    });
}

/** The search index with the addresses of the site. */
export function siteIndex(json: string, site: Pick<Site, 'base'>): string {
  const sections = JSON.parse(json) as readonly Section[];
  return JSON.stringify(
    sections.map((section) => ({ ...section, address: siteAddress(section.address, site) ?? section.address })),
  );
}
