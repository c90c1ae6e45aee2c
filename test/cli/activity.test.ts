import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseCsv } from '../support/csv.ts';
import { systemCaller } from '../support/test-home.ts';
import { type RunningDaemon, startDaemon } from './running-daemon.ts';

let daemon: RunningDaemon;

beforeEach(async () => {
  daemon = await startDaemon();
  daemon.home.history.setEnabled(systemCaller, daemon.home.home.id, true);
});
afterEach(() => daemon.stop());

const hearthd = (...args: string[]) => daemon.hearthd('activity', ...args);

describe('hearthd activity', () => {
  it('lists who did what, newest first', async () => {
    expect((await hearthd()).err).toBe('No activity.\n');
    await daemon.hearthd('set', 'Lamp', 'on=true');
    daemon.home.driver.event('10:00:00:00:00:04', '1', '9', true);
    expect((await hearthd()).out).toBe(
      [
        'WHEN                 WHAT    ROOM         VALUE     BY',
        '2026-01-15 12:00:00  Motion  Living Room  detected  the device itself',
        '2026-01-15 12:00:00  Lamp    Living Room  on        relay or command line',
        '',
      ].join('\n'),
    );
  });

  it('takes filters', async () => {
    await daemon.hearthd('set', 'Lamp', 'on=true');
    daemon.home.driver.event('10:00:00:00:00:04', '1', '9', true);
    const listed = async (...args: string[]) =>
      (JSON.parse((await hearthd('--json', ...args)).out) as { subject: { name: string } }[]).map(
        ({ subject }) => subject.name,
      );
    expect(await listed('--accessory', 'lamp')).toEqual(['Lamp']);
    expect(await listed('--by', 'device', '--room', 'living room')).toEqual(['Motion']);
    expect(await listed('--kind', 'lock')).toEqual([]);
    expect(await listed('--limit', '1')).toEqual(['Motion']);
    expect((await hearthd('--kind', 'lok')).err).toContain('Did you mean "lock"?');
    expect((await hearthd('--accessory', 'teapot')).code).toBe(4);
  });

  it('prints all as CSV', async () => {
    await daemon.hearthd('set', 'Lamp', 'on=true');
    const [header, row] = parseCsv((await hearthd('--csv')).out);
    expect(row?.[header?.indexOf('value') ?? -1]).toBe('on');
    expect((await hearthd('--csv', '--json')).code).toBe(2);
  });
});
