import publishTexts from 'texts:publish';
import { describe, expect, it } from 'vitest';
import { remark, sentenceOf } from '../../../src/app/publications/remarks.ts';
import { PUBLICATION_REMARKS } from '../../../src/contract/publications.ts';
import { remarksText } from '../../../src/web/dashboard/pages/publish/remark-words.ts';

const NUMBERS = { count: 61, limit: 60 };
const textsIn = (language: 'de' | 'en') => publishTexts.in(language).remarks;

describe('the remarks of a preview', () => {
  it.each(PUBLICATION_REMARKS)('have a text in each language: %s', (code) => {
    const one = remark(code, NUMBERS);
    const sentence = sentenceOf(one);
    expect(remarksText([one], textsIn('en'), 'unknown')).toBe(sentence);
    const deutsch = remarksText([one], textsIn('de'), 'unknown');
    expect([sentence, 'unknown', '']).not.toContain(deutsch);
    // With the same numbers.
    expect(deutsch.match(/\d+/g)).toEqual(sentence.match(/\d+/g));
  });

  it('have no text that none needs', () => {
    expect(Object.keys(textsIn('en')).sort()).toEqual([...PUBLICATION_REMARKS].sort());
    expect(Object.keys(textsIn('de')).sort()).toEqual([...PUBLICATION_REMARKS].sort());
  });

  it('follow one another, and are the relay’s where a newer one has others', () => {
    const both = [remark('alone_in_apple_home'), remark('new_in_apple_home')];
    expect(remarksText(both, textsIn('de'), '')).toBe(
      'Es wird in Apple Home einzeln hinzugefügt, mit einem eigenen Code. Apple Home behandelt es als neues Gerät.',
    );
    const newer = { ...remark('alone_in_apple_home'), code: 'shown_elsewhere' };
    expect(remarksText([newer], textsIn('de'), 'It is shown elsewhere.')).toBe('It is shown elsewhere.');
    expect(remarksText([], textsIn('de'), 'It is shown elsewhere.')).toBe('It is shown elsewhere.');
  });
});
