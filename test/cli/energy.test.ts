import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { type RunningDaemon, startDaemon } from './running-daemon.ts';

let daemon: RunningDaemon;
let directory: TempDirectory;

beforeEach(async () => {
  directory = createTempDirectory('energy');
  daemon = await startDaemon();
});
afterEach(async () => {
  await daemon.stop();
  directory.remove();
});

const energy = (...words: string[]) => daemon.hearthd('energy', ...words);

describe('hearthd energy', () => {
  it('shows that no device measures', async () => {
    expect((await energy('now')).err).toBe('No device of this home measures energy.\n');
    const { out } = await energy('show', '--by', 'month', '--json');
    expect(JSON.parse(out)).toMatchObject({ kwh: 0, by: 'month', devices: [], buckets: expect.any(Array) });
    expect((await energy('show')).out).toContain('Together: 0.000 kWh\n');
  });

  it('sets, shows and removes tariffs', async () => {
    expect((await energy('set-tariff', 'fixed', '--price', '0.34')).out).toBe('My Home: 0.34 EUR per kWh.\n');
    const times = ['06:00-22:00=0.36', '22:00-06:00=0.24', '--since', '2026-01-01'];
    expect((await energy('set-tariff', 'times', ...times)).out).toBe(
      'My Home: since 2026-01-01: EUR per kWh: 0.36 06:00–22:00; 0.24 22:00–06:00.\n',
    );
    expect((await energy('tariff')).out.split('\n')).toHaveLength(3);
    expect((await energy('remove-tariff')).out).toBe('My Home has no tariff.\n');
    expect((await energy('tariff')).err).toBe('No tariff is set.\n');
  });

  it.each([
    [['set-tariff', 'times', '06:00-22:00=0.36'], 'there is no price from Monday 00:00 to Monday 06:00'],
    [['set-tariff', 'times', 'six=1'], 'is such as 06:00-22:00=0.36'],
    [['set-tariff', 'times', 'mo@00:00-00:00=1'], 'is such as 06:00-22:00=0.36'],
    [['set-tariff', 'fixed'], 'a fixed tariff takes a price'],
    [['set-tariff', 'fixed', '--price', '1', '--currency', 'euro'], 'three letters'],
    [['show', '--from', 'yesterday'], 'it takes a day such as'],
    [['show', '--by', 'year'], 'year'],
    [['prices', '/nowhere/prices.json'], 'Cannot read'],
    [['export', '--json'], 'An export is CSV'],
  ])('refuses %j', async (words, sentence) => {
    const { code, out, err } = await energy(...words);
    expect([code, out + err]).toEqual([2, expect.stringContaining(sentence)]);
  });

  it('sends spot prices from a file', async () => {
    const file = directory.file('prices.json');
    writeFileSync(file, JSON.stringify([{ from: '2026-01-15T12:00:00Z', to: '2026-01-15T14:30:00Z', price: 0.2 }]));
    expect((await energy('prices', file)).out).toMatch(/^Saved the prices of 2\.5 hours, from .* to .*\.\n$/);
    writeFileSync(file, 'none');
    expect((await energy('prices', file)).err).toContain('is not JSON');
  });

  it('exports CSV to stdout or a file', async () => {
    const header = 'start,end,accessory_id,meter,name,kwh,cost,currency\r\n';
    expect((await energy('export', '--from', '2026-01-01', '--to', '2026-02-01')).out).toBe(header);
    const file = directory.file('energy.csv');
    expect((await energy('export', '--file', file)).out).toBe(`Wrote ${file}.\n`);
    expect(readFileSync(file, 'utf8')).toBe(header);
  });
});
