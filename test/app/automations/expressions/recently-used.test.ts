import { describe, expect, it } from 'vitest';
import { RecentlyUsed } from '../../../../src/app/automations/expressions/recently-used.ts';

describe('what is made of texts', () => {
  const counted = (kept: number) => {
    const cache = new RecentlyUsed<string>(kept);
    const made: string[] = [];
    const get = (text: string): string =>
      cache.get(text, () => {
        made.push(text);
        return text.toUpperCase();
      });
    return { get, made };
  };

  it('is made once', () => {
    const { get, made } = counted(2);
    expect([get('a'), get('a'), get('b'), get('a')]).toEqual(['A', 'A', 'B', 'A']);
    expect(made).toEqual(['a', 'b']);
  });

  it('goes when it was not used for longest, once there is too much', () => {
    const { get, made } = counted(2);
    for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) get(text);
    expect(made).toEqual(['a', 'b', 'c', 'b']);
  });

  it('is not kept where making it fails', () => {
    const cache = new RecentlyUsed<string>(2);
    const fail = (): string => {
      throw new Error('no');
    };
    expect(() => cache.get('a', fail)).toThrow('no');
    expect(cache.get('a', () => 'A')).toBe('A');
  });
});
