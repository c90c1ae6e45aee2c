/**
 * Decisions §10 on presence: positions come by OwnTracks' HTTP mode or by `setPresence`, and `location` and `presence`
 * events of them.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSchema } from '../../src/api/graphql/schema.ts';
import { createGraphqlFixture } from '../api/graphql/graphql-fixture.ts';
import { createTestApi, createToken } from '../support/rest-client.ts';
import { systemCaller } from '../support/test-home.ts';
import { type AutomationClient, BERLIN, openAutomationClient } from './automation-client.ts';

const AWAY = { lat: 52.7, lon: 13.405 };
const HOME = { lat: BERLIN.latitude, lon: BERLIN.longitude };

let door: AutomationClient;
let ann: string;
let bob: string;

beforeEach(() => {
  door = openAutomationClient({ runsPerMinute: 1_000 });
  door.home.homes.update(systemCaller, door.homeId, { location: BERLIN });
  [ann, bob] = ['Ann', 'Bob'].map(
    (name) => door.home.people.create(systemCaller, { homeId: door.homeId, name }).id,
  ) as [string, string];
});
afterEach(() => door.close());

/** As the app sends it. */
async function ownTracks(user: string, place: { lat: number; lon: number }) {
  await door.advance(60_000);
  const credentials = Buffer.from(`${user}:${createToken(door.home)}`).toString('base64');
  const response = await createTestApi(door.home).request('/owntracks', {
    method: 'POST',
    headers: { Host: 'localhost', Authorization: `Basic ${credentials}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ _type: 'location', ...place, acc: 10, tst: Math.floor(door.home.clock.now() / 1_000) }),
  });
  await door.home.settle();
  return { status: response.status, body: await response.json() };
}
async function setPresence(person: string, atHome: boolean): Promise<void> {
  await door.rest.post(`/rest/people/${person}/presence`, { atHome });
  await door.home.settle();
}
const personOf = async (id: string) => (await door.rest.get(`/rest/people/${id}`)).body;

let made = 0;
async function native(event: object): Promise<() => Promise<number>> {
  made += 1;
  const actions = [{ accessoryId: door.id('Lamp'), characteristicType: 'power_state', targetValue: true }];
  const body = { homeId: door.homeId, name: `Presence ${made}`, trigger: { type: 'event', events: [event] }, actions };
  const { id } = (await door.rest.post('/rest/automations', body)).body;
  return () => door.runsOf(id);
}

describe('people’s positions arrive', () => {
  it('by OwnTracks’ HTTP mode, POST /owntracks, answered by an empty list', async () => {
    expect(await ownTracks('Ann', AWAY)).toEqual({ status: 200, body: [] });
    expect(await personOf(ann)).toMatchObject({ atHome: false, latitude: AWAY.lat, longitude: AWAY.lon, accuracy: 10 });
    await ownTracks('Ann', HOME);
    expect(await personOf(ann)).toMatchObject({ atHome: true });
  });

  it('or by setPresence, as a word or a position', async () => {
    const fixture = createGraphqlFixture(door.home, createSchema());
    const set = `mutation($id: String!, $atHome: Boolean, $latitude: Float, $longitude: Float) {
      setPresence(personId: $id, atHome: $atHome, latitude: $latitude, longitude: $longitude) { id name atHome latitude }
    }`;
    const answered = await fixture.ask(set, { id: ann, atHome: true });
    expect(answered.body.data.setPresence).toEqual({ id: ann, name: 'Ann', atHome: true, latitude: null });
    await door.advance(60_000);
    const seen = await fixture.ask(set, { id: ann, latitude: AWAY.lat, longitude: AWAY.lon });
    expect(seen.body.data.setPresence).toMatchObject({ atHome: false, latitude: AWAY.lat });
  });
});

describe('presence events are computed here', () => {
  const presence = (presenceEvent: string, more: object = { presenceType: 'allUsers' }) =>
    native({ type: 'presence', presenceEvent, ...more });

  it('atHome and notAtHome: anyone comes or leaves', async () => {
    const [came, left] = [await presence('atHome'), await presence('notAtHome')];
    await setPresence(ann, true);
    await setPresence(bob, true);
    await setPresence(ann, false);
    expect([await came(), await left()]).toEqual([2, 1]);
  });

  it('firstArrival and lastDeparture: the first to come, the last to go', async () => {
    const [first, last] = [await presence('firstArrival'), await presence('lastDeparture')];
    await setPresence(ann, true);
    await setPresence(bob, true);
    expect([await first(), await last()]).toEqual([1, 0]);
    await setPresence(ann, false);
    await setPresence(bob, false);
    expect([await first(), await last()]).toEqual([1, 1]);
  });

  it('customUsers: only these people count', async () => {
    const came = await presence('atHome', { presenceType: 'customUsers', personIds: [bob] });
    await setPresence(ann, true);
    expect(await came()).toBe(0);
    await setPresence(bob, true);
    expect(await came()).toBe(1);
  });

  it('of what phones report, too; reporting the same again is none', async () => {
    const came = await presence('atHome');
    await ownTracks('Ann', HOME);
    await ownTracks('Ann', HOME);
    expect(await came()).toBe(1);
  });

  it('a person who is not of the home is refused with the path of the field', async () => {
    const other = door.home.homes.create(systemCaller, { name: 'Cabin' });
    const trigger = {
      type: 'event',
      events: [{ type: 'presence', presenceEvent: 'atHome', presenceType: 'customUsers', personIds: [ann] }],
    };
    const { body } = await door.rest.post('/rest/automations', { homeId: other.id, name: 'X', trigger, actions: [] });
    expect(body).toMatchObject({ code: 'person_not_found', field: 'trigger.events[0].personIds[0]' });
  });
});

describe('location events are computed here', () => {
  const place = { type: 'location', latitude: 52.6, longitude: 13.405, radius: 200 };
  const there = { lat: 52.6, lon: 13.405 };

  it('notifyOnEntry: a person enters the circle', async () => {
    const entered = await native({ ...place, notifyOnEntry: true, notifyOnExit: false });
    await ownTracks('Ann', HOME);
    await ownTracks('Ann', there);
    await ownTracks('Ann', AWAY);
    expect(await entered()).toBe(1);
  });

  it('notifyOnExit: a person leaves it', async () => {
    const left = await native({ ...place, notifyOnEntry: false, notifyOnExit: true });
    await ownTracks('Ann', there);
    expect(await left()).toBe(0);
    await ownTracks('Ann', HOME);
    expect(await left()).toBe(1);
  });
});
