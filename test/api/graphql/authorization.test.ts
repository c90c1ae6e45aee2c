/**
 * Every root field × every kind of caller × their home and another one, by the model that the REST tests use too; and
 * the fields further in, as far as the schema goes. A field without a row fails the test, so that each new one states
 * who may use it.
 */
import { type GraphQLObjectType, getNamedType, isCompositeType, isObjectType, isRequiredArgument } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSchema } from '../../../src/api/graphql/schema.ts';
import { AuthorizationFixture, guestOf, NO_SUCH_DEVICE, NO_SUCH_ID } from '../../support/authorization-fixture.ts';
import { type FieldRow, MUTATIONS, QUERIES, SUBSCRIPTIONS } from '../../support/authorization-graphql.ts';
import {
  expectNoLeak,
  PLACES,
  type Place,
  type Verdict,
  verdictOf,
  verdictOfMaking,
} from '../../support/authorization-model.ts';
import { KNOWN, type Principal, STRANGERS } from '../../support/authorization-principals.ts';
import { MUTATION_EFFECTS, madeBy, SECRET_QUERY_EFFECTS } from '../../support/authorization-things.ts';
import { createRestClient, type RestAnswer } from '../../support/rest-client.ts';
import { systemCaller } from '../../support/test-home.ts';
import { openEventStream } from './event-stream-reader.ts';

const schema = createSchema();
const EVERY_CALLER = [...KNOWN, ...STRANGERS];
/** Tested on its own, below. */
const OWN_TESTS = ['dismissHome'];
/**
 * Sends no credentials at all; other strangers send bad ones, which are good for nothing, not even for what is open.
 */
const NO_CALLER = STRANGERS[0];

/** Every caller that is refused, and every one that only reads. Nothing in it ever changes. */
let fixture: AuthorizationFixture;
/** Who changes something does so here; new where something is gone. */
let scratch: AuthorizationFixture;

beforeAll(async () => {
  fixture = await AuthorizationFixture.create();
  scratch = await AuthorizationFixture.create();
  // Strangers first: the end of an account has every token looked up, and its use noted, again.
  for (const who of [...STRANGERS, ...KNOWN]) await fixture.credentialsOf(who);
});
afterAll(() => {
  fixture.close();
  scratch.close();
});

async function renewScratch(): Promise<void> {
  scratch.close();
  scratch = await AuthorizationFixture.create();
}

async function ask(where: AuthorizationFixture, who: Principal, query: string): Promise<RestAnswer> {
  const { token, viaSocket } = await where.credentialsOf(who);
  return createRestClient(where.app, token, viaSocket && { viaSocket }).post('/graphql', { query });
}

/** What a subscription begins with: its refusal, or nothing yet. */
async function subscribe(where: AuthorizationFixture, who: Principal, query: string): Promise<RestAnswer> {
  const { token, viaSocket } = await where.credentialsOf(who);
  const stream = await openEventStream(where.app, { token, query, env: viaSocket && { viaSocket } });
  const text = await stream.read();
  await stream.close();
  const refusal = /^data: (.*)$/m.exec(text)?.[1] ?? (stream.status === 200 ? '{}' : text);
  return { status: stream.status, headers: stream.headers, text, body: JSON.parse(refusal) };
}

type Ids = Readonly<Record<string, string>>;

/** What braces stand for besides what is in a home. */
function sundries(where: AuthorizationFixture, place: Place): Ids {
  const { test } = where;
  const collection =
    test.collections.list(systemCaller)[0] ?? test.collections.create(systemCaller, { name: 'Favourites' });
  return {
    collection: collection.id,
    link: where.links[place],
    guest: guestOf(place),
    nothing: NO_SUCH_ID,
  };
}

const fill = (call: string, ids: Ids): string =>
  call.replace(/\{(\w+)\}/g, (whole, word: string) => ids[word] ?? whole);

/** The same ids, of nothing that exists. */
function absentIds(ids: Ids): Ids {
  const absent = Object.keys(ids).map((what) => [what, what === 'device' ? NO_SUCH_DEVICE : NO_SUCH_ID]);
  return Object.fromEntries(absent);
}

