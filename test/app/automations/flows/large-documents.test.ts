/**
 * Documents as large as one may be: the event loop runs while one is read, and between the slices in which its flow is
 * parsed.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { YamlThread } from '../../../../src/app/automations/flows/yaml-thread.ts';
import { systemCaller } from '../../../support/test-home.ts';
import { createFlowFixture, type FlowFixture, laterFaultOf } from './flow-fixture.ts';

let fixture: FlowFixture;
beforeEach(() => {
  fixture = createFlowFixture();
});
afterEach(() => fixture.close());

/** Each action has an expression of its own. */
function largeFlow() {
  const expression = (n: number) =>
    `{{ states("${fixture.id('Kettle')}", "power_state") == true && ${Array(15).fill(`${n} + 1 > 3`).join(' || ')} ? 40 : ${n} }}`;
  const actions = Array.from({ length: 500 }, (_, n) => ({
    type: 'set_device',
    accessoryId: fixture.id('Lamp'),
    characteristicType: 'brightness',
    value: expression(n),
  }));
  return { hearthd: 'flow/1', name: 'Large', actions };
}

/** In branches within branches, so that the flow's own list is short. */
function nestedFlow() {
  const { actions, ...flow } = largeFlow();
  const within = { type: 'choose', choices: [{ conditions: [], actions: actions.slice(0, 490) }] };
  return { ...flow, actions: [{ type: 'parallel', branches: [[within]] }] };
}

/** Work in one piece leaves no turn; how many slices it takes depends on the machine. */
const SOME = 1;

