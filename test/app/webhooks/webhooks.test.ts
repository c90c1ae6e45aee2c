import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/app/access/caller.ts';
import type { WebhookWithSecret } from '../../../src/app/webhooks/webhooks.ts';
import type { NewWebhook } from '../../../src/contract/webhooks.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { callerOf, createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';
import { CountingHasher, createUser, type TestUser } from '../../support/test-users.ts';
import { createWebhookFixture, deliveryOf, type WebhookFixture } from './webhook-fixture.ts';

const URL_ = 'https://example.com/hook';
const NOTHING = '00000000-0000-4000-8000-000000000000';
const DAY_MS = 86_400_000;

let home: TestHome;
let fixture: WebhookFixture;

beforeEach(() => {
  home = createTestHome({ sample: true, passwordHasher: new CountingHasher() });
  fixture = createWebhookFixture(home);
});
afterEach(() => home.close());

const create = (input: Partial<NewWebhook> = {}, caller: Caller = systemCaller): WebhookWithSecret =>
  fixture.webhooks.create(caller, { name: 'Alarm', url: URL_, ...input });

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof HearthError) return error.code;
    throw error;
  }
  return 'done';
}

async function developer(name: string, role: 'owner' | 'admin' | 'control' = 'admin'): Promise<TestUser> {
  const user = await createUser(home, { name, role });
  home.userSettings.update(user.caller, { developerMode: true });
  return user;
}

