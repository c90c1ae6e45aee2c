/**
 * Renders the repository's Markdown documents as pages, a menu and a search index. Pure: `build-docs.ts` reads and
 * writes the files. Links between documents become addresses; a link to a document that is not served fails the build.
 */
import { Marked, type Token, type Tokens } from 'marked';
import type { Section } from './search.ts';

export interface SourceDocument {
  /** Below the root of the repository. */
  readonly path: string;
  readonly markdown: string;
}

export interface RenderedPage {
  /** `/docs/install`. */
  readonly address: string;
  readonly title: string;
  readonly html: string;
  readonly sections: readonly Section[];
  /** Second-level headings, for the menu. */
  readonly chapters: readonly Chapter[];
}

interface Chapter {
  readonly title: string;
  readonly anchor: string;
}

export interface MenuGroup {
  readonly title: string;
  readonly addresses: readonly string[];
}

/** Other pages of the relay that documents may link to. */
const OTHER_ADDRESSES = new Set(['/docs', '/docs/api', '/graphiql', '/openapi.json']);
/** The API reference is a page of its own. */
const RESERVED = new Set(['/docs/api', '/docs/search.json']);

/** Documents outside of the manual, with the last part of their address. */
const BESIDE: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'changelog',
  'CONTRIBUTING.md': 'contributing',
  'SECURITY.md': 'security-policy',
  'src/README.md': 'code',
  'test/README.md': 'tests',
};
const CONTENTS = 'src/docs/manual/index.md';

/** @returns the address of a document, or `undefined` if it is not served */
export function addressOf(path: string): string | undefined {
  if (path === CONTENTS) return '/docs';
  const [, folder, name] = /^src\/docs\/(manual|contract|security)\/([a-z-]+)\.md$/.exec(path) ?? [];
  if (folder === undefined) return path in BESIDE ? `/docs/${BESIDE[path]}` : undefined;
  return folder === 'contract' ? `/docs/contract-${name}` : `/docs/${name}`;
}

/** Whether a document is served. */
export function isServed(path: string): boolean {
  return addressOf(path) !== undefined;
}

/** @throws `Error` two documents have the same address, or a link has no target */
export function renderDocuments(documents: readonly SourceDocument[]): readonly RenderedPage[] {
  const known = new Map<string, { readonly path: string; readonly anchors: ReadonlySet<string> }>();
  for (const { path, markdown } of documents) {
    const address = addressOf(path);
    if (address === undefined) throw new Error(`${path} is no document that is served`);
    if (known.has(address) || RESERVED.has(address)) throw new Error(`${address} is taken: ${path}`);
    known.set(address, { path, anchors: new Set(headingsOf(markdown).map(({ anchor }) => anchor)) });
  }
  const resolveLink = (from: SourceDocument, href: string): string => {
    if (/^(?:https?|mailto):/.test(href)) return href;
    const [target = '', anchor] = href.split('#');
    const address = target === '' ? addressOf(from.path) : resolveAddress(from.path, target);
    const page = address === undefined ? undefined : known.get(address);
    const leadsSomewhere = page
      ? anchor === undefined || page.anchors.has(anchor)
      : address !== undefined && OTHER_ADDRESSES.has(address);
    if (!leadsSomewhere) throw new Error(`${from.path} links to ${href}, which is not served`);
    if (target === '') return `#${anchor}`;
    return anchor === undefined ? `${address}` : `${address}#${anchor}`;
  };
  return documents.map((document) => renderDocument(document, (href) => resolveLink(document, href)));
}

/** Converts a link in a document to an address: `../contract/api.md` in the manual is `/docs/contract-api`. */
function resolveAddress(from: string, target: string): string | undefined {
  if (target.startsWith('/')) return target;
  const { pathname } = new URL(target, `file:///${from}`);
  return addressOf(pathname.slice(1));
}

const lexer = new Marked({ gfm: true });

