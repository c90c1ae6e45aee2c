/** What is due next: of which automations it is asked, and which of the answers counts. */
import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { checkDocument } from '../../../src/api/graphql/limits.ts';
import {
  AT_ONCE,
  datesDocument,
  earliest,
  enabledOf,
  readDates,
  waitUntilPast,
} from '../../../src/web/dashboard/pages/home/next-due.ts';

const ID = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;
const MINUTE_MS = 60_000;

describe('what is due next', () => {
  it('is asked of automations of both kinds that are on, and of ids only', () => {
    const asked = enabledOf({
      automations: [
        { id: ID[0], name: 'Wake up', isEnabled: true },
        { id: ID[1], name: 'Off', isEnabled: false },
      ],
      flows: [
        { id: ID[1], name: 'Blinds', enabled: true },
        { id: '") { id } x', name: 'Not an id', enabled: true },
        null,
      ],
    });
    expect(asked.map(({ name, kind }) => `${name} ${kind}`)).toEqual(['Wake up native', 'Blinds flows']);
    expect(datesDocument(asked)).toContain(`n1: nextFireDates(automationId: "${ID[1]}", count: 1)`);
  });

  it('is asked of as many automations at once as one request may name', () => {
    const automations = Array.from({ length: AT_ONCE }, () => ({ id: ID[0], name: 'A', kind: 'flows' as const }));
    expect(() => checkDocument(parse(datesDocument(automations)))).not.toThrow();
  });

  it('is the earliest, by name if several have one time, and none without times', () => {
    const asked = ['C', 'B', 'A', 'Deleted', 'By motion'].map((name) => ({ id: ID[0], name, kind: 'flows' as const }));
    const answer = { n0: ['2030-01-01T07:00:00Z'], n1: ['2030-01-01T06:00:00Z'], n2: ['2030-01-01T06:00:00Z'] };
    const due = readDates(asked, { ...answer, n3: null, n4: [] });
    expect(due.map(({ name }) => name)).toEqual(['C', 'B', 'A']);
    expect(earliest(due)?.name).toBe('A');
    expect(earliest(readDates(asked, undefined))).toBeNull();
  });

  it('is asked again when its time has passed, neither at once nor after hours', () => {
    const next = (at: string) => ({ id: ID[0], name: 'A', kind: 'flows' as const, at });
    const now = Date.parse('2030-01-01T06:00:00Z');
    expect(waitUntilPast(next('2030-01-01T06:02:00Z'), now)).toBe(2 * MINUTE_MS + 1_000);
    expect(waitUntilPast(next('2030-01-01T05:00:00Z'), now)).toBe(30_000);
    expect(waitUntilPast(next('2030-01-02T06:00:00Z'), now)).toBe(10 * MINUTE_MS);
    expect(waitUntilPast(null, now)).toBe(false);
  });
});
