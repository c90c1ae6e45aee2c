import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSchema } from '../../../src/api/graphql/schema.ts';
import { type AutomationHome, createAutomationHome } from '../../support/automation-home.ts';
import { systemCaller } from '../../support/test-home.ts';
import { createGraphqlFixture, type GraphqlFixture } from './graphql-fixture.ts';

let home: AutomationHome;
let graphql: GraphqlFixture;

beforeEach(() => {
  home = createAutomationHome({ sample: true });
  graphql = createGraphqlFixture(home, createSchema());
});
afterEach(() => home.stop());

/** What a sheet of an accessory asks. */
const LATEST = `query Latest($id: String!) {
  activity(accessoryId: $id, limit: 1) { id at kind value subject { type name } actor { kind name } }
}`;

const switchLamp = (on: boolean) =>
  home.control.setProperties(systemCaller, [{ accessoryId: home.named('Lamp').id, settings: { on } }]);

it('The latest change of an accessory is one query, with and without history', async () => {
  const id = home.named('Lamp').id;
  expect((await graphql.ask(LATEST, { id })).body).toEqual({ data: { activity: [] } });
  await switchLamp(true);
  const at = new Date(home.clock.now()).toISOString();
  const latest = {
    ...{ id: '0', at, kind: 'power', value: 'on' },
    subject: { type: 'accessory', name: 'Lamp' },
    actor: { kind: 'relay', name: null },
  };
  expect((await graphql.ask(LATEST, { id })).body.data.activity).toEqual([latest]);
  home.history.setEnabled(systemCaller, home.home.id, true);
  await home.clock.advance(1_000);
  await switchLamp(false);
  const [recorded] = (await graphql.ask(LATEST, { id })).body.data.activity;
  expect(recorded).toMatchObject({ value: 'off' });
  expect(recorded.id).not.toBe('0');
});

it('Activity is filtered and paged, and knows its actors', async () => {
  home.history.setEnabled(systemCaller, home.home.id, true);
  for (const on of [true, false]) await switchLamp(on);
  home.driver.event('10:00:00:00:00:04', '1', '9', true);
  const query =
    'query($a: String!) { activity(kind: "power", actorKind: "relay", before: $a) { id value } activityActors { kind } }';
  const { data } = (await graphql.ask(query, { a: '3' })).body;
  expect(data.activity.map(({ value }: { value: string }) => value)).toEqual(['off', 'on']);
  expect(data.activityActors).toEqual([{ kind: 'device' }, { kind: 'relay' }]);
  const { errors } = (await graphql.ask('{ activity(kind: "weather") { id } }')).body;
  expect(errors[0].message).toContain('Invalid value for kind');
});

it('The run of an entry leads to its trace', async () => {
  home.history.setEnabled(systemCaller, home.home.id, true);
  const { id } = home.saveFlow({ name: 'Hall light' });
  home.run(id);
  await home.settle();
  await switchLamp(true);
  const { activity } = (await graphql.ask('{ activity { kind runId } }')).body.data;
  expect(activity).toEqual([
    { kind: 'power', runId: null },
    { kind: 'automation', runId: expect.any(String) },
  ]);
  const trace = 'query($id: String!) { flowTrace(traceId: $id) { automationId } }';
  const { data } = (await graphql.ask(trace, { id: activity[1].runId })).body;
  expect(data).toEqual({ flowTrace: { automationId: id } });
});
