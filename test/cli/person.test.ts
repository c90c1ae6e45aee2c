import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningDaemon, startDaemon } from './running-daemon.ts';

let daemon: RunningDaemon;

beforeEach(async () => {
  daemon = await startDaemon();
});
afterEach(() => daemon.stop());

describe('hearthd home locate', () => {
  it('sets where a home is and which time it keeps', async () => {
    const { code, out } = await daemon.hearthd(
      ...['home', 'locate', 'My Home', '--latitude', '52.52', '--longitude', '13.405', '--time-zone', 'Europe/Berlin'],
    );
    expect([code, out]).toEqual([0, 'My Home is at 52.52, 13.405 (within 100 m), in the time zone Europe/Berlin.\n']);
    expect((await daemon.hearthd('home', 'locate', 'My Home', '--time-zone', '')).out).toBe(
      'My Home is at 52.52, 13.405 (within 100 m), in the computer’s time zone.\n',
    );
  });

  it.each([
    [[], 'Pass --latitude and --longitude, --time-zone or both.'],
    [['--latitude', '95', '--longitude', '0'], 'location.latitude'],
    [['--latitude', 'north', '--longitude', '0'], 'latitude'],
    [['--time-zone', 'Mars/Olympus'], '"Mars/Olympus" is no time zone'],
  ])('refuses what is no place: %j', async (words, sentence) => {
    const { code, err } = await daemon.hearthd('home', 'locate', 'My Home', ...words);
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
  });
});

describe('hearthd person', () => {
  it('adds, lists, renames and removes people', async () => {
    expect((await daemon.hearthd('person', 'list')).err).toContain('No people.');
    expect((await daemon.hearthd('person', 'add', 'Ada')).out).toBe('Added Ada (<id>).\n');
    expect((await daemon.hearthd('person', 'rename', 'ada', 'Grace')).out).toBe('Renamed Ada to Grace.\n');
    expect((await daemon.hearthd('person', 'list')).out).toBe(
      ['HOME     NAME   ACCOUNT  WHERE      SINCE  ID', 'My Home  Grace           not known         <id>', ''].join(
        '\n',
      ),
    );
    expect((await daemon.hearthd('person', 'remove', 'My Home/Grace')).out).toBe('Removed Grace.\n');
  });

  it('links a person to the account of a member, and takes the link away', async () => {
    await daemon.hearthd('person', 'add', 'Ada');
    expect((await daemon.hearthd('person', 'link', 'Ada', 'eve@example.org')).code).toBe(4);
    await daemon.hearthdOn(
      { stdin: 'correct horse battery' },
      ...['user', 'add', 'ben@example.org', '--name', 'Ben', '--role', 'view', '--home', 'My Home', '--password-stdin'],
    );
    expect((await daemon.hearthd('person', 'link', 'Ada', 'ben')).out).toBe('Ada has the account ben@example.org.\n');
    expect((await daemon.hearthd('person', 'list')).out).toContain('Ada   ben@example.org  not known');
    const again = await daemon.hearthd('person', 'add', 'Ben', '--account', 'ben@example.org');
    expect([again.code, again.err]).toEqual([5, expect.stringContaining('Ada has this account already.')]);
    expect((await daemon.hearthd('person', 'unlink', 'Ada')).out).toBe('Ada has no account.\n');
    expect((await daemon.hearthd('person', 'add', 'Ben', '--account', 'ben@example.org')).out).toBe(
      'Added Ben (<id>).\n',
    );
  });

  it('sets where a person is', async () => {
    await daemon.hearthd('person', 'add', 'Ada');
    expect((await daemon.hearthd('person', 'set', 'Ada', 'home')).out).toBe('Ada: at home.\n');
    await daemon.hearthd('home', 'locate', 'My Home', '--latitude', '52.52', '--longitude', '13.405');
    expect((await daemon.hearthd('person', 'set', 'Ada', '--latitude', '48.9', '--longitude', '2.3')).out).toBe(
      'Ada: away.\n',
    );
    expect((await daemon.hearthd('person', 'set', 'Ada', 'abroad')).err).toContain('Use "home" or "away".');
    expect((await daemon.hearthd('person', 'set', 'Ada')).code).toBe(2);
    expect((await daemon.hearthd('person', 'set', 'Eve', 'home')).code).toBe(4);
  });
});