describe('a webhook', () => {
  it('begins active, with the defaults, a secret of 256 bits that is shown once, and its deliveries know of it', () => {
    const { webhook, secret } = create();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    expect(webhook).toMatchObject({
      ...{ name: 'Alarm', url: URL_, status: 'active', secretPrefix: `${secret.slice(0, 12)}...`, eventTypes: ['*'] },
      ...{ homeIds: [], roomIds: [], accessoryIds: [], collectionIds: [] },
      ...{ maxRetries: 3, rateLimitPerMinute: 60, timeoutMs: 30_000, consecutiveFailures: 0, droppedCount: 0 },
      ...{ lastTriggeredAt: null, lastSuccessAt: null, lastFailureAt: null, lastFailureReason: null, queuedCount: 0 },
    });
    expect(fixture.deliveries.changes.map(({ id }) => id)).toEqual([webhook.id]);
    expect(create().secret).not.toBe(secret);
  });

  it('is the same after a restart', () => {
    const given = { name: 'Kitchen', homeIds: [home.home.id.toUpperCase()], rateLimitPerMinute: null, maxRetries: 0 };
    const { webhook, secret } = create(given);
    expect(webhook).toMatchObject({ homeIds: [home.home.id], rateLimitPerMinute: null, maxRetries: 0 });
    const again = createWebhookFixture(home);
    expect(again.webhooks.get(systemCaller, webhook.id)).toEqual(webhook);
    expect(again.registry.find(webhook.id)?.secret).toBe(secret);
  });

  it('changes in what is given alone; in nothing if nothing is', () => {
    const { webhook } = create({ eventTypes: ['scene.executed'] });
    const changed = fixture.webhooks.update(systemCaller, webhook.id.toUpperCase(), { url: 'http://192.168.1.20/x' });
    expect(changed).toEqual({ ...webhook, url: 'http://192.168.1.20/x' });
    expect(fixture.webhooks.update(systemCaller, webhook.id, {})).toEqual(changed);
    expect(codeOf(() => fixture.webhooks.update(systemCaller, webhook.id, { name: 'Siren', maxRetries: 11 }))).toBe(
      'invalid_value',
    );
    expect(fixture.webhooks.get(systemCaller, webhook.id).name).toBe('Alarm');
  });

  it('is paused, and resumed from paused and disabled with no failures counted', () => {
    const { id } = create().webhook;
    expect(fixture.webhooks.pause(systemCaller, id).status).toBe('paused');
    expect(fixture.registry.active()).toEqual([]);
    expect(fixture.webhooks.resume(systemCaller, id).status).toBe('active');
    fixture.registry.update(id, { status: 'disabled', consecutiveFailures: 5, lastFailureReason: 'HTTP 500' });
    expect(fixture.webhooks.get(systemCaller, id)).toMatchObject({ status: 'disabled', consecutiveFailures: 5 });
    expect(fixture.webhooks.resume(systemCaller, id)).toMatchObject({ status: 'active', consecutiveFailures: 0 });
    expect(fixture.deliveries.changes.map(({ status }) => status)).toEqual(['active', 'paused', 'active', 'active']);
  });

  it('gets a new secret; the one before is kept for 24 hours and then wiped out', () => {
    const { webhook, secret } = create();
    const rotated = fixture.webhooks.rotateSecret(systemCaller, webhook.id);
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.webhook.secretPrefix).toBe(`${rotated.secret.slice(0, 12)}...`);
    const until = home.clock.now() + DAY_MS;
    const stored = { secret: rotated.secret, previousSecret: secret, previousSecretUntil: until };
    expect(fixture.registry.find(webhook.id)).toMatchObject(stored);
    fixture.registry.forgetOldSecrets(until - 1);
    expect(fixture.registry.find(webhook.id)).toMatchObject(stored);
    fixture.registry.forgetOldSecrets(until);
    expect(fixture.store.load()).toMatchObject([
      { secret: rotated.secret, previousSecret: null, previousSecretUntil: null },
    ]);
  });

  it('shows its secret nowhere but at creation and rotation', () => {
    const { webhook, secret } = create();
    const rotated = fixture.webhooks.rotateSecret(systemCaller, webhook.id);
    const shown = JSON.stringify([
      webhook,
      rotated.webhook,
      fixture.webhooks.list(systemCaller),
      fixture.webhooks.get(systemCaller, webhook.id),
      fixture.webhooks.update(systemCaller, webhook.id, { name: 'Siren' }),
      fixture.webhooks.pause(systemCaller, webhook.id),
      fixture.webhooks.resume(systemCaller, webhook.id),
      fixture.webhooks.delete(systemCaller, webhook.id),
    ]);
    for (const hidden of [secret, rotated.secret]) expect(shown).not.toContain(hidden.slice(12));
  });

  it('is deleted with its queue, and deliveries in progress end', () => {
    const { id } = create().webhook;
    fixture.webhooks.delete(systemCaller, id);
    expect(fixture.webhooks.list(systemCaller)).toEqual([]);
    expect(fixture.store.load()).toEqual([]);
    expect(fixture.deliveries.changes.at(-1)?.id).toBe(id);
    expect(codeOf(() => fixture.webhooks.delete(systemCaller, id))).toBe('webhook_not_found');
    fixture.registry.update(id, { consecutiveFailures: 1 });
    fixture.registry.record(id, { consecutiveFailures: 1 })();
    expect(fixture.store.load()).toEqual([]);
    expect(fixture.registry.all()).toEqual([]);
  });

  it('is tested, asked for its deliveries and made to send one again, in bounds', async () => {
    const { id } = create().webhook;
    expect(await fixture.webhooks.test(systemCaller, id)).toEqual(fixture.deliveries.answer);
    fixture.deliveries.deliveries = [deliveryOf(id)];
    const { webhooks, deliveries } = fixture;
    expect(webhooks.deliveries(systemCaller, id)).toEqual({
      ...{ deliveries: deliveries.deliveries, total: 1, offset: 0, limit: 50 },
    });
    webhooks.deliveries(systemCaller, id, { limit: 500, offset: 7, status: 'dead_letter' });
    expect(webhooks.resend(systemCaller, id, 'd1')).toEqual(deliveryOf(id));
    expect(deliveries.asked).toEqual([
      { webhookId: id, limit: 50, offset: 0, status: undefined },
      { webhookId: id, limit: 500, offset: 7, status: 'dead_letter' },
      { webhookId: id, deliveryId: 'd1' },
    ]);
    for (const page of [{ limit: 0 }, { limit: 501 }, { limit: 1.5 }, { offset: -1 }, { status: 'sent' }]) {
      expect(codeOf(() => webhooks.deliveries(systemCaller, id, page))).toBe('invalid_value');
    }
  });

  it('is one of a hundred of its owner at most', () => {
    for (let n = 0; n < 100; n += 1) create({ name: `Hook ${n}` });
    expect(() => create()).toThrow(/100 webhooks at most/);
    fixture.webhooks.delete(systemCaller, fixture.webhooks.list(systemCaller)[0]?.id ?? '');
    expect(codeOf(create)).toBe('done');
  });

  it('stays quiet when a list of it can’t be read any more', () => {
    const { id } = create({ homeIds: [home.home.id] }).webhook;
    home.database.prepare("UPDATE webhooks SET home_ids = '[\"x', event_types = 'null'").run();
    fixture.registry.refresh();
    const webhook = fixture.registry.find(id);
    expect(webhook).toMatchObject({ homeIds: ['?'], eventTypes: ['?'] });
    const report = { type: 'relay.started', homeId: home.home.id, roomId: null, accessoryId: null } as const;
    expect(webhook && fixture.scope.concerns(webhook, report)).toBe(false);
  });
});

describe('the list', () => {
  it('is in the order in which they were made, by status and in parts', () => {
    for (const name of ['A', 'B', 'C', 'D']) create({ name });
    fixture.webhooks.pause(systemCaller, fixture.webhooks.list(systemCaller)[1]?.id ?? '');
    const names = (page: object): string =>
      fixture.webhooks
        .list(systemCaller, page)
        .map(({ name }) => name)
        .join('');
    expect([names({}), names({ limit: 2 }), names({ limit: 2, offset: 3 }), names({ offset: 9 })]).toEqual([
      ...['ABCD', 'AB', 'D', ''],
    ]);
    expect([names({ status: 'active' }), names({ status: 'active', limit: 1, offset: 1 })]).toEqual(['ACD', 'C']);
    expect(names({ status: 'paused' })).toBe('B');
    expect(() => names({ status: 'pause' })).toThrow('Did you mean "paused"?');
  });
});

