/** Which notifications a person has read, and where each of them leads. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NotificationRequest } from '../../../src/app/notifications/notifier.ts';
import { UNREAD_LIMIT } from '../../../src/contract/notifications.ts';
import { createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';
import { CountingHasher, createUser, type TestUser } from '../../support/test-users.ts';

const AUTOMATION = 'c6a1e0d2-9b7f-4c54-8a3e-1d2c3b4a5968';
const ACCESSORY = '11111111-9b7f-4c54-8a3e-1d2c3b4a5968';

let home: TestHome;
let ann: TestUser;
let bob: TestUser;

beforeEach(async () => {
  home = createTestHome({ passwordHasher: new CountingHasher() });
  ann = await createUser(home, { founder: true });
  bob = await createUser(home, { name: 'Bob', role: 'view' });
  await home.clock.advance(1_000);
});
afterEach(() => home.close());

async function notify(message: string, changes: Partial<NotificationRequest> = {}): Promise<string> {
  await home.clock.advance(1_000);
  const texts = { title: null, message, icon: null, iconColor: null, data: null };
  await home.notifications.notify({ homeId: home.home.id, automationId: AUTOMATION, ...texts, ...changes });
  return home.notifications.history(systemCaller)[0]?.id ?? '';
}

const unread = ({ caller }: TestUser) => home.notifications.countUnread(caller);
const unreadTexts = ({ caller }: TestUser) =>
  home.notifications.history(caller).flatMap(({ isRead, message }) => (isRead === false ? [message] : []));
const markRead = ({ caller }: TestUser, ids?: string[]) => home.notifications.markRead(caller, ids ? { ids } : {});

describe('a notification', () => {
  it('is unread for every person of the home until that person marks it', async () => {
    const first = await notify('one');
    await notify('two');
    expect([unread(ann), unread(bob)]).toEqual([2, 2]);
    expect(markRead(ann, [first.toUpperCase(), first])).toBe(1);
    expect([unreadTexts(ann), unreadTexts(bob)]).toEqual([['two'], ['two', 'one']]);
    expect(markRead(ann)).toBe(0);
    expect([unreadTexts(ann), unreadTexts(bob)]).toEqual([[], ['two', 'one']]);
    await notify('three');
    expect([unreadTexts(ann), unread(ann)]).toEqual([['three'], 1]);
  });

  it('of before the account is read', async () => {
    await notify('old');
    await home.clock.advance(1_000);
    const eve = await createUser(home, { name: 'Eve', role: 'view' });
    await notify('new');
    expect([unreadTexts(eve), unread(eve)]).toEqual([['new'], 1]);
  });

  it('of another home, or for another person, is neither counted nor marked', async () => {
    const id = await notify('for Bob', { ownerId: bob.user.id });
    const stranger = await createUser(home, { name: 'Stranger' });
    const other = await notify('for the home');
    expect([unread(ann), unread(bob), unread(stranger)]).toEqual([1, 2, 0]);
    markRead(ann, [id]);
    markRead(stranger, [id, other]);
    expect(home.database.prepare('SELECT count(*) AS count FROM notification_reads').get()).toEqual({ count: 0 });
  });

  it('that was suppressed does not count', async () => {
    for (let count = 0; count < 40; count += 1) await notify(`${count}`);
    expect(unread(ann)).toBe(30);
  });

  it('counts up to a hundred', async () => {
    for (let count = 0; count < UNREAD_LIMIT + 5; count += 1) await notify(`${count}`, { automationId: null });
    expect([unread(ann), markRead(ann, [])]).toEqual([UNREAD_LIMIT, UNREAD_LIMIT]);
  });

  it('is neither read nor unread for a caller that is no person', async () => {
    await notify('one');
    for (const caller of [systemCaller, tokenCaller()]) {
      expect(home.notifications.countUnread(caller)).toBeNull();
      expect(home.notifications.history(caller)).toMatchObject([{ isRead: null }]);
      expect(() => home.notifications.markRead(caller, {})).toThrow(
        expect.objectContaining({ code: 'insufficient_permissions' }),
      );
    }
  });

  it('of another home stays unread when a token that is limited to one home marks all', async () => {
    const cabin = home.homes.create(ann.caller, { name: 'Cabin' });
    await notify('one');
    await notify('two', { homeId: cabin.id });
    const principal = { kind: 'access_token', tokenId: 'token', makerId: ann.user.id } as const;
    const caller = {
      ...tokenCaller(),
      principal: { ...principal, homePermissions: { [home.home.id]: 'view' } },
    } as const;
    expect([home.notifications.markRead(caller, {}), unreadTexts(ann)]).toEqual([0, ['two']]);
  });

  it('leaves no trace of who read it when it is deleted', async () => {
    markRead(ann, [await notify('one')]);
    home.notifications.clearHistory(systemCaller);
    expect(home.database.prepare('SELECT count(*) AS count FROM notification_reads').get()).toEqual({ count: 0 });
  });
});

describe('a notification leads', () => {
  const linkOf = async (changes: Partial<NotificationRequest>) => {
    await notify('one', changes);
    return home.notifications.history(systemCaller)[0]?.link;
  };

  it('to its automation', async () => {
    expect(await linkOf({})).toBe(`/automations/flows/${AUTOMATION}`);
  });

  it('to the device that it is about', async () => {
    expect(await linkOf({ accessoryId: ACCESSORY })).toBe(`/accessories/${ACCESSORY}`);
  });

  it('to the address that the automation names, if that is one of the web', async () => {
    const to = (click: string) => linkOf({ accessoryId: ACCESSORY, data: { click } });
    expect(await to('https://example.org/camera')).toBe('https://example.org/camera');
    expect(await to('javascript:alert(1)')).toBe(`/accessories/${ACCESSORY}`);
  });

  it('nowhere if it is about nothing', async () => {
    expect(await linkOf({ automationId: null })).toBeNull();
  });
});
