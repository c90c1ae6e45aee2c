/**
 * Every action of the WebSocket × every kind of caller × their home and another one, by the model that the tests of the
 * other APIs use too. An action without a row fails.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACTIONS } from '../../../src/api/live/websocket/actions/index.ts';
import { SESSION_ACTIONS } from '../../../src/api/live/websocket/session-actions.ts';
import type { Principal as CallerPrincipal, Role } from '../../../src/app/access/caller.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { AuthorizationFixture, NO_SUCH_ID, TIMER } from '../../support/authorization-fixture.ts';
import { expectNoLeak, PLACES, type Verdict, verdictOf, verdictOfMaking } from '../../support/authorization-model.ts';
import { KNOWN, type Principal, STRANGERS } from '../../support/authorization-principals.ts';
import { ACTION_EFFECTS, madeBy } from '../../support/authorization-things.ts';
import { systemCaller } from '../../support/test-home.ts';
import { type Message, type SessionClient, SessionFixture } from '../../support/web-socket-client.ts';

type Ids = Readonly<Record<string, string>>;

/** Actions about one home or something in it. */
interface HomeRow {
  readonly needs: Role;
  payload(ids: Ids): object;
  /** Of something made for this, where it will be gone afterwards. */
  fresh?(where: AuthorizationFixture, ids: Ids): object;
}

/** Of each of them the same must come for what does not exist. */
const NOTHING: Ids = new Proxy({}, { get: () => NO_SUCH_ID });

const write = ({ accessory }: Ids) => ({ accessoryId: accessory, characteristicType: 'on', value: true });
const actions = ({ accessory }: Ids) => [{ accessoryId: accessory ?? '', characteristicType: 'on', targetValue: true }];

const newScene = (ids: Ids) => ({ homeId: ids.home ?? '', name: newId(), actions: actions(ids) });

const HOME_ROWS: Readonly<Record<string, HomeRow>> = {
  'rooms.list': { needs: 'view', payload: ({ home }) => ({ homeId: home }) },
  'zones.list': { needs: 'view', payload: ({ home }) => ({ homeId: home }) },
  'serviceGroups.list': { needs: 'view', payload: ({ home }) => ({ homeId: home }) },
  'scenes.list': { needs: 'view', payload: ({ home }) => ({ homeId: home }) },
  'automations.list': { needs: 'view', payload: ({ home }) => ({ homeId: home }) },
  'accessories.list': { needs: 'view', payload: ({ home }) => ({ homeId: home }) },
  'relay.probe': { needs: 'view', payload: ({ home }) => ({ homeId: home }) },
  'accessory.get': { needs: 'view', payload: ({ accessory }) => ({ accessoryId: accessory }) },
  'accessory.refresh': { needs: 'view', payload: ({ accessory }) => ({ accessoryId: accessory }) },
  'characteristic.get': { needs: 'view', payload: write },
  'automation.get': { needs: 'view', payload: ({ automation }) => ({ automationId: automation }) },
  'characteristic.set': { needs: 'control', payload: write },
  'serviceGroup.set': {
    needs: 'control',
    payload: ({ group }) => ({ groupId: group, characteristicType: 'on', value: true }),
  },
  'scene.execute': { needs: 'control', payload: ({ scene }) => ({ sceneId: scene }) },
  'automation.test': { needs: 'control', payload: ({ flow }) => ({ automationId: flow }) },
  'state.set': { needs: 'control', payload: ({ home }) => ({ homeId: home, state: {} }) },
  'room.create': { needs: 'admin', payload: ({ home }) => ({ homeId: home, name: 'Attic' }) },
  'room.delete': {
    needs: 'admin',
    payload: ({ room }) => ({ roomId: room }),
    fresh: ({ test }, { home = '' }) => ({
      roomId: test.rooms.create(systemCaller, { homeId: home, name: newId() }).id,
    }),
  },
  'scene.create': { needs: 'admin', payload: (ids) => ({ homeId: ids.home, name: 'Made', actions: actions(ids) }) },
  'scene.update': { needs: 'admin', payload: ({ scene }) => ({ sceneId: scene, name: 'Movie' }) },
  'scene.delete': {
    needs: 'admin',
    payload: ({ scene }) => ({ sceneId: scene }),
    fresh: ({ test }, ids) => ({ sceneId: test.scenes.create(systemCaller, newScene(ids)).id }),
  },
  'automation.create': {
    needs: 'admin',
    payload: (ids) => ({ homeId: ids.home, name: 'Made', trigger: TIMER, actions: actions(ids) }),
  },
  'automation.update': {
    needs: 'admin',
    payload: ({ automation }) => ({ automationId: automation, enabled: false }),
  },
  'automation.enable': { needs: 'admin', payload: ({ automation }) => ({ automationId: automation }) },
  'automation.disable': { needs: 'admin', payload: ({ automation }) => ({ automationId: automation }) },
  'automation.delete': {
    needs: 'admin',
    payload: ({ automation }) => ({ automationId: automation }),
    fresh: ({ test }, ids) => ({
      automationId: test.automations.create(systemCaller, { ...newScene(ids), trigger: TIMER }).id,
    }),
  },
};

