import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  findTowns,
  loadTowns,
  parseTowns,
  type Town,
  townAt,
  townOfZone,
  withoutAccents,
} from '../../../src/web/dashboard/pickers/towns/towns.ts';

const FILE = new URL('../../../src/web/dashboard/pickers/towns/towns.txt', import.meta.url);
const MAX_BYTES = 150_000;

const labelOf = ({ name, region, country }: Town) => `${name}, ${region}, ${country}`;
const find = async (text: string, max = 5) => findTowns(await loadTowns(), text, labelOf, max).map(labelOf);

describe('the list of towns', () => {
  it('has more than 5,000 with a place and a time zone, in a file of at most 150 kB', async () => {
    const towns = parseTowns(readFileSync(FILE, 'utf8'));
    expect(towns.length).toBeGreaterThan(5_000);
    expect(gzipSync(readFileSync(FILE)).length).toBeLessThan(MAX_BYTES);
    const isSound = ({ name, country, latitude, longitude, timeZone }: Town) =>
      name !== '' &&
      /^[A-Z]{2}$/.test(country) &&
      Math.abs(latitude) <= 90 &&
      Math.abs(longitude) <= 180 &&
      Boolean(new Intl.DateTimeFormat('en', { timeZone }));
    expect(towns.filter((town) => !isSound(town))).toEqual([]);
    expect(await loadTowns()).toEqual(towns);
  });

  it('names no two towns alike: those of one name differ by region or country', async () => {
    const labels = (await loadTowns()).map(labelOf);
    expect(labels.filter((label, index) => labels.indexOf(label) !== index)).toEqual([]);
  });

  it('is searched by the beginning of a name, without accents and in other spellings', async () => {
    expect(await find('zuri', 1)).toEqual(['Zürich, Zürich, CH']);
    expect(await find('MÜNCH', 1)).toEqual(['Munich, Bayern, DE']);
    expect(await find('munch', 1)).toEqual(['Munich, Bayern, DE']);
    expect(await find('york', 9)).toContain('New York, New York, US');
    expect(await find('no such town')).toEqual([]);
    expect(withoutAccents('Łódź Straße Ørsted')).toBe('lodz strasse orsted');
  });

  it('lists towns of one name with their regions, which narrow them down', async () => {
    expect((await find('springfield', 9)).length).toBeGreaterThan(2);
    expect(await find('springfield, oreg', 9)).toEqual(['Springfield, Oregon, US']);
    expect(await find('berlin', 1)).toEqual(['Berlin, Berlin, DE']);
  });

  it('knows the city of a time zone, and the town at a place', async () => {
    const towns = await loadTowns();
    const berlin = townOfZone(towns, 'Europe/Berlin');
    expect(berlin?.name).toBe('Berlin');
    expect(townOfZone(towns, 'America/New_York')?.name).toBe('New York');
    expect(townOfZone(towns, 'Etc/GMT+12')).toBeUndefined();
    expect(berlin && townAt(towns, berlin.latitude, berlin.longitude)).toBe(berlin);
    expect(townAt(towns, 0.123, 0.123)).toBeUndefined();
  });
});