/** What an answer comes down to: an error of the field, or the code in the result of an act. */
function outcomeOf({ status, body }: RestAnswer, isAbsent: boolean): Verdict {
  if (status === 401) return 'stranger';
  const [data] = Object.values(body.data ?? {}) as ({ code?: string | null } | null)[];
  const code: string = body.errors?.[0]?.extensions.code ?? data?.code ?? 'OK';
  if (/^(FORBIDDEN|DEVELOPER_MODE_REQUIRED|insufficient_permissions)$/.test(code)) return 'refused';
  if (/not_found$/i.test(code)) return isAbsent ? 'granted' : 'hidden';
  return 'granted';
}

function expectedOf(who: Principal, name: string, { needs, hides }: FieldRow, place: Place): Verdict {
  const isTurnedAway = verdictOf(who, 'anyone') === 'stranger' && (who !== NO_CALLER || needs !== 'everyone');
  if (isTurnedAway) return 'stranger';
  const verdict = verdictOfMaking(who, needs, place, madeBy({ ...MUTATION_EFFECTS, ...SECRET_QUERY_EFFECTS }, name));
  return hides && verdict === 'refused' ? 'hidden' : verdict;
}

/** Fields about no home are asked once. */
const placesOf = ({ needs }: FieldRow): readonly Place[] =>
  typeof needs === 'object' && 'here' in needs ? PLACES : ['own'];

async function tryRow(kind: 'query' | 'mutation' | 'subscription', name: string, row: FieldRow): Promise<void> {
  const askFor = kind === 'subscription' ? subscribe : ask;
  const isSpent = /^(delete|remove|unpair|change)/.test(name);
  for (const who of EVERY_CALLER) {
    for (const place of placesOf(row)) {
      const expected = expectedOf(who, name, row, place);
      const where = kind === 'mutation' && expected === 'granted' ? scratch : fixture;
      const ids = { ...where.ids[place], ...sundries(where, place) };
      const [version, writes] = [where.test.state.version, where.writes()];
      const answer = await askFor(where, who, `${kind} { ${fill(row.call, ids)} }`);
      const outcome = outcomeOf(answer, row.absent ?? false);
      expect([who.name, place, outcome, answer.text]).toEqual([who.name, place, expected, expect.any(String)]);
      if (where === fixture)
        expect([who.name, where.test.state.version, where.writes()]).toEqual([who.name, version, writes]);
      if (where === scratch && isSpent) await renewScratch();
      if (row.needs !== 'everyone') expectNoLeak(where, who, answer.text);
      if (expected !== 'hidden' || row.hides) continue;
      // What may not be seen answers word for word as what is not there.
      const nothing = await askFor(
        where,
        who,
        `${kind} { ${fill(row.call, { ...ids, ...absentIds(where.ids[place]) })} }`,
      );
      expect(removePlace(answer)).toEqual(removePlace(nothing));
    }
  }
}

/** Without where in the text of the request it was, and the id that was asked for. */
function removePlace({ body }: RestAnswer): unknown {
  const uuid = /[0-9a-f]{8}-[0-9a-f-]{27}|([0-9A-F]{2}:){5}[0-9A-F]{2}/g;
  const errors = body.errors?.map(({ locations: _at, ...rest }: { locations: unknown }) => rest);
  return JSON.parse(JSON.stringify({ ...body, errors }).replace(uuid, 'id'));
}

