import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  isLater,
  sectionsOf,
  splitChangelog,
  upgradedSince,
} from '../../../src/web/dashboard/pages/system/news/changelog.ts';
import { versionsOf } from '../../../src/web/docs/build-changelog.ts';

const MARKDOWN = `# Changelog

For people.

## 1.10.0 (2027-02-01)

### Do by hand

Set \`x\`, as [the manual](src/docs/manual/install.md#upgrade) and [this](https://example.org/#a) have it.

- One
  line, **bold** and *odd* & <not> a tag.
- [Not served](bin/x.md)

## 1.9.1

- Old

## 1.9.0

- Older
`;

describe('the change log', () => {
  it('becomes versions of plain data, newest first', () => {
    const versions = versionsOf(MARKDOWN);
    expect(versions.map(({ version, title }) => [version, title])).toEqual([
      ['1.10.0', '1.10.0 (2027-02-01)'],
      ['1.9.1', '1.9.1'],
      ['1.9.0', '1.9.0'],
    ]);
    expect(versions[0]?.blocks).toEqual([
      { kind: 'heading', text: ['Do by hand'] },
      {
        kind: 'paragraph',
        text: [
          'Set ',
          { kind: 'code', text: 'x' },
          ', as ',
          { kind: 'link', text: 'the manual', href: '/docs/install#upgrade' },
          ' and ',
          { kind: 'link', text: 'this', href: 'https://example.org/#a' },
          ' have it.',
        ],
      },
      {
        kind: 'list',
        items: [
          [
            'One line, ',
            { kind: 'strong', text: 'bold' },
            ' and ',
            { kind: 'em', text: 'odd' },
            ' & ',
            '<not>',
            ' a tag.',
          ],
          ['Not served'],
        ],
      },
    ]);
  });

  it('of this repository can be drawn, with the running version on top', () => {
    const text = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
    const [newest] = versionsOf(text('CHANGELOG.md'));
    expect(newest?.version).toBe((JSON.parse(text('package.json')) as { version: string }).version);
    expect(newest?.blocks.some(({ kind }) => kind === 'list')).toBe(true);
  });

  it('refuses what the page can’t draw, in the build', () => {
    for (const markdown of ['| a |\n|---|\n| b |', '```\nx\n```', '![x](y.png)'])
      expect(() => versionsOf(`## 1.0.0\n\n${markdown}\n`)).toThrow(/CHANGELOG\.md has a /);
  });

  it.each([
    ['1.9.0', ['1.10.0', '1.9.1'], ['1.9.0']],
    ['1.9.1', ['1.10.0'], ['1.9.1', '1.9.0']],
    ['1.10.0', ['1.10.0'], ['1.9.1', '1.9.0']],
    ['0.1.0', ['1.10.0', '1.9.1', '1.9.0'], []],
    [null, ['1.10.0'], ['1.9.1', '1.9.0']],
    ['odd', ['1.10.0'], ['1.9.1', '1.9.0']],
  ])('is new from %s on', (since, fresh, earlier) => {
    const split = splitChangelog(versionsOf(MARKDOWN), since);
    expect(split.fresh.map(({ version }) => version)).toEqual(fresh);
    expect(split.earlier.map(({ version }) => version)).toEqual(earlier);
  });
});

describe('the sections of a version', () => {
  it('are open while they are short, and folded by their heading beyond', () => {
    const list = (count: number) => Array.from({ length: count }, (_, index) => `- ${index}`).join('\n');
    const [version] = versionsOf(`## 1.0.0\n\nFirst.\n\n### Highlights\n\n${list(12)}\n\n### All\n\n${list(13)}\n`);
    expect(sectionsOf(version ?? { blocks: [] }).map(({ heading, isLong }) => [heading?.[0], isLong])).toEqual([
      [undefined, false],
      ['Highlights', false],
      ['All', true],
    ]);
  });

  it('of the newest version begin with its highlights', () => {
    const [newest] = versionsOf(readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8'));
    const [first] = sectionsOf(newest ?? { blocks: [] });
    expect(first).toMatchObject({ heading: ['Highlights'], isLong: false });
  });
});

describe('an upgrade', () => {
  it.each<[string, string | null, unknown, string | undefined]>([
    ['1.1.0', null, undefined, undefined],
    ['1.1.0', '1.0.0', undefined, '1.0.0'],
    ['1.1.0', '1.0.0', '1.1.0', undefined],
    ['1.2.0', '1.1.0', '1.0.0', '1.0.0'],
    ['1.2.0', null, '1.0.0', '1.0.0'],
    ['1.0.0', '1.1.0', undefined, undefined],
    ['1.0.0', '1.1.0', '1.1.0', undefined],
    ['1.1.0', '1.0.0', 7, '1.0.0'],
    ['1.1.0', '1.0.0', '<b>', '1.0.0'],
    ['1.1.0', 'odd', undefined, undefined],
  ])('to %s from %s, seen %s: %s', (running, previous, seen, since) => {
    expect(upgradedSince(running, previous, seen)).toBe(since);
  });

  it('compares numbers, and puts a release after its pre-releases', () => {
    expect(isLater('1.10.0', '1.9.9')).toBe(true);
    expect(isLater('1.9.9', '1.10.0')).toBe(false);
    expect(isLater('1.0.0', '1.0.0')).toBe(false);
    expect(isLater('1.0.0', '1.0.0-rc.1')).toBe(true);
    expect(isLater('1.0.0-rc.1', '1.0.0')).toBe(false);
  });
});
