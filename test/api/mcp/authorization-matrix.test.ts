/**
 * Every tool × every kind of caller × their home and another one, by the model that the REST and GraphQL tests use too.
 * A tool without a row fails. `authorization.test.ts` looks at what tools and resources name of homes.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOOLS } from '../../../src/api/mcp/tools/index.ts';
import type { Role } from '../../../src/app/access/caller.ts';
import { AuthorizationFixture, TIMER } from '../../support/authorization-fixture.ts';
import {
  expectNoLeak,
  isEnoughAnywhere,
  NAMES,
  PLACES,
  type Place,
  type Scope,
  type Standing,
  verdictOf,
  verdictOfMaking,
} from '../../support/authorization-model.ts';
import { KNOWN, type Principal, STRANGERS } from '../../support/authorization-principals.ts';
import { madeBy, TOOL_EFFECTS } from '../../support/authorization-things.ts';
import { createRestClient, type RestAnswer } from '../../support/rest-client.ts';

interface ToolRow {
  readonly needs: Exclude<Role, 'owner'>;
  args(home: string, names: (typeof NAMES)[Place]): object;
  /** It reads everything visible, and answers for the rest as for nothing. */
  readonly listing?: true;
}

const ROWS: Readonly<Record<string, ToolRow>> = {
  get_state: { needs: 'view', listing: true, args: (home) => ({ filter_by_home: home }) },
  get_automations: { needs: 'view', listing: true, args: (home) => ({ filter_by_home: home }) },
  get_flows: { needs: 'view', listing: true, args: (home) => ({ filter_by_home: home }) },
  get_blueprints: { needs: 'view', args: (home) => ({ home }) },
  get_history: { needs: 'view', args: (home, { accessory }) => ({ home, accessory }) },
  query_history: { needs: 'view', args: (home) => ({ home }) },
  set_state: {
    needs: 'control',
    args: (home, { room, accessory }) => ({ updates: [{ home, room, accessory, on: true }] }),
  },
  get_people: { needs: 'view', listing: true, args: (home) => ({ filter_by_home: home }) },
  run_scene: { needs: 'control', args: (home, { thing }) => ({ home, name: `Scene ${thing}` }) },
  create_scene: {
    needs: 'admin',
    args: (home, { accessory }) => ({ home, name: 'Made', actions: [{ accessory, on: true }] }),
  },
  update_scene: { needs: 'admin', args: (home, { thing }) => ({ home, name: `Scene ${thing}`, new_name: 'Renamed' }) },
  delete_scene: { needs: 'admin', args: (home, { thing }) => ({ home, name: `Scene ${thing}` }) },
  create_virtual_accessory: { needs: 'admin', args: (home) => ({ home, name: 'Made', type: 'switch' }) },
  update_virtual_accessory: {
    needs: 'admin',
    args: (home, { thing }) => ({ home, id: `Mode ${thing}`, name: 'Late' }),
  },
  delete_virtual_accessory: { needs: 'admin', args: (home, { thing }) => ({ home, id: `Mode ${thing}` }) },
  create_automation: {
    needs: 'admin',
    args: (home, { accessory }) => ({ home, name: 'Made', trigger: TIMER, actions: [{ accessory, on: true }] }),
  },
  update_automation: {
    needs: 'admin',
    args: (home, { thing }) => ({ home, id: `Automation ${thing}`, enabled: false }),
  },
  delete_automation: { needs: 'admin', args: (home, { thing }) => ({ home, id: `Automation ${thing}` }) },
  create_flow: { needs: 'admin', args: (home) => ({ home, name: 'Made', triggers: [], actions: [] }) },
  apply_blueprint: {
    needs: 'admin',
    args: (home) => ({ home, blueprint: 'away_mode', inputs: {} }),
  },
  update_flow: { needs: 'admin', args: (home, { thing }) => ({ home, id: `Flow ${thing}`, enabled: false }) },
  delete_flow: { needs: 'admin', args: (home, { thing }) => ({ home, id: `Flow ${thing}` }) },
};

const EVERY_CALLER = [...KNOWN, ...STRANGERS];
/** What an app must have been allowed for it, weakest first. */
const SCOPE_NEEDED: Readonly<Record<ToolRow['needs'], Scope>> = { view: 'read', control: 'write', admin: 'admin' };
const SCOPES: readonly Scope[] = ['read', 'write', 'admin'];

let fixture: AuthorizationFixture;
/** Who changes something does so here; new where something is gone. */
let scratch: AuthorizationFixture;

beforeAll(async () => {
  fixture = await AuthorizationFixture.create();
  scratch = await AuthorizationFixture.create();
  for (const who of [...STRANGERS, ...KNOWN]) await fixture.credentialsOf(who);
});
afterAll(() => {
  fixture.close();
  scratch.close();
});

async function rpc(
  where: AuthorizationFixture,
  who: Principal,
  method: string,
  params: object = {},
): Promise<RestAnswer> {
  const { token, viaSocket } = await where.credentialsOf(who);
  const client = createRestClient(where.app, token, viaSocket && { viaSocket });
  return client.post('/mcp', { jsonrpc: '2.0', id: 1, method, params });
}

const call = (where: AuthorizationFixture, who: Principal, name: string, args: object): Promise<RestAnswer> =>
  rpc(where, who, 'tools/call', { name, arguments: args });

