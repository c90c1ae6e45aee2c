import { describe, expect, it } from 'vitest';
import { notePreviousVersion } from '../../../src/app/updates/previous-version.ts';
import { openFreshDatabase } from '../../support/fresh-database.ts';

describe('the version that ran before', () => {
  it('is none at the first start, and stays the same until another one runs', () => {
    const database = openFreshDatabase();
    const starts = ['1.0.0', '1.0.0', '1.1.0', '1.1.0', '2.0.0-rc.1', '2.0.0'];
    expect(starts.map((version) => notePreviousVersion(database, version))).toEqual([
      ...[null, null, '1.0.0', '1.0.0', '1.1.0', '2.0.0-rc.1'],
    ]);
  });

  it('is the newer one after a way back', () => {
    const database = openFreshDatabase();
    const starts = ['1.0.0', '1.1.0', '1.0.0'].map((version) => notePreviousVersion(database, version));
    expect(starts).toEqual([null, '1.0.0', '1.1.0']);
  });

  it('is known although it can’t be stored, and is stored by the next start that can', () => {
    const database = openFreshDatabase();
    notePreviousVersion(database, '1.0.0');
    database.exec(`CREATE TRIGGER no_room BEFORE INSERT ON settings BEGIN SELECT RAISE(ABORT, 'disk is full'); END`);
    expect(notePreviousVersion(database, '1.1.0')).toBe('1.0.0');
    database.exec('DROP TRIGGER no_room');
    expect(notePreviousVersion(database, '1.1.0')).toBe('1.0.0');
    expect(notePreviousVersion(database, '1.1.0')).toBe('1.0.0');
  });

  it('is not shown if it was damaged', () => {
    const database = openFreshDatabase();
    database.prepare('INSERT INTO settings VALUES (?, ?)').run('program.version', '<b>1.0.0');
    expect(notePreviousVersion(database, '1.1.0')).toBeNull();
  });
});