/** Over everything that the caller may see, or about nothing in a home. */
const GENERAL_ROWS: readonly string[] = ['homes.list', 'observe.start', 'observe.stop', 'observe.reset'];
/** What other relays know and this one has no use for. */
const ABSENT_ROWS: readonly string[] = [
  'automation.sync',
  'automation.sync_all',
  'automation.unload',
  'debug.getActivity',
  'app.reload',
];
/** With a report of its own: each write has its own outcome. */
const BULK_ROWS: readonly string[] = ['characteristics.set'];
const UNAUTHENTICATED_ACTIONS: readonly string[] = ['ping'];

const EVERY_CALLER = [...KNOWN, ...STRANGERS];

let fixture: AuthorizationFixture;
/** Who changes something does so here. */
let scratch: AuthorizationFixture;

beforeAll(async () => {
  fixture = await AuthorizationFixture.create();
  scratch = await AuthorizationFixture.create();
  for (const who of EVERY_CALLER) await fixture.credentialsOf(who);
});
afterAll(() => {
  fixture.close();
  scratch.close();
});

/** A client that has authenticated. */
async function arrive(where: AuthorizationFixture, who: Principal): Promise<SessionClient> {
  return new SessionFixture(where.test).open(await principalOf(where, who));
}

const principals = new WeakMap<AuthorizationFixture, Map<string, CallerPrincipal>>();

/** Whom the door takes them for, asked once. */
async function principalOf(where: AuthorizationFixture, who: Principal): Promise<CallerPrincipal> {
  const known = principals.get(where) ?? new Map<string, CallerPrincipal>();
  principals.set(where, known);
  let principal = known.get(who.name);
  if (!principal) {
    const { token, viaSocket } = await where.credentialsOf(who);
    const judged = async () => where.test.credentials.authenticate(token ?? '', 'api');
    principal = viaSocket ? { kind: 'system' } : await judged().catch(() => ({ kind: 'anonymous' }) as const);
    known.set(who.name, principal);
  }
  return principal;
}

function outcomeOf({ error }: Message): Verdict {
  if (!error) return 'granted';
  if (error.code === 'AUTH_REQUIRED') return 'stranger';
  if (error.code === 'PERMISSION_DENIED') return 'refused';
  return /_NOT_FOUND$/.test(error.code) || /not found/i.test(error.message) ? 'hidden' : 'granted';
}

