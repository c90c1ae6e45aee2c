/** The colours of actions: what is drawn in them must be readable, in light and dark. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parsePreferences } from '../../../src/web/dashboard/account/preferences.ts';
import { ACCENTS } from '../../../src/web/dashboard/theme/accent.ts';

const TOKENS = readFileSync(new URL('../../../src/web/dashboard/theme/tokens.css', import.meta.url), 'utf8');
/** WCAG 2.2 AA. */
const READABLE = 4.5;

function tokensOf(accent: string): Map<string, readonly [string, string]> {
  const block = TOKENS.split(`:root[data-accent="${accent}"] {`)[1] ?? TOKENS.split(':root {')[1] ?? '';
  const lines = [...(block.split('\n}')[0] ?? '').matchAll(/(--[\w-]+): (?:light-dark\((#\w+), (#\w+)\)|(#\w+));/g)];
  return new Map(lines.map(([, name = '', light, dark, both]) => [name, [light ?? both ?? '', dark ?? both ?? '']]));
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

describe.each(ACCENTS)('the accent %s', (accent) => {
  const base = tokensOf('none');
  const all = new Map([...base, ...tokensOf(accent)]);
  const at = (name: string, look: number) => all.get(name)?.[look] ?? '';

  it.each([
    ['--h-accent', '--h-bg'],
    ['--h-accent', '--h-surface'],
    ['--h-accent', '--h-accent-soft'],
    ['--h-accent', '--h-accent-soft-hover'],
  ])('is readable: %s on %s', (ink, paper) => {
    for (const look of [0, 1]) expect(contrast(at(ink, look), at(paper, look))).toBeGreaterThanOrEqual(READABLE);
  });

  it.each(['--h-accent-fill', '--h-accent-fill-hover'])('is readable below white words: %s', (paper) => {
    expect(contrast('#ffffff', at(paper, 0))).toBeGreaterThanOrEqual(READABLE);
  });

  it('is kept with the account', () => {
    expect(parsePreferences({ accent })).toEqual({ accent });
  });
});

it('an unknown accent of another client is ignored', () => {
  expect(parsePreferences({ accent: 'neon', colorScheme: 'dark' })).toEqual({ colorScheme: 'dark' });
});
