import { describe, expect, it } from 'vitest';
import { withArticle } from '../../src/kernel/article.ts';

describe('a noun with its article', () => {
  it.each([
    'a scene',
    'a home',
    'a room',
    'a user',
    'a unit',
    'a service group',
    'a one-time code',
    'an automation',
    'an accessory',
    'an action',
    'an event',
    'an invitation',
    'an hour',
    'an owner',
    'an upload',
  ])('is %s', (words) => {
    expect(withArticle(words.replace(/^an? /, ''))).toBe(words);
  });
});
