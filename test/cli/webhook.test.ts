import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemCaller } from '../support/test-home.ts';
import { type RunningDaemon, startDaemon } from './running-daemon.ts';

let daemon: RunningDaemon;

beforeEach(async () => {
  daemon = await startDaemon();
});
afterEach(() => daemon.stop());

const URL_ = 'http://192.168.1.20/hook';
const rows = () => daemon.home.webhooks.list(systemCaller);
const webhook = (...args: readonly string[]) => daemon.hearthd('webhook', ...args);

describe('hearthd webhook', () => {
  it('creates one, prints the secret alone on stdout, and lists and shows it without', async () => {
    const created = await webhook('create', 'Alarm', URL_);
    expect(created).toMatchObject({ code: 0, err: expect.stringContaining('shown only once') });
    expect(created.out).toMatch(/^whsec_\S{44}\n$/);
    expect(rows()).toMatchObject([{ name: 'Alarm', url: URL_, eventTypes: ['*'], rateLimitPerMinute: 60 }]);
    const shown = [await webhook('list'), await webhook('show', 'alarm'), await webhook('show', 'Alarm', '--json')];
    for (const { code, out } of shown) {
      expect([code, out]).toEqual([0, expect.stringContaining(URL_)]);
      expect(out).not.toContain(created.out.trim().slice(12));
    }
    expect(shown[1]?.out).toMatch(/^Name: Alarm\nURL: .*\nStatus: active\nSecret: whsec_\S{6}\.\.\.\nEvents: \*\n/);
  });

  it('takes homes, rooms, accessories and collections by name, and the settings of delivery', async () => {
    const { home } = daemon;
    const lamp = home.named('Lamp');
    const collection = home.collections.create(systemCaller, { name: 'Favourites' });
    const created = await webhook(
      ...['create', 'Alarm', URL_, '--event', 'state.changed', '--event', 'scene.executed', '--home', 'My Home'],
      ...['--room', 'Living Room', '--accessory', 'Living Room/Lamp', '--collection', 'Favourites'],
      ...['--retries', '0', '--rate-limit', 'none', '--timeout', '2.5'],
    );
    expect(created.code).toBe(0);
    const lists = { homeIds: [home.home.id], roomIds: [lamp.roomId], accessoryIds: [lamp.id] };
    const delivery = { maxRetries: 0, rateLimitPerMinute: null, timeoutMs: 2_500 };
    expect(rows()).toMatchObject([
      { ...lists, ...delivery, collectionIds: [collection.id], eventTypes: ['state.changed', 'scene.executed'] },
    ]);
    const { out } = await webhook('show', 'Alarm');
    expect(out).toContain('Rooms: Living Room\nAccessories: Lamp\n');
    expect(out).toContain('Rate limit: none\nTimeout: 2.5 s\n');
  });

  it('changes one: what is given takes the place of what was', async () => {
    await webhook('create', 'Alarm', URL_, '--room', 'Living Room');
    const changes = ['--name', 'Siren', '--url', 'https://example.com/', '--everywhere', '--accessory', 'Lamp'];
    expect((await webhook('update', 'Alarm', ...changes)).out).toBe('Updated the webhook Siren.\n');
    const accessoryIds = [daemon.home.named('Lamp').id];
    expect(rows()).toMatchObject([{ name: 'Siren', url: 'https://example.com/', roomIds: [], accessoryIds }]);
    expect((await webhook('update', 'Siren')).code).toBe(2);
    expect((await webhook('update', 'Siren', '--rate-limit', 'lots')).code).toBe(2);
    expect((await webhook('update', 'Siren', '--retries', '11')).code).toBe(2);
    expect((await webhook('update', 'Siren', '--room', 'Attic')).code).toBe(4);
    expect((await webhook('update', 'Alarm', '--name', 'X')).code).toBe(4);
  });

  it('pauses, resumes, rotates, tests and deletes one', async () => {
    const first = (await webhook('create', 'Alarm', URL_)).out;
    expect((await webhook('pause', 'Alarm')).out).toBe('Webhook Alarm is paused.\n');
    expect((await webhook('resume', 'Alarm')).out).toBe('Webhook Alarm is active.\n');
    const second = (await webhook('rotate', 'Alarm')).out;
    expect(second).toMatch(/^whsec_\S{44}\n$/);
    expect(second).not.toBe(first);
    // There is no network in this test.
    expect(await webhook('test', 'Alarm')).toMatchObject({ code: 1, out: expect.stringMatching(/^Alarm: .*network/) });
    const { out } = await webhook('deliveries', 'Alarm', '--status', 'failed', '--limit', '5');
    expect(out).toMatch(/webhook\.test +failed +1\/1 .*test_<id>/);
    expect((await webhook('resend', 'Alarm', 'none')).code).toBe(4);
    expect((await webhook('event-types')).out).toContain('automation.failed');
    expect((await webhook('delete', 'Alarm')).out).toBe('Deleted the webhook Alarm.\n');
    expect((await webhook('list')).err).toContain('No webhooks.');
  });

  it('asks which one is meant where two have the name', async () => {
    await webhook('create', 'Alarm', URL_);
    await webhook('create', 'alarm', 'https://example.com/');
    const { code, err } = await webhook('pause', 'Alarm');
    expect([code, err]).toEqual([2, expect.stringContaining(`<id>   (${URL_})`)]);
    expect((await webhook('pause', rows()[0]?.id ?? '')).code).toBe(0);
  });
});