describe('whose webhooks are', () => {
  it('users see and change their own alone; the system and its tokens all', async () => {
    const [ann, bob] = [await developer('Ann', 'owner'), await developer('Bob')];
    const { id } = create({ name: 'Of Ann' }, ann.caller).webhook;
    create({ name: 'Of the home' });
    const names = (caller: Caller): readonly string[] => fixture.webhooks.list(caller).map(({ name }) => name);
    expect(names(ann.caller)).toEqual(['Of Ann']);
    expect(names(bob.caller)).toEqual([]);
    for (const caller of [systemCaller, tokenCaller()]) expect(names(caller)).toEqual(['Of Ann', 'Of the home']);
    const { webhooks } = fixture;
    const counted = [ann.caller, bob.caller, systemCaller, tokenCaller(), callerOf({ kind: 'anonymous' })];
    expect(counted.map((caller) => webhooks.countOf(caller))).toEqual([1, 0, 2, 2, 0]);
    for (const act of [
      () => webhooks.get(bob.caller, id),
      () => webhooks.update(bob.caller, id, {}),
      () => webhooks.pause(bob.caller, id),
      () => webhooks.resume(bob.caller, id),
      () => webhooks.rotateSecret(bob.caller, id),
      () => webhooks.deliveries(bob.caller, id),
      () => webhooks.resend(bob.caller, id, 'd1'),
      () => webhooks.delete(bob.caller, id),
    ]) {
      expect(codeOf(act)).toBe('webhook_not_found');
    }
    await expect(webhooks.test(bob.caller, id)).rejects.toMatchObject({ code: 'webhook_not_found' });
  });

  it('is hidden from users who manage no home, or have Developer Mode off', async () => {
    const ann = await developer('Ann');
    const cleo = await developer('Cleo', 'control');
    const { id } = create({}, ann.caller).webhook;
    home.userSettings.update(ann.caller, { developerMode: false });
    const { webhooks } = fixture;
    for (const [caller, code] of [
      [ann.caller, 'developer_mode_required'],
      [cleo.caller, 'insufficient_permissions'],
      [tokenCaller({ [home.home.id]: 'control' }), 'insufficient_permissions'],
      [callerOf({ kind: 'anonymous' }), 'insufficient_permissions'],
    ] as const) {
      expect(codeOf(() => webhooks.list(caller))).toBe(code);
      expect(codeOf(() => webhooks.eventTypes(caller))).toBe(code);
      expect(codeOf(() => create({}, caller))).toBe(code);
      expect(codeOf(() => webhooks.get(caller, id))).toBe(code);
      expect(codeOf(() => webhooks.get(caller, NOTHING))).toBe(code);
      expect(codeOf(() => webhooks.rotateSecret(caller, id))).toBe(code);
    }
  });

  it('apps of a person look, pause and delete, but make and change none and see no secret', async () => {
    const ann = await developer('Ann');
    const { id } = create({}, ann.caller).webhook;
    const principal = { kind: 'oauth_client', clientId: 'app', userId: ann.user.id, scope: 'admin' } as const;
    const app = callerOf({ ...principal, homePermissions: null });
    const { webhooks } = fixture;
    expect(webhooks.list(app)).toHaveLength(1);
    for (const act of [
      () => create({}, app),
      () => webhooks.update(app, id, {}),
      () => webhooks.rotateSecret(app, id),
    ]) {
      expect(codeOf(act)).toBe('insufficient_permissions');
    }
    expect(codeOf(() => webhooks.pause(app, id))).toBe('done');
    expect(codeOf(() => webhooks.delete(app, id))).toBe('done');
  });

  it('those that a token made are listed with it, and no more once deleted', async () => {
    const { info } = home.tokens.create(systemCaller, { name: 'Script' });
    const token = callerOf({ kind: 'access_token', tokenId: info.id, homePermissions: null, makerId: null });
    const { id } = create({}, token).webhook;
    expect(home.makers.ofToken(info.id)).toEqual([{ kind: 'webhook', id, name: 'Alarm', homeId: null }]);
    fixture.webhooks.delete(systemCaller, id);
    expect(home.makers.ofToken(info.id)).toEqual([]);
  });

  it('those of an account go with it', async () => {
    const ann = await developer('Ann');
    create({}, ann.caller);
    const kept = create().webhook;
    home.users.delete(systemCaller, ann.user.id);
    expect(fixture.registry.all().map(({ id }) => id)).toEqual([kept.id]);
    expect(fixture.registry.active().map(({ id }) => id)).toEqual([kept.id]);
  });
});
