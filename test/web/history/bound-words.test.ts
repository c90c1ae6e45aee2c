import { describe, expect, it } from 'vitest';
import { boundWords } from '../../../src/web/dashboard/pages/history/bound-words.ts';

const DAY_MS = 86_400_000;
const AT = new Date(2026, 10, 26, 14, 5).getTime();

describe('the ends of a window below its states', () => {
  it('have the time of day within two weeks, and the year beyond', () => {
    expect(boundWords(AT, DAY_MS, { locale: 'en-GB', timeZone: undefined })).toBe('26 Nov, 14:05');
    expect(boundWords(AT, 14 * DAY_MS, { locale: 'de', timeZone: undefined })).toBe('26. Nov., 14:05');
    expect(boundWords(AT, 30 * DAY_MS, { locale: 'en-GB', timeZone: undefined })).toBe('26 Nov 2026');
  });
});
