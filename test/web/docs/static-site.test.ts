import { describe, expect, it } from 'vitest';
import { onSite, parseBase, siteAddress, siteFile, siteIndex } from '../../../src/web/docs/static-site.ts';

const SITE = { base: '/hearthd/' };

describe('the addresses of the static manual', () => {
  it.each([
    ['/docs', '/hearthd/index.html'],
    ['/docs#use', '/hearthd/index.html#use'],
    ['/docs/install', '/hearthd/install.html'],
    ['/docs/contract-api#41-rest', '/hearthd/contract-api.html#41-rest'],
    ['/docs/api', '/hearthd/api.html'],
    ['/docs/search.json', '/hearthd/search.json'],
    ['/openapi.json', '/hearthd/openapi.json'],
    ['/assets/manual-lamp.png', '/hearthd/assets/manual-lamp.png'],
    ['/graphiql', undefined],
    ['/', undefined],
  ])('%s is %s', (address, onThere) => {
    expect(siteAddress(address, SITE)).toBe(onThere);
  });

  it('are relative to the page if the base is', () => {
    expect(siteAddress('/docs/install#upgrade', { base: './' })).toBe('./install.html#upgrade');
  });

  it('are those of the files', () => {
    expect(['docs/index.html', 'docs/install.html', 'docs/api/index.html', 'docs/search.json'].map(siteFile)).toEqual([
      'index.html',
      'install.html',
      'api.html',
      'search.json',
    ]);
  });

  it.each(['/', './', '/hearthd/', '/a/b-c/~d/'])('%s is a base', (base) => {
    expect(parseBase(base)).toBe(base);
  });

  it.each(['', 'hearthd/', '/hearthd', '//host/', 'https://example.org/', '/"><script>/'])(
    '“%s” is no base',
    (base) => {
      expect(() => parseBase(base)).toThrow('base path');
    },
  );
});

describe('a page of the static manual', () => {
  it('has no links that only a relay has', () => {
    const page =
      '<a class="brand" href="/docs">hearthd</a> <a class="relay" href="/">Dashboard</a><p>In <a href="/graphiql">GraphiQL</a>.</p>';
    expect(onSite(page, SITE)).toBe('<a class="brand" href="/hearthd/index.html">hearthd</a><p>In GraphiQL.</p>');
  });

  it('keeps links to other sites, within itself, and what only looks like a link', () => {
    const page =
      '<a href="https://example.org/docs" rel="noreferrer">x</a> <a href="#y">y</a> <code>&lt;a href=&quot;/docs&quot;&gt;</code>';
    expect(onSite(page, SITE)).toBe(page);
  });

  it('ends the build if it names a file that the site does not have', () => {
    expect(() => onSite('<script src="/dashboard/main.ts"></script>', SITE)).toThrow('/dashboard/main.ts');
  });
});

it('the search index of the static manual leads to its files', () => {
  const section = { address: '/docs/install#upgrade', page: 'Install', heading: 'Upgrade', text: 'See /docs/install.' };
  expect(JSON.parse(siteIndex(JSON.stringify([section]), SITE))).toEqual([
    { ...section, address: '/hearthd/install.html#upgrade' },
  ]);
});
