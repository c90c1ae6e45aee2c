import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText, UntrustedText } from '../../../src/api/html/plain-text.tsx';
import { texts } from '../../../src/api/html/texts.ts';

describe('a name that another person chose', () => {
  it.each([
    ['keeps ordinary names', 'Home Assistant', 'Home Assistant'],
    ['keeps any script', '家のリモコン عربى Ελ', '家のリモコン عربى Ελ'],
    ['keeps marks of letters', 'Café Zoë', 'Café Zoë'],
    ['makes one line of it', 'Bank\n\n  of\tTrust', 'Bank of Trust'],
    ['loses what turns the direction', 'Home\u202eknaB\u202c', 'HomeknaB'],
    ['loses isolates', '\u2066a\u2069\u200fb', 'ab'],
    ['loses invisible characters', 'Pay\u200bPal\u00ad\ufeff', 'PayPal'],
    ['loses control characters', 'a\u0000b\u001b[31mc\u009bd', 'ab[31mcd'],
    ['loses halves of pairs', 'a\ud800b', 'ab'],
    ['loses tags', 'x\u{e0041}\u{e0042}', 'x'],
    ['thins out piles of marks', `Z${'\u0335'.repeat(200)}algo`, `Z${'\u0335'.repeat(4)}algo`],
    ['is marked so if nothing is left', '\u200b \u202e', 'unnamed'],
  ])('%s', (_, text, expected) => {
    expect(plainText(text)).toBe(expected);
  });

  it('is cut to a hundred characters, and not inside one', () => {
    expect([...plainText('x'.repeat(10_000))]).toHaveLength(100);
    const keys = plainText('🔑'.repeat(10_000));
    expect([...keys]).toHaveLength(100);
    expect(keys).not.toMatch(/\p{Cs}/u);
  });

  it('is one short, visible line for every input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.integer({ min: 2, max: 60 }), (text, length) => {
        const shown = plainText(text, length, 'x');
        expect([...shown].length).toBeLessThanOrEqual(length);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\n]/u);
        expect(shown).not.toBe('');
      }),
    );
  });

  it('is text and separate from its surroundings, regardless of the markup in it', () => {
    const text = '<img src=x onerror=alert(1)>"\'&</bdi><script>';
    const markup = String(UntrustedText({ texts: texts.en, text }));
    expect(markup).toBe('<bdi>&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;&lt;/bdi&gt;&lt;script&gt;</bdi>');
  });
});