/** This address accepts an app's token with any other permissions. */
function rejected(who: Standing): Standing {
  const { mcpAlone: _isHere, ...rest } = who;
  return rest;
}

type Outcome = 'stranger' | 'without the scope' | 'hidden' | 'refused' | 'granted';

function expectedOf(who: Principal, name: string, { needs, listing }: ToolRow, place: Place): Outcome {
  const verdict = verdictOfMaking(rejected(who), { here: needs }, place, madeBy(TOOL_EFFECTS, name));
  if (verdict === 'stranger') return verdict;
  if (who.scope && SCOPES.indexOf(who.scope) < SCOPES.indexOf(SCOPE_NEEDED[needs])) return 'without the scope';
  return listing ? 'granted' : verdict;
}

function outcomeOf({ status, body, headers }: RestAnswer): Outcome {
  if (status === 401) return 'stranger';
  if (status === 403) {
    expect(headers.get('www-authenticate')).toContain('insufficient_scope');
    return 'without the scope';
  }
  const { isError, content } = body.result;
  if (!isError) return 'granted';
  const wire = JSON.parse(content[0].text);
  if (wire.code === 'insufficient_permissions') return 'refused';
  if (wire.code === 'home_not_found' || /No home is called/.test(JSON.stringify(wire))) return 'hidden';
  return 'granted';
}

describe('every tool', () => {
  it('has a row', () => {
    expect(Object.keys(ROWS).sort()).toEqual(TOOLS.map(({ name }) => name).sort());
    const changing = Object.entries(ROWS).filter(([, { needs }]) => needs !== 'view');
    expect(Object.keys(TOOL_EFFECTS).sort()).toEqual(changing.map(([name]) => name).sort());
  });

  it('is listed for callers who may use it somewhere', async () => {
    for (const who of KNOWN) {
      const listed = (await rpc(fixture, who, 'tools/list')).body.result.tools.map(
        ({ name }: { name: string }) => name,
      );
      const expected = TOOLS.filter(({ name }) => isEnoughAnywhere(who, ROWS[name]?.needs ?? 'owner'));
      // A token for a third home reaches tools there.
      if (who.worth && Object.keys(who.worth).length === 0 && listed.length > 0) continue;
      expect([who.name, listed]).toEqual([who.name, expected.map(({ name }) => name)]);
    }
  });

  it.each(Object.entries(ROWS))('%s', async (name, row) => {
    for (const who of EVERY_CALLER) {
      for (const place of PLACES) {
        const expected = expectedOf(who, name, row, place);
        const where = expected === 'granted' && row.needs !== 'view' ? scratch : fixture;
        const [version, writes] = [where.test.state.version, where.writes()];
        const answer = await call(where, who, name, row.args(NAMES[place].home, NAMES[place]));
        expect([who.name, place, outcomeOf(answer), answer.text]).toEqual([
          who.name,
          place,
          expected,
          expect.any(String),
        ]);
        if (where === fixture) expect([where.test.state.version, where.writes()]).toEqual([version, writes]);
        else if (row.needs === 'admin') await renewScratch();
        if (expected !== 'hidden' && !row.listing) continue;
        if (who.worth?.[place]) continue;
        // What may not be seen answers word for word like what does not exist; only the input is repeated.
        const nothing = await call(where, who, name, row.args('Nowhere', NAMES[place]));
        if (expected === 'hidden' || expected === 'granted') {
          expect(answer.text.replace(asked(NAMES[place].home), '…')).toBe(nothing.text.replace(asked('Nowhere'), '…'));
        }
      }
    }
  });
});

/** The input, as answers repeat it. */
const asked = (home: string): RegExp => new RegExp(home, 'gi');

async function renewScratch(): Promise<void> {
  scratch.close();
  scratch = await AuthorizationFixture.create();
}

describe('every resource', () => {
  const METHODS: readonly (readonly [string, (ids: Readonly<Record<string, string>>) => object])[] = [
    ['resources/list', () => ({})],
    ['resources/templates/list', () => ({})],
    ['resources/read', () => ({ uri: 'hearthd://homes' })],
    ['resources/read', ({ home }) => ({ uri: `hearthd://homes/${home}` })],
    ['resources/read', ({ accessory }) => ({ uri: `hearthd://accessories/${accessory}` })],
    [
      'completion/complete',
      () => ({
        ref: { type: 'ref/resource', uri: 'hearthd://accessories/{id}' },
        argument: { name: 'id', value: '' },
      }),
    ],
  ];

  it.each(METHODS)('%s (%#) shows what one may see', async (method, params) => {
    for (const who of EVERY_CALLER) {
      for (const place of PLACES) {
        const sent = params(fixture.ids[place]);
        const { status, body, text } = await rpc(fixture, who, method, sent);
        const verdict = verdictOf(rejected(who), { here: 'view' }, place);
        expect([who.name, status]).toEqual([who.name, verdict === 'stranger' ? 401 : 200]);
        const isOfOne =
          JSON.stringify(sent).includes(fixture.ids[place].home ?? '') ||
          JSON.stringify(sent).includes(fixture.ids[place].accessory ?? '');
        if (verdict !== 'stranger' && isOfOne) {
          expect([who.name, place, body.error?.code]).toEqual([
            who.name,
            place,
            verdict === 'granted' ? undefined : -32_602,
          ]);
        }
        // The input is repeated; nothing of the rest.
        if (!isOfOne) expectNoLeak(fixture, who, text);
      }
    }
  });
});