function renderDocument({ path, markdown }: SourceDocument, resolveLink: (href: string) => string): RenderedPage {
  const headings = headingsOf(markdown);
  const waiting = [...headings];
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const { anchor = '' } = waiting.shift() ?? {};
        const text = this.parser.parseInline(tokens);
        return depth === 1
          ? `<h1 id="${escapeHtml(anchor)}">${text}</h1>\n`
          : `<h${depth} id="${escapeHtml(anchor)}"><a class="anchor" href="#${escapeHtml(anchor)}">${text}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const address = resolveLink(href);
        const rel = /^https?:/.test(address) ? ' rel="noreferrer"' : '';
        return `<a href="${escapeHtml(address)}"${rel}>${this.parser.parseInline(tokens)}</a>`;
      },
      table(token) {
        return `<div class="scroll" role="region" tabindex="0" aria-label="${escapeHtml(labelOf(token))}">${renderTable(token, this.parser)}</div>\n`;
      },
      code({ text, lang }) {
        const kind = lang ? ` data-language="${escapeHtml(lang)}"` : '';
        return `<pre tabindex="0"${kind}><code>${escapeHtml(text)}</code></pre>\n`;
      },
      codespan: ({ text }) => `<code>${breakable(escapeHtml(text))}</code>`,
      // Documents are text: HTML in them is shown as text.
      html: ({ text }) => escapeHtml(text),
      image: ({ href, text }) => renderPicture(path, href, text),
    },
  });
  const html = marked.parse(markdown, { async: false });
  const [{ title } = { title: path }] = headings;
  const address = addressOf(path) ?? '';
  return {
    address,
    title,
    html,
    sections: sectionsOf(markdown, { address, title }),
    chapters: headings.filter(({ depth }) => depth === 2),
  };
}

/** The manual's own pictures are served beside it; of others there is what they show, in words. */
function renderPicture(from: string, href: string, text: string): string {
  const name = PICTURE.exec(new URL(href, `file:///${from}`).pathname)?.[1];
  if (name === undefined) return escapeHtml(text);
  return `<img src="/${pictureFile(name)}" alt="${escapeHtml(text)}">`;
}

const PICTURE = /^\/src\/docs\/manual\/pictures\/([\w-]+\.png)$/;

/** Where a picture of the manual is served. */
export function pictureFile(name: string): string {
  return `assets/manual-${name}`;
}

/**
 * A table with an empty head begins with its rows. Phones show each row as a block, and each cell then names its
 * column; ARIA roles keep the table semantics.
 */
function renderTable(token: Tokens.Table, parser: { parseInline(tokens: Token[]): string }): string {
  const labels = token.header.map(({ tokens }) => textOf(tokens));
  const heads = labels.map((label) =>
    label === '' ? '<td></td>' : `<th role="columnheader">${escapeHtml(label)}</th>`,
  );
  const head = labels.every((label) => label === '') ? '' : `<thead><tr role="row">${heads.join('')}</tr></thead>`;
  const rows = token.rows.map((cells) => {
    const row = cells.map((cell, at) => {
      const label = at > 0 && cells.length > 2 && labels[at] ? ` data-label="${escapeHtml(labels[at])}"` : '';
      return `<td role="cell"${label}>${parser.parseInline(cell.tokens)}</td>`;
    });
    return `<tr role="row">${row.join('')}</tr>`;
  });
  return `<table role="table">${head}<tbody>${rows.join('')}</tbody></table>`;
}

function labelOf({ header }: Tokens.Table): string {
  return `Table: ${header.map(({ tokens }) => textOf(tokens)).join(', ')}`.replace(/: [, ]*$/, '');
}

interface Heading extends Chapter {
  readonly depth: number;
}

/** With the anchors that code hosts generate, numbered if one repeats. */
function headingsOf(markdown: string): readonly Heading[] {
  const seen = new Map<string, number>();
  return lexer
    .lexer(markdown)
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .map(({ tokens, depth }) => {
      const title = textOf(tokens);
      const plain = title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-');
      const count = seen.get(plain) ?? 0;
      seen.set(plain, count + 1);
      return { depth, title, anchor: count === 0 ? plain : `${plain}-${count}` };
    });
}

