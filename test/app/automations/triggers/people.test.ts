import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PresenceEvent } from '../../../../src/app/automations/triggers/presence.ts';
import { createTempDirectory } from '../../../support/temp-directory.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { systemCaller } from '../../../support/test-home.ts';
import { countListeners, createTriggerFixture, type TriggerFixture } from './trigger-fixture.ts';

let fixture: TriggerFixture;
beforeEach(() => {
  fixture = createTriggerFixture();
  everyone = { ann: false, bob: false, cat: null };
});
afterEach(() => {
  if (fixture.database.open) fixture.close();
});

let everyone: Record<string, boolean | null>;

/** A person comes or goes: the home knows it, and then reports it. */
function move(personId: string, atHome: boolean, homeId = fixture.home.id): void {
  everyone = { ...everyone, [personId]: atHome };
  fixture.setPeople(Object.entries(everyone).map(([id, isThere]) => ({ id, name: id, atHome: isThere })));
  const [anyoneHome, everyoneHome] = [Object.values(everyone).includes(true), false];
  fixture.bus.emit('presence.changed', { homeId, personId, atHome, anyoneHome, everyoneHome, at: fixture.clock.now() });
}

describe('a presence trigger', () => {
  const DAY: readonly (readonly [string, boolean])[] = [
    ['ann', true],
    ['bob', true],
    ['ann', false],
    ['bob', false],
  ];
  it.each<[PresenceEvent, readonly string[] | undefined, readonly string[]]>([
    ['atHome', undefined, ['ann', 'bob']],
    ['notAtHome', undefined, ['ann', 'bob']],
    ['firstArrival', undefined, ['ann']],
    ['lastDeparture', undefined, ['bob']],
    ['atHome', ['bob'], ['bob']],
    ['firstArrival', ['bob'], ['bob']],
    ['lastDeparture', ['ann'], ['ann']],
    ['lastDeparture', [], ['bob']],
  ])('%s of %j fires for %j', (event, personIds, expected) => {
    const { fired } = fixture.watch({ type: 'presence', event, ...(personIds && { personIds }) });
    for (const [person, atHome] of DAY) move(person, atHome);
    expect(fired.map(({ data }) => data)).toEqual(expected.map((id) => ({ person_id: id })));
  });

  it('is deaf to other homes', () => {
    const { fired } = fixture.watch({ type: 'presence', event: 'atHome' });
    move('ann', true, 'another home');
    expect(fired).toEqual([]);
  });
});

describe('a location trigger', () => {
  const circle = { type: 'location', latitude: 52.5, longitude: 13.4, radius: 200 } as const;
  const both = { ...circle, notifyOnEntry: true, notifyOnExit: true };
  /** A degree of latitude is 111.2 km. */
  const fix = (metres: number, accuracyM = 10, personId = 'ann'): void =>
    fixture.bus.emit('person.moved', {
      homeId: fixture.home.id,
      personId,
      latitude: 52.5 + metres / 111_200,
      longitude: 13.4,
      accuracyM,
      at: fixture.clock.now(),
    });
  beforeEach(() => {
    fixture.homes.update(systemCaller, fixture.home.id, { location: { latitude: 52.5, longitude: 13.4 } });
  });

  it('fires when a person enters or leaves, as configured', () => {
    const all = fixture.watch(both, 'both');
    const entry = fixture.watch({ ...both, notifyOnExit: false }, 'entry');
    const exit = fixture.watch({ ...both, notifyOnEntry: false }, 'exit');
    for (const metres of [1_000, 50, 60, 1_000]) fix(metres);
    expect([all, entry, exit].map(({ fired }) => fired.length)).toEqual([2, 1, 1]);
    expect(all.fired[0]?.data).toEqual({ person_id: 'ann' });
  });

  it('only learns from the first position where a person is', () => {
    const { fired } = fixture.watch(both);
    fix(50);
    expect(fired).toEqual([]);
    fix(1_000);
    expect(fired).toHaveLength(1);
  });

  it('changes nothing on a position that may be on either side', () => {
    const { fired } = fixture.watch(both);
    fix(1_000);
    fix(150, 100);
    fix(250, 100);
    fix(190, 20);
    expect(fired).toEqual([]);
    fix(190, 5);
    expect(fired).toHaveLength(1);
    fix(210, 20);
    expect(fired).toHaveLength(1);
  });

  it('knows each person by itself, and only the configured ones', () => {
    const { fired } = fixture.watch({ ...both, personIds: ['bob'] });
    for (const person of ['ann', 'bob']) for (const metres of [1_000, 50]) fix(metres, 10, person);
    expect(fired.map(({ data }) => data.person_id)).toEqual(['bob']);
  });

  it('is silent while the location of the home is unknown', () => {
    fixture.homes.update(systemCaller, fixture.home.id, { location: null });
    const { fired } = fixture.watch(both);
    for (const metres of [1_000, 50]) fix(metres);
    expect(fired).toEqual([]);
  });

  it('remembers over a restart who is inside', () => {
    using directory = createTempDirectory('people');
    const path = directory.file('relay.db');
    fixture.close();
    fixture = createTriggerFixture({ path });
    fixture.homes.update(systemCaller, fixture.home.id, { location: { latitude: 52.5, longitude: 13.4 } });
    fixture.watch(both);
    fix(50);
    fixture.kill();
    fixture = createTriggerFixture({ path, clock: new TestClock(fixture.clock.now() + 60_000) });
    const { fired } = fixture.watch(both);
    fix(60);
    expect(fired).toEqual([]);
    fix(1_000);
    expect(fired).toHaveLength(1);
    fixture.close();
  });

  it('leaves nothing behind', () => {
    const listeners = countListeners(fixture);
    const { stop } = fixture.watch(both);
    stop();
    expect(listeners()).toBe(0);
  });
});
