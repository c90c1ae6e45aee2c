/** Webhooks from end to end, over real HTTP: a request of another program acts on an accessory. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Answer } from '../support/e2e-relay.ts';
import { TestClock } from '../support/test-clock.ts';
import { AutomationFixture } from './automation-fixture.ts';

const RUNS_PER_MINUTE = 10;

let fixture: AutomationFixture;
beforeAll(async () => {
  fixture = await AutomationFixture.start({ clock: new TestClock() });
});
afterAll(() => fixture[Symbol.asyncDispose]());
afterEach(async () => {
  await fixture.forgetAll();
  await fixture.pass(61_000);
});

/** The address of a flow's one webhook, without its host. */
const pathOf = ({ triggers }: Answer['body']): string => `/webhook/${triggers[0].webhookId}`;
const call = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${fixture.relay.url}${path}`, { method: 'POST', ...init });
const json = (body: unknown): RequestInit => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

it('a call runs the flow once, with its payload', async () => {
  const dim = fixture.dim('Echo', '{{ trigger.webhook_payload.bright }}');
  const flow = await fixture.save({ name: 'Called', triggers: [{ type: 'webhook' }], actions: [dim] });
  const answer = await call(pathOf(flow), json({ bright: 64 }));
  expect(answer.status).toBe(202);
  const { success, runId } = (await answer.json()) as Answer['body'];
  const traces = await fixture.untilEnded(flow.id);
  expect([success, traces.length, traces[0].id]).toEqual([true, 1, runId]);
  expect(traces[0]).toMatchObject({
    status: 'success',
    triggerData: { type: 'webhook', webhook_payload: { bright: 64 } },
  });
  expect(fixture.demoHome.written('Echo')).toEqual([64]);
});

it('calls that come too often are refused, and do nothing', async () => {
  const flow = await fixture.save({
    name: 'Rushed',
    mode: 'parallel',
    triggers: [{ type: 'webhook' }],
    actions: [fixture.dim('Spare', 12)],
  });
  const statuses: number[] = [];
  for (let n = 0; n < RUNS_PER_MINUTE + 2; n += 1) statuses.push((await call(pathOf(flow))).status);
  expect(statuses).toEqual([...Array(RUNS_PER_MINUTE).fill(202), 429, 429]);
  await fixture.untilEnded(flow.id, RUNS_PER_MINUTE + 2);
  expect(fixture.demoHome.written('Spare')).toHaveLength(RUNS_PER_MINUTE);
});

it('a run that waits for a call goes on with it', async () => {
  const wait = { type: 'wait_for_trigger', triggers: [{ id: 'call', type: 'webhook' }] };
  const flow = await fixture.save({
    name: 'Waits',
    actions: [wait, fixture.dim('Echo', '{{ wait.trigger.webhook_payload.bright }}')],
  });
  await fixture.run(flow.id);
  const [{ webhookId }] = flow.actions[0].triggers;
  const answer = await call(`/webhook/${webhookId}`, json({ bright: 65 }));
  expect(answer.status).toBe(202);
  await fixture.untilEnded(flow.id);
  expect(fixture.demoHome.written('Echo').at(-1)).toBe(65);
});

it('what does not exist can’t be called, and what is switched off does nothing', async () => {
  expect((await call('/webhook/0123456789012345678901')).status).toBe(404);
  const flow = await fixture.save({
    name: 'Off',
    enabled: false,
    triggers: [{ type: 'webhook' }],
    actions: [fixture.dim('Echo', 66)],
  });
  const answer = await call(pathOf(flow));
  expect(await answer.json()).toMatchObject({ success: false, blockedReason: 'disabled' });
  expect(fixture.demoHome.written('Echo')).not.toContain(66);
});