/** The search sections: each heading with the text below it. */
function sectionsOf(markdown: string, page: { readonly address: string; readonly title: string }): readonly Section[] {
  const headings = [...headingsOf(markdown)];
  const sections: { address: string; page: string; heading: string; text: string }[] = [];
  for (const token of lexer.lexer(markdown)) {
    if (token.type === 'heading') {
      const { title = '', anchor = '', depth = 1 } = headings.shift() ?? {};
      const address = depth === 1 ? page.address : `${page.address}#${anchor}`;
      sections.push({ address, page: page.title, heading: title, text: '' });
      continue;
    }
    const section = sections.at(-1);
    if (section) section.text = `${section.text} ${textOf([token])}`.replaceAll(/\s+/g, ' ').trim();
  }
  return sections;
}

/** The text of a document without markup. */
function textOf(tokens: readonly Token[] = []): string {
  return tokens
    .map((token) => {
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows].map((cells) => cells.map((cell) => textOf(cell.tokens)).join(' · ')).join(' ');
      }
      if (token.type === 'list') return (token as Tokens.List).items.map((item) => textOf(item.tokens)).join(' ');
      if (token.type === 'space' || token.type === 'br') return ' ';
      const { tokens: inner, text = '' } = token as { tokens?: Token[]; text?: string };
      return inner ? textOf(inner) : text;
    })
    .join('');
}

/** The menu is the table of contents: a group for each of its headings, in its order. */
export function menuOf({ path, markdown }: SourceDocument): readonly MenuGroup[] {
  const groups: { title: string; addresses: string[] }[] = [];
  for (const token of lexer.lexer(markdown)) {
    if (token.type === 'heading' && token.depth === 2) groups.push({ title: textOf(token.tokens), addresses: [] });
    if (token.type !== 'list') continue;
    const links = [...token.raw.matchAll(/\]\(([^)\s#]+)\)/g)].map(([, href = '']) => resolveAddress(path, href));
    groups.at(-1)?.addresses.push(...links.filter((address) => address !== undefined));
  }
  return groups;
}

/** The menu on one page: it marks the current page and lists its chapters below it. */
export function renderMenu(groups: readonly MenuGroup[], pages: readonly RenderedPage[], current: string): string {
  const titles = new Map([
    ...pages.map(({ address, title }) => [address, title] as const),
    ['/docs/api', 'API reference'],
  ]);
  const item = (address: string): string => {
    const here = pages.find((page) => page.address === address && address === current);
    const chapters = (here?.chapters ?? []).map(
      ({ title, anchor }) => `<li><a href="#${escapeHtml(anchor)}">${escapeHtml(title)}</a></li>`,
    );
    const marker = here ? ' aria-current="page"' : '';
    const link = `<a href="${escapeHtml(address)}"${marker}>${escapeHtml(titles.get(address) ?? address)}</a>`;
    return `<li>${link}${chapters.length > 0 ? `<ul>${chapters.join('')}</ul>` : ''}</li>`;
  };
  return groups
    .map(({ title, addresses }) => `<h2>${escapeHtml(title)}</h2><ul>${addresses.map(item).join('')}</ul>`)
    .join('\n');
}

/** The previous and the next page, in the order of the menu. */
export function renderPreviousNext(
  groups: readonly MenuGroup[],
  pages: readonly RenderedPage[],
  current: string,
): string {
  const order = ['/docs', ...groups.flatMap(({ addresses }) => addresses)];
  const at = order.indexOf(current);
  const link = (address: string | undefined, rel: string, mark: (title: string) => string): string => {
    const page = pages.find((candidate) => candidate.address === address);
    return page
      ? `<a rel="${rel}" href="${escapeHtml(page.address)}">${mark(escapeHtml(page.title))}</a>`
      : '<span></span>';
  };
  if (at < 0) return '';
  return link(order[at - 1], 'prev', (title) => `← ${title}`) + link(order[at + 1], 'next', (title) => `${title} →`);
}

/** Long names break between their words, and flags not after their dashes. */
function breakable(code: string): string {
  return code.replaceAll(/(?<=\w)[_/|](?=\w)/g, '$&<wbr>').replaceAll(/(?<![\w-])--[a-z]+/g, '<span>$&</span>');
}

export function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}
