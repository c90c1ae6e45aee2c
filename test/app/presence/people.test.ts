import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HomeEvents } from '../../../src/home/events.ts';
import { createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';

const BERLIN = { latitude: 52.52, longitude: 13.405 };
const PARIS = { latitude: 48.8566, longitude: 2.3522 };

let home: TestHome;
let changes: HomeEvents['presence.changed'][];
let moves: HomeEvents['person.moved'][];

function open(path?: string): void {
  home = createTestHome(path === undefined ? {} : { path });
  changes = [];
  moves = [];
  home.bus.on('presence.changed', (event) => changes.push(event));
  home.bus.on('person.moved', (event) => moves.push(event));
}

beforeEach(() => open());
afterEach(() => home.close());

function add(name: string) {
  return home.people.create(systemCaller, { homeId: home.home.id, name });
}

function locateHome(): void {
  home.homes.update(systemCaller, home.home.id, { location: { ...BERLIN, radius: 150 } });
}

describe('people', () => {
  it('are added, renamed, listed by name and removed', () => {
    const ada = add('Ada');
    add('Grace');
    home.people.rename(systemCaller, ada.id, 'Zoe');
    expect(home.people.list(systemCaller).map(({ name, atHome }) => [name, atHome])).toEqual([
      ['Grace', null],
      ['Zoe', null],
    ]);
    home.people.delete(systemCaller, ada.id);
    expect(home.people.list(systemCaller, home.home.id).map(({ name }) => name)).toEqual(['Grace']);
    expect(() => home.people.get(systemCaller, ada.id)).toThrow('Person not found');
  });

  it.each([['ada'], [' Ada '], ['ADA']])('have names that are unique in their home, ignoring case: %j', (name) => {
    add('Ada');
    expect(() => add(name)).toThrow(/already/);
  });

  it('are there after a restart, with what was known of them', () => {
    const directory = mkdtempSync(join(tmpdir(), 'hearthd-people-'));
    try {
      home.close();
      open(join(directory, 'relay.db'));
      locateHome();
      const { id } = add('Ada');
      home.people.setPresence(systemCaller, id, { ...BERLIN, accuracy: 15 });
      const before = home.people.get(systemCaller, id);
      home.database.close();
      open(join(directory, 'relay.db'));
      expect(home.people.get(systemCaller, id)).toEqual(before);
      expect(changes).toEqual([]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('go with their home', () => {
    const cottage = home.homes.create(systemCaller, { name: 'Cottage' });
    const { id } = home.people.create(systemCaller, { homeId: cottage.id, name: 'Ada' });
    home.homes.delete(systemCaller, cottage.id);
    expect(() => home.people.get(systemCaller, id)).toThrow('Person not found');
  });
});

describe('being at home', () => {
  it('is reported outright, and once', () => {
    const { id } = add('Ada');
    home.people.setPresence(systemCaller, id, { atHome: true });
    home.people.setPresence(systemCaller, id, { atHome: true });
    expect(changes).toEqual([
      {
        homeId: home.home.id,
        personId: id,
        atHome: true,
        anyoneHome: true,
        everyoneHome: true,
        at: home.clock.now(),
      },
    ]);
  });

  it('reports whether anyone and whether everyone is there', () => {
    const [ada, grace] = [add('Ada'), add('Grace')];
    home.people.setPresence(systemCaller, ada.id, { atHome: true });
    home.people.setPresence(systemCaller, grace.id, { atHome: true });
    home.people.setPresence(systemCaller, ada.id, { atHome: false });
    home.people.setPresence(systemCaller, grace.id, { atHome: false });
    expect(changes.map(({ anyoneHome, everyoneHome }) => [anyoneHome, everyoneHome])).toEqual([
      [true, false],
      [true, true],
      [true, false],
      [false, false],
    ]);
  });

  it('follows from a position and the home’s place and radius', () => {
    locateHome();
    const { id } = add('Ada');
    home.people.setPresence(systemCaller, id, { ...BERLIN, accuracy: 10 });
    home.people.setPresence(systemCaller, id, { ...PARIS, accuracy: 10 });
    expect(changes.map(({ atHome }) => atHome)).toEqual([true, false]);
    expect(moves.map(({ latitude }) => latitude)).toEqual([BERLIN.latitude, PARIS.latitude]);
  });

  it('stays unknown while the home has no place', () => {
    const { id } = add('Ada');
    expect(home.people.setPresence(systemCaller, id, BERLIN).atHome).toBeNull();
    expect(moves).toHaveLength(1);
  });

  it('ends for the others when a person who is there is removed', () => {
    const [ada] = [add('Ada'), add('Grace')];
    home.people.setPresence(systemCaller, ada.id, { atHome: true });
    home.people.delete(systemCaller, ada.id);
    expect(changes.at(-1)).toMatchObject({ personId: ada.id, atHome: false, anyoneHome: false });
  });

  it('is reported of no one once the last one is removed: an empty home has no one at home', () => {
    const { id } = add('Ada');
    home.people.setPresence(systemCaller, id, { atHome: true });
    home.people.delete(systemCaller, id);
    expect(changes.at(-1)).toMatchObject({ anyoneHome: false, everyoneHome: false });
  });

  it.each([
    [{}, 'Give either atHome, or latitude and longitude'],
    [{ atHome: true, latitude: 1, longitude: 1 }, 'Give either'],
    [{ atHome: 'yes' }, 'Invalid value for atHome'],
    [{ latitude: 91, longitude: 1 }, 'Invalid value for latitude'],
    [{ latitude: 1 }, 'Invalid value for longitude'],
    [{ latitude: 1, longitude: Number.NaN }, 'Invalid value for longitude'],
    [{ latitude: 1, longitude: 1, accuracy: -1 }, 'Invalid value for accuracy'],
  ])('is refused with the field named: %j', (report, sentence) => {
    const { id } = add('Ada');
    expect(() => home.people.setPresence(systemCaller, id, report as object)).toThrow(sentence);
    expect(changes).toEqual([]);
  });
});

describe('a phone’s report', () => {
  const report = (at: number, place = BERLIN) => ({ ...place, accuracy: 10, at });

  it('reaches everyone of that name in the homes that the caller may control', () => {
    locateHome();
    const cottage = home.homes.create(systemCaller, { name: 'Cottage' });
    home.homes.update(systemCaller, cottage.id, { location: { ...PARIS, radius: 150 } });
    add('Ada');
    home.people.create(systemCaller, { homeId: cottage.id, name: 'Ada' });
    const reported = home.people.report(systemCaller, { name: 'ada' }, report(home.clock.now()));
    expect(Object.fromEntries(reported.map(({ homeId, atHome }) => [homeId, atHome]))).toEqual({
      [home.home.id]: true,
      [cottage.id]: false,
    });
  });

  it('that is older than the last one changes nothing', () => {
    locateHome();
    add('Ada');
    const now = home.clock.now();
    home.people.report(systemCaller, { name: 'Ada' }, report(now));
    home.people.report(systemCaller, { name: 'Ada' }, report(now - 60_000, PARIS));
    expect(home.people.list(systemCaller)[0]?.atHome).toBe(true);
  });

  it('from a clock that is ahead counts as now, so that the next one is not older', async () => {
    locateHome();
    add('Ada');
    home.people.report(systemCaller, { name: 'Ada' }, report(home.clock.now() + 86_400_000));
    await home.clock.advance(1_000);
    home.people.report(systemCaller, { name: 'Ada' }, report(home.clock.now(), PARIS));
    expect(home.people.list(systemCaller)[0]?.atHome).toBe(false);
  });

  it('reaches those whom the caller may control, though it may only look at a namesake elsewhere', () => {
    locateHome();
    const cottage = home.homes.create(systemCaller, { name: 'Cottage' });
    const own = add('Ada');
    home.people.create(systemCaller, { homeId: cottage.id, name: 'Ada' });
    const caller = tokenCaller({ [home.home.id]: 'control', [cottage.id]: 'view' });
    const reported = home.people.report(caller, { name: 'Ada' }, report(home.clock.now()));
    expect(reported.map(({ id }) => id)).toEqual([own.id]);
  });

  it.each([[-1], [-1e300], [Number.MIN_SAFE_INTEGER], [Number.NaN], [1e300]])(
    'of a time that no calendar has counts as now: %d',
    (at) => {
      locateHome();
      add('Ada');
      home.people.report(systemCaller, { name: 'Ada' }, report(at));
      expect(home.people.list(systemCaller)[0]).toMatchObject({ atHome: true, fix: { at: home.clock.now() } });
    },
  );

  it('may be of a fraction of a millisecond', () => {
    add('Ada');
    const at = home.clock.now() - 1_000;
    home.people.report(systemCaller, { name: 'Ada' }, report(at + 0.25));
    expect(home.people.list(systemCaller)[0]?.fix?.at).toBe(at);
  });

  it('counts once our own clock, which was ahead, has been put right', () => {
    locateHome();
    const { id } = add('Ada');
    const before = home.clock.now();
    home.clock.jumpWallClock(86_400_000);
    home.people.setPresence(systemCaller, id, BERLIN);
    home.clock.jumpWallClock(-86_400_000);
    home.people.report(systemCaller, { name: 'Ada' }, report(before, PARIS));
    expect(home.people.get(systemCaller, id).atHome).toBe(false);
  });

  it('of a new person adds them for a caller that may manage the home', () => {
    locateHome();
    home.people.report(systemCaller, { name: 'Grace' }, report(home.clock.now()));
    expect(home.people.list(systemCaller)).toMatchObject([{ name: 'Grace', atHome: true }]);
  });

  it('of a new person is refused for one that may only control it', () => {
    const caller = tokenCaller({ [home.home.id]: 'control' });
    expect(() => home.people.report(caller, { name: 'Grace' }, report(home.clock.now()))).toThrow(
      'There is no person called Grace',
    );
  });

  it('is refused for a caller that may only view the home', () => {
    add('Ada');
    const caller = tokenCaller({ [home.home.id]: 'view' });
    expect(() => home.people.report(caller, { name: 'Ada' }, report(home.clock.now()))).toThrow(
      'Insufficient permissions',
    );
  });
});
