import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { numberLine, stateLine } from '../../src/cli/commands/history-show.ts';
import { parseCsv } from '../support/csv.ts';
import { systemCaller } from '../support/test-home.ts';
import { type RunningDaemon, startDaemon } from './running-daemon.ts';

const HOUR_MS = 3_600_000;

let daemon: RunningDaemon;

beforeEach(async () => {
  daemon = await startDaemon();
});
afterEach(() => daemon.stop());

const hearthd = (...args: string[]) => daemon.hearthd('history', ...args);

/** Writes samples `[hours ago, value]` of the thermostat's temperature. */
function remember(samples: readonly (readonly [hours: number, value: number])[]): void {
  const { home } = daemon;
  const { id: accessoryId, homeId } = home.named('Thermostat');
  const series = { homeId, accessoryId, characteristic: 'current_temperature', kind: 'numeric', unit: '°C' } as const;
  const seriesId = home.historyStore.openSeries(series);
  const now = home.clock.now();
  home.historyStore.insert(samples.map(([hours, value]) => ({ seriesId, at: now - hours * HOUR_MS, value })));
}

describe('recording', () => {
  it('is turned on and off, shared, and kept for the given time', async () => {
    expect((await hearthd('enable', '--shared', '--keep', '30')).out).toBe('History is enabled for My Home.\n');
    const { home } = daemon;
    const settings = () => home.history.home(systemCaller, home.home.id);
    expect(settings()).toMatchObject({ enabled: true, shared: true, rawRetentionDays: 30 });
    await hearthd('enable', '--no-shared', '--keep', 'default');
    expect(settings()).toMatchObject({ enabled: true, shared: false, rawRetentionDays: null });
    expect((await hearthd('disable')).out).toBe('History is disabled for My Home.\n');
    expect(settings()).toMatchObject({ enabled: false, shared: false });
    expect((await hearthd('enable', '--keep', 'long')).code).toBe(2);
    expect((await hearthd('enable', '--home', 'Castle')).code).toBe(4);
  });

  it('of one series is set and taken back', async () => {
    const { out } = await hearthd('set', 'lamp', 'hue', '--on', '--interval', '60', '--deadband', '2', '--keep', '7');
    expect(out).toBe('Lamp hue: at most every 60 s, changes of at least 2, kept 7 days.\n');
    expect((await hearthd('series')).out).toMatch(/Lamp +hue +yes +60 s +2 +7 d +0/);
    expect((await hearthd('set', 'Lamp', 'hue', '--reset')).out).toBe('Lamp hue: not recorded.\n');
    expect((await hearthd('set', 'Lamp', 'hue')).err).toContain('Pass --on, --off');
    expect((await hearthd('set', 'Lamp', 'hue', '--on', '--off')).code).toBe(2);
    expect((await hearthd('set', 'Lam', 'hue', '--on')).err).toContain('"Lam" is part of "Lamp"');
    expect((await hearthd('set', 'Teapot', 'hue', '--on')).code).toBe(4);
    expect((await hearthd('set', 'Lamp', 'firmware_revision', '--on')).err).toContain('is not recordable on Lamp');
  });
});

describe('show', () => {
  it('explains how to turn it on where it is off', async () => {
    const { code, out, err } = await hearthd('show', 'lamp');
    expect([code, out]).toEqual([0, '']);
    expect(err).toContain('hearthd history enable');
  });

  it('draws each series over the time asked for', async () => {
    await hearthd('enable');
    remember([
      [12, 18],
      [6, 22],
    ]);
    const { out, err } = await hearthd('show', 'Thermostat', '--last', '24h');
    const [head, line = ''] = out.split('\n');
    expect(head).toMatch(/^SERIES +COURSE +MIN +AVG +MAX +LATEST +UNIT$/);
    expect(line).toMatch(/^current_temperature +▁{12}█{12} +18 +20 +22 +22 +°C$/);
    expect(err).toContain('characteristics have recorded history in the last 24h');
  });

  it('lists every value of one series', async () => {
    await hearthd('enable');
    remember([
      [2, 18],
      [1, 19.5],
    ]);
    const { out } = await hearthd('show', 'thermostat', 'current_temp', '--last', '3h');
    expect(out).toBe(
      ['TIME                 VALUE (°C)', '2026-01-15 10:00:00  18', '2026-01-15 11:00:00  19.5', ''].join('\n'),
    );
  });

  it('gives the API’s answer as JSON', async () => {
    await hearthd('enable');
    const { out } = await hearthd('show', 'thermostat', '--json');
    expect(JSON.parse(out)).toMatchObject({ accessory: { name: 'Thermostat' }, series: expect.any(Array) });
  });

  it('wants a time span that is one', async () => {
    expect((await hearthd('show', 'lamp', '--last', 'always')).code).toBe(2);
    expect((await hearthd('show', 'teapot')).err).toContain('No accessory matches "teapot"');
  });
});

