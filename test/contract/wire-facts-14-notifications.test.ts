/**
 * Wire-facts §14 and decisions §12, as automations see them: what a `notify` action gives, and what people find of it
 * later.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSchema } from '../../src/api/graphql/schema.ts';
import { createGraphqlFixture } from '../api/graphql/graphql-fixture.ts';
import { FakeChannel } from '../app/notifications/fake-channel.ts';
import { type AutomationClient, openAutomationClient, step } from './automation-client.ts';

let push: FakeChannel;
let door: AutomationClient;

beforeEach(() => {
  push = new FakeChannel('push');
  door = openAutomationClient({ runsPerMinute: 1_000, notificationChannels: [push] });
});
afterEach(() => door.close());

const notify = (more: object = {}) => ({
  actions: [{ id: 'tell', type: 'notify', message: 'The door is open', ...more }],
});
async function outputOf(flowId: string) {
  const { trace } = await door.run(flowId);
  expect(trace.status).toBe('success');
  return step(trace, 'tell').output;
}
const prefer = (scope: string, scopeId: string | null, push: boolean, local: boolean) =>
  door.rest.post('/rest/notifications/preferences', { scope, scopeId, pushEnabled: push, localEnabled: local });

describe('what a notify action gives', () => {
  it('delivered, and the channels that took it', async () => {
    const { id } = await door.save(notify({ title: 'Hall' }));
    expect(await outputOf(id)).toMatchObject({
      delivered: true,
      channels: ['local', 'push'],
      rateLimited: false,
      reason: null,
    });
    expect(push.sent).toMatchObject([{ title: 'Hall', message: 'The door is open' }]);
  });

  it('reason preference if no one wants to be notified; most specific scope wins', async () => {
    const { id } = await door.save(notify());
    await prefer('home', door.homeId, false, false);
    expect(await outputOf(id)).toMatchObject({ delivered: false, success: false, channels: [], reason: 'preference' });
    await prefer('automation', id, true, false);
    expect(await outputOf(id)).toMatchObject({ delivered: true, channels: ['push'] });
  });

  it('reason error where a channel failed', async () => {
    const { id } = await door.save(notify());
    push.script.push('lasting');
    expect(await outputOf(id)).toMatchObject({ delivered: true, channels: ['local'], reason: 'error' });
  });

  it('rateLimited, reason rate_limited after 30 an hour of one automation; of others none', async () => {
    const [{ id }, other] = [await door.save(notify()), await door.save(notify())];
    for (let n = 0; n < 30; n += 1) expect((await outputOf(id)).rateLimited).toBe(false);
    expect(await outputOf(id)).toMatchObject({ delivered: false, rateLimited: true, reason: 'rate_limited' });
    expect((await outputOf(other.id)).delivered).toBe(true);
    await door.advance(3_600_000);
    expect((await outputOf(id)).delivered).toBe(true);
  });
});

describe('what people find later', () => {
  it('notificationHistory has the automation, the home, and channels as texts with commas', async () => {
    const { id } = await door.save(notify());
    push.script.push('lasting');
    await outputOf(id);
    await outputOf(id);
    const fields = 'id automationId homeId title message channelsSent channelsFailed rateLimited createdAt';
    const fixture = createGraphqlFixture(door.home, createSchema());
    const { body } = await fixture.ask(
      `{ notificationHistory(automationId: "${id}", limit: 10, offset: 0) { ${fields} } }`,
    );
    const about = {
      id: expect.any(String),
      automationId: id,
      homeId: door.homeId,
      title: null,
      message: 'The door is open',
    };
    const rest = { rateLimited: false, createdAt: '2026-01-15T12:00:00.000Z' };
    expect(body.data.notificationHistory).toEqual([
      { ...about, ...rest, channelsSent: 'local,push', channelsFailed: null },
      { ...about, ...rest, channelsSent: 'local', channelsFailed: 'push' },
    ]);
  });

  it('sendTestNotification(message, deviceFingerprint) is taken as clients send it', async () => {
    const fixture = createGraphqlFixture(door.home, createSchema());
    const { body } = await fixture.ask('mutation { sendTestNotification(message: "Hi", deviceFingerprint: "f") }');
    expect(body).toEqual({ data: { sendTestNotification: true } });
    expect(push.sent).toMatchObject([{ message: 'Hi' }]);
  });
});
