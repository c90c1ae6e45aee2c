import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningDaemon, startDaemon } from './running-daemon.ts';

let daemon: RunningDaemon;

beforeEach(async () => {
  daemon = await startDaemon();
});
afterEach(() => daemon.stop());

describe('hearthd adaptive-lighting', () => {
  it('switches a home, changes its day and shows both', async () => {
    const lighting = (...words: string[]) => daemon.hearthd('adaptive-lighting', ...words);
    expect((await lighting('on')).out).toBe('My Home: on, 182 to 400 mireds, awake from 07:00 to 22:30.\n');
    const changes = [
      '--wake',
      '06:30',
      '--sleep',
      '23:00',
      '--warmest',
      '420',
      '--coldest',
      '200',
      '--pause-hours',
      '4',
    ];
    expect((await lighting('set', ...changes)).out).toBe(
      'My Home: on, 200 to 420 mireds, awake from 06:30 to 23:00.\n',
    );
    expect(JSON.parse((await lighting('status', '--json')).out)).toMatchObject({
      enabled: true,
      pauseHours: 4,
      lamps: [],
    });
    expect((await lighting('set', '--pause-hours', 'none', '--json')).out).toContain('"pauseHours": null');
    expect((await lighting('status')).out).toMatch(/^Home: on, 200 to 420 mireds, .*; now \d+ mireds\n/);
    expect((await lighting('off')).out).toContain('My Home: off');
  });

  it('sets rooms', async () => {
    await daemon.hearthd('room', 'create', 'Attic');
    expect((await daemon.hearthd('adaptive-lighting', 'room', 'Attic', 'on')).out).toBe('Attic: follows the day.\n');
    expect((await daemon.hearthd('adaptive-lighting', 'room', 'Attic', 'dim')).code).toBe(2);
    expect((await daemon.hearthd('adaptive-lighting', 'lamp', 'Attic/Lamp', 'on')).code).toBe(4);
  });

  it.each([
    [['--wake', '25:00'], 'it takes a time as HH:MM'],
    [['--warmest', '20'], 'it takes a whole number from 50 to 1000'],
    [['--warmest', '100'], 'it takes at least the mireds of coldest (182)'],
    [['--sleep', '07:00'], 'it takes another time than wake'],
    [['--pause-hours', '0'], 'it takes a whole number from 1 to 72'],
  ])('refuses what is no day: %j', async (words, sentence) => {
    const { code, err } = await daemon.hearthd('adaptive-lighting', 'set', ...words);
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
  });
});