describe('every action', () => {
  it('has a row', () => {
    const rows = [...Object.keys(HOME_ROWS), ...GENERAL_ROWS, ...ABSENT_ROWS, ...BULK_ROWS, ...UNAUTHENTICATED_ACTIONS];
    expect(rows.sort()).toEqual([...ACTIONS.keys()].sort());
    const changing = Object.entries(HOME_ROWS).filter(([, { needs }]) => needs !== 'view');
    expect(Object.keys(ACTION_EFFECTS).sort()).toEqual(changing.map(([name]) => name).sort());
    expect([...SESSION_ACTIONS.keys()].sort()).toEqual(
      ['authenticate', 'subscribe', 'subscriptions.list', 'unsubscribe'].sort(),
    );
  });

  it.each(Object.entries(HOME_ROWS))('%s', async (name, row) => {
    for (const who of EVERY_CALLER) {
      for (const place of PLACES) {
        const verdict = verdictOfMaking(who, { here: row.needs }, place, madeBy(ACTION_EFFECTS, name));
        // The answer does not reveal whether a home that a write names exists.
        const expected = verdict === 'hidden' && name === 'state.set' ? 'refused' : verdict;
        const where = expected === 'granted' && row.needs !== 'view' ? scratch : fixture;
        const client = await arrive(where, who);
        const [version, writes] = [where.test.state.version, where.writes()];
        const payload = (where === scratch && row.fresh?.(where, where.ids[place])) || row.payload(where.ids[place]);
        const answer = await client.request(name, payload);
        expect([who.name, place, outcomeOf(answer), answer]).toEqual([who.name, place, expected, expect.anything()]);
        if (where === fixture) expect([where.test.state.version, where.writes()]).toEqual([version, writes]);
        if (expected === 'hidden') {
          // What may not be seen is answered as what is not there.
          const nothing = await client.request(name, row.payload(NOTHING));
          expect(nothing.error).toEqual(answer.error);
        }
        client.session.closed();
      }
    }
  });

  it('needs authentication in band', async () => {
    for (const who of EVERY_CALLER) {
      const { token } = await fixture.credentialsOf(who);
      if (token === undefined) continue;
      const answer = await new SessionFixture(fixture.test).open().ask('authenticate', { token });
      expect([who.name, answer.success === true]).toEqual([who.name, verdictOf(who, 'anyone') === 'granted']);
    }
  });

  it('characteristics.set reports for each write whether it is allowed', async () => {
    const codes = { stranger: 'AUTH_REQUIRED', hidden: 'ACCESSORY_NOT_FOUND', refused: 'PERMISSION_DENIED' } as const;
    for (const who of EVERY_CALLER) {
      const client = await arrive(scratch, who);
      const writes = PLACES.map((place) => write(scratch.ids[place]));
      const answer = await client.ask('characteristics.set', { writes });
      const expected = PLACES.map((place) => verdictOf(who, { here: 'control' }, place));
      if (expected.includes('stranger')) expect([who.name, answer.code]).toEqual([who.name, codes.stranger]);
      else {
        const reported = expected.flatMap((verdict) => (verdict === 'granted' ? [] : [codes[verdict]]));
        expect([who.name, (answer.errors ?? []).map(({ code }: Message) => code)]).toEqual([who.name, reported]);
      }
      client.session.closed();
    }
  });

  it('over everything shows what one may see, and nothing to strangers', async () => {
    for (const who of EVERY_CALLER) {
      const client = await arrive(fixture, who);
      const isStranger = verdictOf(who, 'anyone') === 'stranger';
      for (const name of [...GENERAL_ROWS, ...ABSENT_ROWS]) {
        const { error } = await client.request(name);
        const known = ABSENT_ROWS.includes(name) ? 'UNKNOWN_ACTION' : undefined;
        expect([who.name, name, error?.code]).toEqual([who.name, name, isStranger ? 'AUTH_REQUIRED' : known]);
      }
      expect(await client.ask('ping')).toMatchObject({ pong: true });
      expectNoLeak(fixture, who, JSON.stringify(client.outlet.messages));
      client.session.closed();
    }
  });

  it('updates reach callers who may see the home, and no one else', async () => {
    const clients = await Promise.all(
      EVERY_CALLER.map(async (who) => {
        const client = await arrive(scratch, who);
        await client.subscribe(...PLACES.map((place) => scratch.ids[place].home ?? ''));
        return { who, client };
      }),
    );
    for (const place of PLACES) scratch.test.state.setReachable(scratch.ids[place].accessory ?? '', false);
    for (const { who, client } of clients) {
      const reported = (await client.received('reachability_update')).map(({ accessoryId }) => accessoryId);
      const expected = PLACES.filter((place) => verdictOf(who, { here: 'view' }, place) === 'granted');
      expect([who.name, reported]).toEqual([who.name, expected.map((place) => scratch.ids[place].accessory)]);
    }
  });
});
