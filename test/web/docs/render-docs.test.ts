import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  addressOf,
  menuOf,
  renderDocuments,
  renderMenu,
  renderPreviousNext,
} from '../../../src/web/docs/render-docs.ts';
import { anchorOf, headingsOf, listTextFiles } from '../../docs/repository-files.ts';

const INDEX = {
  path: 'src/docs/manual/index.md',
  markdown:
    '# Manual\n\n## Begin\n\n- [Install](install.md)\n- [The API](../contract/api.md), [reference](/docs/api)\n',
};
const INSTALL = {
  path: 'src/docs/manual/install.md',
  markdown:
    '# Install\n\nA first step.\n\n## On a Pi\n\nSee [§4.1](../contract/api.md#41-rest) and [below](#undo).\n\n## Undo\n\nGone.\n',
};
const API = {
  path: 'src/docs/contract/api.md',
  markdown: '# API\n\n### 4.1 REST\n\n| A | B |\n|---|---|\n| `x` | y |\n',
};

function html(markdown: string): string {
  const [page] = renderDocuments([{ path: 'src/docs/manual/index.md', markdown }]);
  return page?.html ?? '';
}

describe('documents as pages', () => {
  it('links between documents become addresses', () => {
    const [, install] = renderDocuments([INDEX, INSTALL, API]);
    expect(install).toMatchObject({ address: '/docs/install', title: 'Install' });
    expect(install?.html).toContain('<a href="/docs/contract-api#41-rest">§4.1</a>');
    expect(install?.html).toContain('<a href="#undo">below</a>');
  });

  it.each([
    ['a document that is not there', '[x](nowhere.md)'],
    ['a heading that is not there', '[x](install.md#nowhere)'],
    ['a file that is not served', '[x](../../relay.ts)'],
    ['an address that the relay does not have', '[x](/nowhere)'],
  ])('a link to %s ends the build', (_, link) => {
    const page = { ...INDEX, markdown: `# Manual\n\n${link}\n` };
    expect(() => renderDocuments([page, INSTALL])).toThrow(/not served/);
  });

  it('shows the pictures of the manual, and of others what they show', () => {
    expect(html('![A "lamp"](pictures/lamp.png)')).toContain(
      '<img src="/assets/manual-lamp.png" alt="A &quot;lamp&quot;">',
    );
    for (const other of ['https://example.org/lamp.png', '../../../lamp.png', 'pictures/../lamp.png'])
      expect(html(`![A lamp](${other})`)).toBe('<p>A lamp</p>\n');
  });

  it('the manual and the README name each picture that is there, and no other', () => {
    const folder = join(import.meta.dirname, '../../../src/docs/manual');
    const texts = [join(folder, '../../../README.md'), ...readdirSync(folder).map((name) => join(folder, name))]
      .filter((path) => path.endsWith('.md'))
      .map((path) => readFileSync(path, 'utf8'));
    const named = texts.flatMap((text) =>
      [...text.matchAll(/!\[.+?\]\(\S*?pictures\/([^)]+)\)/g)].map(([, name]) => name),
    );
    expect(named.toSorted()).toEqual(readdirSync(join(folder, 'pictures')).toSorted());
  });

  it('two documents at one address end the build, and so does one at the address of the reference', () => {
    expect(() => renderDocuments([INSTALL, INSTALL])).toThrow(/taken/);
    expect(() => renderDocuments([{ path: 'src/docs/manual/api.md', markdown: '# A\n' }])).toThrow(/taken/);
  });

  it('markup in a document is shown as text', () => {
    expect(html('# A\n\n<img src=x onerror=run()>\n')).not.toContain('<img');
    expect(html('# A\n\n`<script>` and <b>bold</b>\n')).toContain('<code>&lt;script&gt;</code>');
    expect(html('# <i>A</i>\n\n```sh\necho "<a>"\n```\n')).toContain('echo &quot;&lt;a&gt;&quot;');
  });

  it('long names break where their words end, and flags not after their dashes', () => {
    expect(html('# A\n\n`HEARTHD_DATA_DIR` `--data-dir`\n')).toContain(
      '<code>HEARTHD_<wbr>DATA_<wbr>DIR</code> <code><span>--data</span>-dir</code>',
    );
  });

  it('headings have the anchors of code hosts, and a number where one occurs again', () => {
    const page = html('# A\n\n## An accessory is "paired elsewhere"\n\n## B\n\n## B\n');
    expect([...page.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id)).toEqual([
      'an-accessory-is-paired-elsewhere',
      'b',
      'b-1',
    ]);
  });

  it('a table scrolls in its own box, which has a name', () => {
    const [page] = renderDocuments([API]);
    expect(page?.html).toContain('<div class="scroll" role="region" tabindex="0" aria-label="Table: A, B">');
    expect(page?.html).toContain('<td role="cell"><code>x</code></td>');
  });

  it('sections are the headings with the text below them', () => {
    const [, install] = renderDocuments([INDEX, INSTALL, API]);
    expect(install?.sections).toEqual([
      { address: '/docs/install', page: 'Install', heading: 'Install', text: 'A first step.' },
      { address: '/docs/install#on-a-pi', page: 'Install', heading: 'On a Pi', text: 'See §4.1 and below.' },
      { address: '/docs/install#undo', page: 'Install', heading: 'Undo', text: 'Gone.' },
    ]);
  });
});

describe('the menu', () => {
  const pages = renderDocuments([INDEX, INSTALL, API]);
  const menu = menuOf(INDEX);

  it('is the table of contents, in its order', () => {
    expect(menu).toEqual([{ title: 'Begin', addresses: ['/docs/install', '/docs/contract-api', '/docs/api'] }]);
  });

  it('marks the page that is open and lists its chapters', () => {
    const text = renderMenu(menu, pages, '/docs/install');
    expect(text).toContain(
      '<a href="/docs/install" aria-current="page">Install</a><ul><li><a href="#on-a-pi">On a Pi</a>',
    );
    expect(text).toContain('<a href="/docs/api">API reference</a>');
    expect(text.match(/aria-current/g)).toHaveLength(1);
  });

  it('leads from each page to the one before and the one after', () => {
    expect(renderPreviousNext(menu, pages, '/docs/install')).toBe(
      '<a rel="prev" href="/docs">← Manual</a><a rel="next" href="/docs/contract-api">API →</a>',
    );
  });
});

describe('the documents of the repository', () => {
  const documents = listTextFiles(/\.md$/)
    .filter(({ path }) => addressOf(path) !== undefined)
    .map(({ path, text }) => ({ path, markdown: text }));
  const pages = renderDocuments(documents);

  it('are all served, but for the README and the recordings', () => {
    expect(
      listTextFiles(/\.md$/)
        .map(({ path }) => path)
        .filter((path) => addressOf(path) === undefined),
    ).toEqual(['README.md', 'test/fixtures/accessories/README.md']);
    expect(pages.length).toBeGreaterThan(20);
  });

  it('are all in the menu', () => {
    const contents = documents.find(({ path }) => path === 'src/docs/manual/index.md');
    if (!contents) throw new Error('There is no table of contents');
    const listed = menuOf(contents).flatMap(({ addresses }) => addresses);
    expect(
      pages.map(({ address }) => address).filter((address) => address !== '/docs' && !listed.includes(address)),
    ).toEqual([]);
  });

  it('have the anchors that links in the repository name', () => {
    for (const { path, markdown } of documents) {
      const page = pages.find(({ address }) => address === addressOf(path));
      for (const heading of headingsOf(markdown)) expect(page?.html).toContain(`id="${anchorOf(heading)}"`);
    }
  });
});