/** How often the event loop turns until it is over. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work.finally(() => {
    isOver = true;
  });
  return turns;
}

describe('an import of a large document lets the event loop run between slices', () => {
  it.each([
    ['a long list of actions', largeFlow],
    ['actions within actions', nestedFlow],
  ])('while the flow is parsed: %s', async (_what, flow) => {
    const text = JSON.stringify(flow());
    expect(text.length).toBeGreaterThan(128 * 1024);
    // One turn reads the document, one each begins with the expressions and the actions. The rest are of slices.
    expect(await turnsDuring(fixture.flows.import(systemCaller, fixture.homeId, text))).toBeGreaterThan(SOME);
    expect(fixture.flows.list(systemCaller).map(({ name }) => name)).toEqual(['Large']);
  });

  it('while its YAML is read, which another thread does', async () => {
    const flow = fixture.save({ ...largeFlow(), hearthd: undefined });
    const text = await fixture.flows.export(systemCaller, flow.id, 'yaml');
    const reader = new YamlThread();
    expect(await turnsDuring(reader.read(text))).toBeGreaterThan(SOME);
    await reader.stop();
  });
});

describe('a large flow lets the event loop run between slices', () => {
  const toSave = () => ({ ...largeFlow(), hearthd: undefined });

  it('while it is saved as a new one, and as another version', async () => {
    const { homeId, flows } = fixture;
    const make = flows.saveInSlices(systemCaller, { homeId, data: toSave() });
    expect(await turnsDuring(make)).toBeGreaterThan(SOME);
    const { id: flowId } = await make;
    const change = flows.saveInSlices(systemCaller, { homeId, flowId, data: { ...toSave(), name: 'Larger' } });
    expect(await turnsDuring(change)).toBeGreaterThan(SOME);
    expect(await change).toMatchObject({ id: flowId, name: 'Larger', version: 2 });
  });

  it('while a version of it is restored', async () => {
    const { id } = fixture.save(toSave());
    fixture.save({}, id);
    const first = fixture.flows.versions(systemCaller, id).at(-1);
    const restore = fixture.flows.restoreVersion(systemCaller, first?.id ?? '');
    expect(await turnsDuring(restore)).toBeGreaterThan(SOME);
    expect((await restore).actions).toHaveLength(500);
  });

  it('while it is exported as YAML', async () => {
    const { id } = fixture.save(toSave());
    expect(await turnsDuring(fixture.flows.export(systemCaller, id, 'yaml'))).toBeGreaterThan(SOME);
  });
});

describe('a large flow that is changed while it is saved', () => {
  const toSave = () => ({ ...largeFlow(), hearthd: undefined });

  it.each([
    ['saved', (id: string) => void fixture.save({ name: 'Meanwhile' }, id)],
    ['disabled', (id: string) => void fixture.flows.setEnabled(systemCaller, id, false)],
  ])('because it is %s keeps that change', async (_what, change) => {
    const { homeId, flows } = fixture;
    const { id: flowId } = fixture.save({ description: 'Before' });
    const saved = laterFaultOf(() => flows.saveInSlices(systemCaller, { homeId, flowId, data: toSave() }));
    change(flowId);
    expect((await saved).code).toBe('conflict');
    expect(flows.get(systemCaller, flowId).actions).toEqual([]);
  });

  it('because it is deleted is refused', async () => {
    const { homeId, flows } = fixture;
    const { id: flowId } = fixture.save({});
    const saved = laterFaultOf(() => flows.saveInSlices(systemCaller, { homeId, flowId, data: toSave() }));
    flows.delete(systemCaller, flowId);
    expect((await saved).code).toBe('automation_not_found');
    expect(flows.list(systemCaller)).toEqual([]);
  });
});

describe('while a document is imported', () => {
  const document = JSON.stringify({ hearthd: 'flow/1', name: 'A', actions: [] });

  it('another flow may take its name: it gets a number', async () => {
    const imported = fixture.flows.import(systemCaller, fixture.homeId, document);
    fixture.save({ name: 'A' });
    expect((await imported).name).toBe('A 2');
  });

  it('another flow may take its webhook: it is refused', async () => {
    const triggers = [{ type: 'webhook', webhookId: 'w'.repeat(30) }];
    const text = JSON.stringify({ hearthd: 'flow/1', name: 'A', triggers, actions: [] });
    const imported = laterFaultOf(() => fixture.flows.import(systemCaller, fixture.homeId, text));
    fixture.save({ triggers });
    expect((await imported).details.field).toBe('triggers[0].webhookId');
  });

  it('its home may be deleted: it is refused', async () => {
    const { id } = fixture.homes.create(systemCaller, { name: 'Boat' });
    const imported = laterFaultOf(() => fixture.flows.import(systemCaller, id, document));
    fixture.homes.delete(systemCaller, id);
    expect((await imported).code).toBe('home_not_found');
  });
});

describe('the thread that reads YAML', () => {
  it('reads one text after the other', async () => {
    const reader = new YamlThread();
    const values = await Promise.all(['a: 1', '[2]', 'c: .nan'].map((text) => reader.read(text)));
    expect(values).toEqual([{ a: 1 }, [2], { c: Number.NaN }]);
    await reader.stop();
  });

  it('goes on after a text that can not be read', async () => {
    const reader = new YamlThread();
    const [bad, good] = await Promise.allSettled([reader.read('a: &a [*a]'), reader.read('b')]);
    expect(bad).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('contains itself') } });
    expect(good).toEqual({ status: 'fulfilled', value: 'b' });
    await reader.stop();
  });

  it('ends when flows stop, and what waits for it is refused', async () => {
    const reader = new YamlThread();
    const refused = Promise.allSettled([reader.read('a'), reader.read('b')]);
    await reader.stop();
    for (const one of await refused) {
      expect(one).toMatchObject({ status: 'rejected', reason: { message: 'the relay is stopping' } });
    }
    reader.start();
    expect(await reader.read('c')).toBe('c');
    await reader.stop();
  });

  it('refuses more than sixteen texts that wait', async () => {
    const reader = new YamlThread();
    const reads = Promise.allSettled(Array.from({ length: 18 }, () => reader.read('a')));
    await reader.stop();
    const reasons = (await reads).map((one) => (one.status === 'rejected' ? String(one.reason) : ''));
    expect(reasons.filter((reason) => reason.includes('too many documents'))).toHaveLength(1);
  });
});

describe('what a flow may hold', () => {
  it('is 25,000 values', async () => {
    const uiState = { list: Array(25_000).fill(0) };
    const text = JSON.stringify({ hearthd: 'flow/1', name: 'A', actions: [], uiState });
    const { code, message } = await laterFaultOf(() => fixture.flows.import(systemCaller, fixture.homeId, text));
    expect([code, message]).toEqual(['invalid_value', 'A flow may have 25,000 values. Split it into several.']);
  });

  it('is 500 expressions in one text', async () => {
    const log = { type: 'variables', variables: { text: '{{ 1 }}'.repeat(501) } };
    const text = JSON.stringify({ hearthd: 'flow/1', name: 'A', actions: [log] });
    const { message } = await laterFaultOf(() => fixture.flows.import(systemCaller, fixture.homeId, text));
    expect(message).toContain('a text has at most 500 expressions');
  });
});
