import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseUrl } from '../../src/kernel/parse-url.ts';

const SOURCES = join(import.meta.dirname, '../../src');
/** More than V8 needs to compile what is called often. */
const OFTEN = 200_000;

describe('an address', () => {
  it('is read, alone or from a base', () => {
    expect(parseUrl('https://example.com/a?b#c')?.href).toBe('https://example.com/a?b#c');
    expect(parseUrl('/a', 'http://example.com')?.href).toBe('http://example.com/a');
  });

  it.each(['', 'example.com', '/a', 'http://', 'http://[::1', 'https://example.com:99999'])('%j is none', (text) => {
    expect(parseUrl(text)).toBeUndefined();
  });

  it('with letters beyond ASCII is read the first time and after many others', () => {
    const refused = Array.from({ length: OFTEN }, () => parseUrl('https://bücher.example/')).filter((url) => !url);
    expect(refused).toEqual([]);
  });

  it('is judged by nothing else in the daemon', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\.tsx?$/.test(file) && !file.startsWith('web/') && file !== join('kernel', 'parse-url.ts'),
    );
    expect(files.length).toBeGreaterThan(500);
    const others = files.filter((file) => readFileSync(join(SOURCES, file), 'utf8').includes('URL.canParse'));
    expect(others).toEqual([]);
  });
});
