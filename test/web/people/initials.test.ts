import { describe, expect, it } from 'vitest';
import { initialsOf } from '../../../src/web/dashboard/ui/avatar.tsx';

describe('the initials of a person', () => {
  it.each([
    ['Ada', 'A'],
    ['ada king lovelace', 'AL'],
    ['  Émile  Zola ', 'ÉZ'],
    ['👩‍🚀 Sally', '👩‍🚀S'],
    ['', '?'],
  ])('of %j are %s', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });
});
