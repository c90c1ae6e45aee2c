/**
 * The build step for the page about what is new: the module `changelog:versions` is CHANGELOG.md as plain data, which
 * the page draws without a Markdown library and without setting markup. Loaded by `web/vite.config.ts`.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type MarkedToken, marked, type Token, type Tokens } from 'marked';
import type { Plugin } from 'vite';
import type { ChangelogBlock, ChangelogInline, ChangelogVersion } from '../dashboard/pages/system/news/changelog.ts';
import { addressOf } from './render-docs.ts';

const FILE = resolve(import.meta.dirname, '../../../CHANGELOG.md');
const ID = 'changelog:versions';
const VERSION = /^v?(\d+\.\d+\.\d+(?:-[\w.-]+)?)\b/;

export function changelog(): Plugin {
  return {
    name: 'hearthd-changelog',
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load(id) {
      if (id !== `\0${ID}`) return;
      this.addWatchFile(FILE);
      return `export default ${JSON.stringify(versionsOf(readFileSync(FILE, 'utf8')))};`;
    },
  };
}

/** What is above the first version is about the file itself. @throws `Error` for text that the dashboard can't draw */
export function versionsOf(markdown: string): readonly ChangelogVersion[] {
  const versions: { version: string; title: string; blocks: ChangelogBlock[] }[] = [];
  for (const token of marked.lexer(markdown)) {
    const [, version] = token.type === 'heading' && token.depth === 2 ? (VERSION.exec(token.text) ?? []) : [];
    if (version !== undefined) versions.push({ version, title: (token as Tokens.Heading).text, blocks: [] });
    else versions.at(-1)?.blocks.push(...blocksOf(token as MarkedToken));
  }
  return versions;
}

function blocksOf(token: MarkedToken): readonly ChangelogBlock[] {
  switch (token.type) {
    case 'space':
      return [];
    case 'heading':
      return [{ kind: 'heading', text: inlinesOf(token.tokens) }];
    case 'paragraph':
      return [{ kind: 'paragraph', text: inlinesOf(token.tokens) }];
    case 'list':
      return [{ kind: 'list', items: token.items.map(({ tokens }) => inlinesOf(tokens)) }];
    default:
      throw new Error(`CHANGELOG.md has a ${token.type}, which the dashboard can’t draw: ${token.raw.slice(0, 80)}`);
  }
}

function inlinesOf(tokens: readonly Token[]): readonly ChangelogInline[] {
  return (tokens as readonly MarkedToken[]).flatMap((token): readonly ChangelogInline[] => {
    switch (token.type) {
      case 'text':
        return 'tokens' in token && token.tokens ? inlinesOf(token.tokens) : [plain(token.raw)];
      case 'html':
        // It is text, as in all documents.
        return [plain(token.raw)];
      case 'escape':
        return [token.text];
      case 'codespan':
        return [{ kind: 'code', text: token.text }];
      case 'strong':
      case 'em':
        return [{ kind: token.type, text: token.text }];
      case 'link':
        return [linkOf(token)];
      case 'paragraph':
        return inlinesOf(token.tokens);
      case 'checkbox':
        return [];
      default:
        throw new Error(`CHANGELOG.md has a ${token.type} in its text, which the dashboard can’t draw: ${token.raw}`);
    }
  });
}

/** A line break in the file is none on the page. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

/** A document that the relay does not serve is named, and not linked. */
function linkOf({ href, text }: Tokens.Link): ChangelogInline {
  const [path = '', anchor] = href.split('#');
  const address = /^https?:/.test(href) ? href : addressOf(path);
  if (address === undefined) return text;
  return { kind: 'link', text, href: anchor === undefined || address === href ? address : `${address}#${anchor}` };
}
