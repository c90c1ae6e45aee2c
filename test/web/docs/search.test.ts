import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Section, search } from '../../../src/web/docs/search.ts';

const section = (heading: string, text = '', address = `/docs/${heading.toLowerCase()}`, page = 'Page'): Section => ({
  address,
  page,
  heading,
  text,
});
const found = (sections: readonly Section[], question: string) =>
  search(sections, question).map(({ heading }) => heading);

describe('the search of the manual', () => {
  const SECTIONS = [
    section('Backups', 'Each night the relay copies its database.'),
    section('Settings', 'Restore a backup, or change a setting.'),
    section('Security', 'Tokens are hashed.'),
  ];

  it('finds sections that have every word, the one with a word in its heading first', () => {
    expect(found(SECTIONS, 'backup')).toEqual(['Backups', 'Settings']);
    expect(found(SECTIONS, 'backup restore')).toEqual(['Settings']);
    expect(found(SECTIONS, 'backup nowhere')).toEqual([]);
  });

  it('ignores case, and finds nothing for blanks', () => {
    expect(found(SECTIONS, 'TOKENS')).toEqual(['Security']);
    expect(found(SECTIONS, '  ')).toEqual([]);
  });

  it('puts the manual before the contract', () => {
    const both = [
      section('Webhooks', '', '/docs/contract-api#6'),
      section('Webhooks', '', '/docs/integrations#webhooks'),
    ];
    expect(search(both, 'webhooks').map(({ address }) => address)).toEqual([
      '/docs/integrations#webhooks',
      '/docs/contract-api#6',
    ]);
  });

  it('shows the text around the first word, in pieces', () => {
    const [hit] = search([section('A', `${'x'.repeat(100)} the door opens ${'y'.repeat(300)}`)], 'door');
    expect(hit?.excerpt[1]).toBe('door');
    expect(hit?.excerpt[0]).toMatch(/^…x+ the $/);
    expect(hit?.excerpt.at(-1)).toMatch(/…$/);
  });

  it('takes any question as plain words, however it looks', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ maxLength: 400 }), (question, text) => {
        for (const { excerpt } of search([section('Heading', text)], question)) {
          const shown = excerpt.join('').replaceAll('…', '');
          expect(text.replaceAll('…', '')).toContain(shown);
        }
      }),
    );
    expect(found([section('Expressions', 'a (b) [c] {{ d }} \\ $')], '(b) [c] {{ \\ $')).toEqual(['Expressions']);
  });

  it('lists at most twenty', () => {
    expect(
      search(
        Array.from({ length: 50 }, (_, at) => section(`Door ${at}`)),
        'door',
      ),
    ).toHaveLength(20);
  });
});