describe('every root field', () => {
  it('is in the table', () => {
    expect(Object.keys(QUERIES).sort()).toEqual(Object.keys(schema.getQueryType()?.getFields() ?? {}).sort());
    const mutations = [...Object.keys(MUTATIONS), ...OWN_TESTS];
    expect(mutations.sort()).toEqual(Object.keys(schema.getMutationType()?.getFields() ?? {}).sort());
    expect(Object.keys(MUTATION_EFFECTS).sort()).toEqual(mutations);
    const subscriptions = schema.getSubscriptionType()?.getFields() ?? {};
    expect(Object.keys(SUBSCRIPTIONS).sort()).toEqual(Object.keys(subscriptions).sort());
  });

  it.each(Object.entries(QUERIES))('query %s answers whom it should', (name, row) => tryRow('query', name, row));

  it.each(Object.entries(MUTATIONS))('mutation %s obeys whom it should', (name, row) => tryRow('mutation', name, row));

  it.each(Object.entries(SUBSCRIPTIONS))('subscription %s notifies the right callers', (name, row) =>
    tryRow('subscription', name, row),
  );
});

describe('mutation dismissHome', () => {
  it.each(EVERY_CALLER.map((who) => [who.name, who] as const))('of %s', async (_, who) => {
    for (const place of PLACES) {
      const answer = await ask(scratch, who, fill('mutation { dismissHome(homeId: "{home}") }', scratch.ids[place]));
      // People leave by themselves.
      const needed = who.kind === 'session' ? 'view' : 'admin';
      const mayAsk = verdictOf(who, 'a person or the relay');
      const made = madeBy(MUTATION_EFFECTS, 'dismissHome');
      expect([place, outcomeOf(answer, false)]).toEqual([
        place,
        mayAsk === 'granted' ? verdictOfMaking(who, { here: needed }, place, made) : mayAsk,
      ]);
      if (outcomeOf(answer, false) === 'granted') await renewScratch();
    }
  });
});

const SOUND = /^(OK|FORBIDDEN|NOT_FOUND|DEVELOPER_MODE_REQUIRED)$/;

/** No field leads deeper that does not lead back. */
const DEPTH = 4;

/**
 * What can be selected below a type, as one selection for each object that is reached: all of them together are too
 * much to be asked for at once. Without what needs arguments, and what leads back to a type that was passed.
 */
function selectionsBelow(type: GraphQLObjectType, passed: readonly string[] = []): readonly string[] {
  const fields = Object.values(type.getFields()).filter(({ args }) => !args.some(isRequiredArgument));
  const plain = fields.filter(({ type: of }) => !isCompositeType(getNamedType(of))).map(({ name }) => name);
  const deeper = fields.flatMap(({ name, type: of }) => {
    const inner = getNamedType(of);
    if (!isObjectType(inner) || passed.length >= DEPTH || passed.includes(inner.name)) return [];
    return selectionsBelow(inner, [...passed, type.name]).map((selection) => `{ ${name} ${selection} }`);
  });
  return [`{ __typename ${plain.join(' ')} }`, ...deeper];
}

const withEverything = Object.entries(QUERIES).flatMap(([name, row]) => {
  const type = getNamedType(schema.getQueryType()?.getFields()[name]?.type);
  if (!isObjectType(type) || row.needs === 'everyone') return [];
  const call = row.call.replace(/(\)|^\w+) \{.*$/, '$1');
  return [[name, selectionsBelow(type).map((selection) => `{ ${call} ${selection} }`)] as const];
});

/** The strongest and the weakest of each kind who know one home well and must not learn of the other. */
const INSIDERS = KNOWN.filter(({ worth, kind, mcpAlone }, index) => {
  if (!worth?.own || worth.foreign || mcpAlone || !/owner|view/.test(worth.own)) return false;
  return KNOWN.findIndex((other) => other.kind === kind && other.worth?.own === worth.own) === index;
});

describe('everything below', () => {
  it.each(withEverything)('%s reveals nothing of another’s home', async (_, queries) => {
    for (const who of INSIDERS) {
      for (const place of PLACES) {
        const ids = { ...fixture.ids[place], ...sundries(fixture, place) };
        for (const query of queries) {
          const { text, body } = await ask(fixture, who, fill(query, ids));
          const code = body.errors?.[0]?.extensions.code ?? 'OK';
          // The request itself is sound.
          expect([who.name, code, text]).toEqual([who.name, expect.stringMatching(SOUND), expect.any(String)]);
          expectNoLeak(fixture, who, text);
        }
      }
    }
  });
});