describe('a line', () => {
  const FROM = '2026-01-01T00:00:00.000Z';
  const TO = '2026-01-03T00:00:00.000Z';

  it('stands for time, not for values: a value holds until the next one', () => {
    const line = numberLine([['2026-01-02T00:00:00.000Z', 5]], FROM, TO);
    expect(line).toBe(' '.repeat(24) + '▁'.repeat(24));
    expect(numberLine([], FROM, TO)).toBe(' '.repeat(48));
  });

  it('is low while nothing goes on, and begins with what held before', () => {
    const line = stateLine({ openingValue: 'off', transitions: [['2026-01-01T12:00:00.000Z', 'on']] }, FROM, TO);
    expect(line).toBe('▁'.repeat(12) + '█'.repeat(36));
  });
});

describe('export', () => {
  beforeEach(async () => {
    remember([
      [30, 17],
      [2, 18],
      [1, 19],
    ]);
  });

  it('writes CSV to where it can be piped', async () => {
    const { code, out, err } = await hearthd('export');
    expect([code, err]).toEqual([0, '']);
    expect(parseCsv(out).map(([, , , value]) => value)).toEqual(['value', '17', '18', '19']);
  });

  it('writes a file that no other user can read', async () => {
    const file = join(daemon.dataDir, 'export.csv');
    const { out } = await hearthd(
      'export',
      '--accessory',
      'Thermostat',
      '--characteristic',
      'current_temp',
      '--file',
      file,
    );
    expect(out).toBe(`Wrote 3 values to ${file}.\n`);
    expect(parseCsv(readFileSync(file, 'utf8'))).toHaveLength(4);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('keeps to the times asked for', async () => {
    const from = new Date(daemon.home.clock.now() - 3 * HOUR_MS).toISOString();
    const { out } = await hearthd('export', '--from', from);
    expect(parseCsv(out)).toHaveLength(3);
    expect((await hearthd('export', '--from', 'spring')).code).toBe(2);
  });

  it('reports what is wrong with a file or with --json', async () => {
    expect((await hearthd('export', '--file', '/nowhere/export.csv')).err).toContain(
      'Cannot write /nowhere/export.csv',
    );
    expect((await hearthd('export', '--json')).code).toBe(2);
  });

  it('goes on by itself where the daemon gives it in parts', async () => {
    const { history } = daemon.home;
    const whole = history.export.bind(history);
    history.export = async (caller, input) => {
      const at = input.cursor === undefined ? 0 : Number(input.cursor.split('.')[1]);
      let text = '';
      for await (const chunk of (await whole(caller, { ...input, cursor: undefined })).chunks) text += chunk;
      const [head = '', ...rows] = text.split(/(?<=\r\n)/);
      const part = (async function* () {
        yield head + (rows[at] ?? '');
      })();
      return { chunks: part, next: at + 1 < rows.length ? `1.${at + 1}` : null };
    };
    const { out } = await hearthd('export');
    expect(parseCsv(out).map(([, , , value]) => value)).toEqual(['value', '17', '18', '19']);
  });
});

describe('purge and stats', () => {
  it('delete what is older, and show what is left', async () => {
    remember([
      [30, 17],
      [1, 19],
    ]);
    const before = new Date(daemon.home.clock.now() - 24 * HOUR_MS).toISOString();
    expect((await hearthd('purge')).err).toContain('Pass --accessory, --before');
    expect((await hearthd('purge', '--before', before)).out).toBe('Deleted 1 values.\n');
    expect((await hearthd('stats')).out).toMatch(/values +1\n/);
    expect((await hearthd('purge', '--all', '--accessory', 'Thermostat')).out).toBe('Deleted 1 values.\n');
    const { out } = await hearthd('stats', '--json');
    expect(JSON.parse(out)).toMatchObject({ enabled: false, stats: { sampleRows: 0, oldestAt: null } });
  });
});
