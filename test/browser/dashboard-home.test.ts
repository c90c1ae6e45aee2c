/**
 * The home page as people use it: in two browsers at once, put in order by the keyboard and with a finger, searched.
 */
import type { Locator, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MAX_PICTURE_BYTES } from '../../src/home/vocabulary/room-looks.ts';
import { PNG, pngOf } from '../support/pictures.ts';
import type { WatchedPage } from './chromium.ts';
import {
  Dashboard,
  eventually,
  expectAccessible,
  expectRoomsInPlace,
  expectToFit,
  MARKUP,
  NO_BROWSER,
  PATIENCE_MS,
  picture,
} from './dashboard.ts';

const SUITE = `the home page in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`;
/** Larger than the relay takes. */
const PICTURE = pngOf(1_200, 900, true);
const LONG_NAME = 'Donaudampfschifffahrtsgesellschaftskapitaenskajuetenleuchte';

let dashboard: Dashboard;
let opened: WatchedPage[] = [];
let homeId: string;
let tries = 0;

async function open(options: Parameters<Dashboard['open']>[0] = {}): Promise<WatchedPage> {
  const watched = await dashboard.open(options);
  opened.push(watched);
  return watched;
}

async function makeRoom(name: string): Promise<string> {
  const query = 'mutation ($homeId: String!, $name: String!) { createRoom(homeId: $homeId, name: $name) { id } }';
  return (await dashboard.graphql(query, { homeId, name })).createRoom.id;
}

async function makeSwitch(name: string, roomId?: string): Promise<string> {
  const query = `mutation ($homeId: String!, $name: String!, $roomId: String) {
    createVirtualAccessory(homeId: $homeId, type: "switch", name: $name, roomId: $roomId) { id }
  }`;
  return (await dashboard.graphql(query, { homeId, name, roomId })).createVirtualAccessory.id;
}

/** A person who may manage the home changes it. */
async function change(path: string, data: object): Promise<void> {
  const { status } = await dashboard.relay.request('PATCH', path, data);
  expect(status).toBe(200);
}

async function putPicture(roomId: string): Promise<void> {
  const { relay } = dashboard;
  const headers = { Authorization: `Bearer ${relay.token}`, 'Content-Type': 'image/png' };
  const { status } = await fetch(`${relay.url}/rest/rooms/${roomId}/picture`, { method: 'PUT', headers, body: PNG });
  expect(status).toBe(200);
}

async function deleteRoom(roomId: string): Promise<void> {
  await dashboard.graphql('mutation ($id: String!) { deleteRoom(roomId: $id) { success } }', { id: roomId });
}

async function deleteSwitch(id: string): Promise<void> {
  const { status } = await dashboard.relay.request('DELETE', `/rest/virtual-accessories/${id}`);
  expect(status).toBeLessThan(300);
}

const headings = ({ page }: Pick<WatchedPage, 'page'>) => page.getByRole('heading', { level: 2 }).allInnerTexts();
const complaintsOfAll = () => opened.flatMap(({ complaints }) => complaints);

describe.skipIf(NO_BROWSER)(SUITE, { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    dashboard = await Dashboard.start({ accessories: ['Reading Lamp'] });
    homeId = (await dashboard.graphql('{ homes { id } }')).homes[0].id;
    const kitchen = await makeRoom('Kitchen');
    await makeSwitch('Guests', kitchen);
    await makeSwitch(MARKUP, await makeRoom('Attic'));
    await makeSwitch(LONG_NAME, kitchen);
  }, PATIENCE_MS);

  afterEach(async () => {
    for (const { page } of opened) await page.context().close();
    opened = [];
  });

  afterAll(() => dashboard?.stop());

  it('keeps two browsers in step: what is switched in one is seen in the other, in words and in the summary', async () => {
    const first = await open();
    const second = await open({ width: 390, height: 844 });
    await second.page.getByText('All is well').waitFor();
    await first.page.getByRole('button', { name: 'Reading Lamp, Off' }).click();
    await second.page.getByRole('button', { name: /^Reading Lamp, On/ }).waitFor();
    // The words lead to the lights; only the button turns them off.
    await second.page.getByRole('link', { name: 'Lights 1 on' }).click();
    await second.page.getByRole('heading', { level: 1, name: 'Lights' }).waitFor();
    await second.page.getByRole('status').getByText('1 on', { exact: true }).waitFor();
    await second.page.getByRole('button', { name: /^Reading Lamp, On/ }).waitFor();
    await expectToFit(second.page);
    await expectAccessible(second.page);
    await second.page.getByRole('button', { name: 'Turn all off' }).click();
    await second.page.getByRole('status').getByText('Off', { exact: true }).waitFor();
    await first.page.getByRole('button', { name: 'Reading Lamp, Off' }).waitFor();
    await first.page.getByRole('link', { name: 'Lights Off' }).waitFor();
    expect(complaintsOfAll()).toEqual([]);
  });

  it('shows who is at home, as it changes', async () => {
    const add = 'mutation ($homeId: String!, $name: String!) { createPerson(homeId: $homeId, name: $name) { id } }';
    const { createPerson: ada } = await dashboard.graphql(add, { homeId, name: 'Ada' });
    const arrive = 'mutation ($id: String!, $isHome: Boolean!) { setPresence(personId: $id, atHome: $isHome) { id } }';
    await dashboard.graphql(arrive, { id: ada.id, isHome: true });
    const { page } = await open();
    await page.getByText('Ada at home').waitFor();
    await dashboard.graphql(arrive, { id: ada.id, isHome: false });
    await page.getByText('No one at home').waitFor();
    await dashboard.graphql('mutation ($id: String!) { deletePerson(personId: $id) { success } }', { id: ada.id });
    expect(complaintsOfAll()).toEqual([]);
  });

  it('shows what is due next, as it changes, and leads to it', async () => {
    const { page } = await open({ width: 320, height: 640 });
    await page.getByRole('heading', { level: 1 }).waitFor();
    const data = { name: 'Good night', triggers: [{ type: 'time', at: '23:59' }], actions: [] };
    const { saveFlow: flow } = await dashboard.graphql(
      'mutation ($homeId: String!, $data: JSON!) { saveFlow(homeId: $homeId, data: $data) { id } }',
      { homeId, data },
    );
    const next = page.getByRole('link', { name: /^Next: 23:59 – Good night/ });
    await next.waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await next.click();
    await page.getByRole('heading', { level: 1, name: 'Good night' }).waitFor();
    await page.goBack();
    await next.waitFor();
    // It keeps its place until it is known again.
    const summary = page.getByRole('region', { name: 'At a glance' });
    const top = async () => (await summary.boundingBox())?.y;
    const before = await top();
    let letThrough = (): void => undefined;
    const isAllowed = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    const isScheduled = ({ pathname }: URL) => pathname === '/graphql';
    await page.route(isScheduled, async (route) => {
      if (route.request().postData()?.includes('ScheduledAutomations')) await isAllowed;
      await route.fallback();
    });
    await page.reload();
    await summary
      .getByText(/light|All is well|unlocked|open/)
      .first()
      .waitFor();
    expect(await next.count()).toBe(0);
    await expect.poll(top).toBe(before);
    letThrough();
    await next.waitFor();
    await expect.poll(top).toBe(before);
    await page.unroute(isScheduled);
    await dashboard.graphql('mutation ($id: String!) { deleteFlow(flowId: $id) { success } }', { id: flow.id });
    await next.waitFor({ state: 'detached' });
    expect(complaintsOfAll()).toEqual([]);
  });

  it('shows the schedule of the home in its time zone, also on a tablet with another one', async () => {
    const place =
      'mutation ($homeId: String!, $timeZone: String!) { updateHome(homeId: $homeId, timeZone: $timeZone) { id } }';
    // Their clocks differ by 25 hours: neither the hour nor the day is the same.
    await dashboard.graphql(place, { homeId, timeZone: 'Pacific/Kiritimati' });
    const triggers = [
      { type: 'time', at: '23:15' },
      { type: 'timer', fireDate: '2099-06-01T12:30:00Z' },
    ];
    const { saveFlow: flow } = await dashboard.graphql(
      'mutation ($homeId: String!, $data: JSON!) { saveFlow(homeId: $homeId, data: $data) { id } }',
      { homeId, data: { name: 'Bedtime', triggers, actions: [] } },
    );
    try {
      const { page } = await open({ path: `/automations/flows/${flow.id}`, timezoneId: 'Pacific/Pago_Pago' });
      await page
        .getByText(/, 23:15$/)
        .first()
        .waitFor();
      await page.getByText('2 Jun 2099, 02:30').first().waitFor();
      await page.goto(new URL('/automations', dashboard.relay.url).href);
      await page.getByText(/^Next: .+, 23:15$/).waitFor();
      await page.goto(new URL('/?kiosk&dim=off', dashboard.relay.url).href);
      await page.getByText(/^Next: 23:15 – Bedtime/).waitFor();
      await page.clock.setFixedTime('2026-06-01T12:30:00Z');
      await page.getByText('02:30', { exact: true }).waitFor();
      await page.getByText('Tuesday 2 June').waitFor();
    } finally {
      await dashboard.graphql('mutation ($id: String!) { deleteFlow(flowId: $id) { success } }', { id: flow.id });
      await dashboard.graphql(place, { homeId, timeZone: '' });
    }
    expect(complaintsOfAll()).toEqual([]);
  });

  it('is put in order and renamed by the keyboard alone, which lasts in another browser of the same person', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Edit', exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'Edit home' }).waitFor();
    await page.getByRole('button', { name: 'Rename room Kitchen' }).press('Enter');
    const field = page.getByRole('textbox', { name: 'Rename room Kitchen' });
    await field.fill('Big Kitchen');
    await field.press('Enter');
    await page.getByRole('button', { name: 'Rename room Big Kitchen' }).waitFor();
    await page.getByRole('button', { name: 'Move Big Kitchen up' }).press('Enter');
    await page.getByText('Order changed').waitFor();
    await page.getByRole('button', { name: 'Actions for Guests' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Add to favourites' }).press('Enter');
    await page.getByText('Added to favourites').waitFor();
    await page.getByRole('button', { name: 'Done' }).press('Enter');
    await page.getByRole('heading', { name: 'Favourites' }).waitFor();

    const other = await open();
    await other.page.getByRole('heading', { name: 'Favourites' }).waitFor();
    expect(await headings(other)).toEqual(['Favourites', 'Big Kitchen', 'Attic', 'No room']);
    expect(complaintsOfAll()).toEqual([]);
  });

  it('has a menu at each tile: by right click, by a finger that rests, and by keys', async () => {
    const { page } = await open({ width: 390, height: 844, hasTouch: true });
    const tile = page.getByRole('button', { name: 'Guests, Off' }).last();
    await tile.click({ button: 'right' });
    const menu = page.getByRole('menu', { name: 'Actions for Guests' });
    await menu.waitFor();
    await expectAccessible(page);
    expect(await menu.getByRole('menuitem', { name: 'Big Kitchen' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    expect(await tile.evaluate((element) => element.matches(':focus'))).toBe(true);

    const devtools = await page.context().newCDPSession(page);
    const box = await tile.boundingBox();
    if (!box) throw new Error('The tile is not there');
    const touchPoints = [{ x: box.x + 60, y: box.y + 60 }];
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    await menu.waitFor();
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await menu.getByRole('menuitem', { name: 'Attic' }).press('Enter');
    await page.getByText('Moved to Attic').waitFor();
    // The press did not switch it.
    await page.getByRole('list', { name: 'Attic' }).getByRole('button', { name: 'Guests, Off' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByRole('list', { name: 'Big Kitchen' }).getByRole('button', { name: 'Guests, Off' }).waitFor();
    expect(complaintsOfAll()).toEqual([]);
  });

  it('is arranged where it is with the mouse and by keys: order, size, several tiles at once', async () => {
    const { page } = await open();
    const kitchen = page.getByRole('list', { name: 'Big Kitchen' });
    const item = (name: string) => kitchen.getByRole('listitem').filter({ hasText: name });
    const tile = item('Guests').getByRole('button', { name: 'Guests, Off' });
    const order = async () => (await kitchen.getByRole('listitem').allInnerTexts()).map((text) => text.split('\n')[0]);
    const undo = page.getByRole('button', { name: 'Undo' });
    await tile.waitFor();
    const before = await order();
    expect(before).toEqual([LONG_NAME, 'Guests']);

    const [from, to] = [await tile.boundingBox(), await item(LONG_NAME).boundingBox()];
    if (!from || !to) throw new Error('The tiles are not there');
    await page.mouse.move(from.x + 40, from.y + 40);
    await page.mouse.down();
    await page.mouse.move(from.x + 30, from.y + 40, { steps: 3 });
    await page.mouse.move(to.x + 20, to.y + 40, { steps: 5 });
    await kitchen.locator('li[data-drop="before"]').waitFor();
    await page.mouse.up();
    await expect.poll(order).toEqual(['Guests', LONG_NAME]);
    await undo.click();
    await expect.poll(order).toEqual(before);

    await tile.press('m');
    await page.getByRole('menuitem', { name: 'Move forward' }).press('Enter');
    await expect.poll(order).toEqual(['Guests', LONG_NAME]);
    await undo.click();
    await expect.poll(order).toEqual(before);

    await tile.press('m');
    await page.getByRole('menuitemradio', { name: 'Large, with graph' }).press('Enter');
    await kitchen.locator('li[data-size="large"]').waitFor();
    // Its state is recorded from the start, or nothing is yet.
    await item('Guests')
      .getByRole('img', { name: 'Last 24 hours' })
      .or(item('Guests').getByText('Nothing recorded'))
      .waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await undo.click();
    await kitchen.locator('li[data-size="large"]').waitFor({ state: 'detached' });

    await tile.press('m');
    await page.getByRole('menuitem', { name: 'Select', exact: true }).press('Enter');
    const box = (name: string) => kitchen.getByRole('checkbox', { name: `Select ${name}` });
    await box('Guests').and(page.locator(':focus')).waitFor();
    await box(LONG_NAME).press('Space');
    await page.getByText('2 selected').waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'home-selected');
    await page.getByRole('button', { name: 'Hide', exact: true }).press('Enter');
    await kitchen.waitFor({ state: 'detached' });
    await undo.click();
    await expect.poll(order).toEqual(before);
    const stored = async () => (await dashboard.graphql('{ settings { data } }')).settings.data;
    await expect.poll(stored).not.toContain('"hidden":["');
    expect(complaintsOfAll()).toEqual([]);
  });

  it('moves a room by its name, with the mouse and by keys, at the home and in the list of rooms', async () => {
    const watched = await open({ width: 390, height: 844 });
    const { page } = watched;
    const links = page.getByRole('heading', { level: 2 }).getByRole('link');
    const order = async () => (await links.allInnerTexts()).slice(0, 2);
    await links.nth(1).waitFor();
    const [first = '', second = ''] = await order();
    const link = (name: string) => links.filter({ hasText: name });

    const [from, to] = [await link(second).boundingBox(), await link(first).boundingBox()];
    if (!from || !to) throw new Error('The names are not there');
    await page.mouse.move(from.x + 20, from.y + 20);
    await page.mouse.down();
    // The script that moves rooms comes with the first touch.
    await eventually(async () => {
      await page.mouse.move(to.x + 20, to.y + 30);
      await page.mouse.move(to.x + 20, to.y + 10);
      return (await page.locator('[data-room][data-drop="before"]').count()) === 1;
    }, 'the place between the rooms');
    await page.mouse.up();
    await expect.poll(order).toEqual([second, first]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(order).toEqual([first, second]);

    await link(first).press('Alt+ArrowDown');
    await expect.poll(order).toEqual([second, first]);
    await page.locator(':focus', { hasText: first }).waitFor();

    await page.goto(new URL('/rooms', dashboard.relay.url).href);
    const grips = page.getByRole('button', { name: /^Drag room/ });
    const grip = (name: string) => page.getByRole('button', { name: `Drag room ${name}`, exact: true });
    const isAbove = async (one: string, other: string) => {
      const names = await grips.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
      return names.indexOf(`Drag room ${one}`) < names.indexOf(`Drag room ${other}`);
    };
    await grip(first).waitFor();
    expect(await isAbove(second, first)).toBe(true);
    while (await isAbove(second, first)) {
      const before = await grips.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')).join());
      await grip(first).press('Alt+ArrowUp');
      await expect
        .poll(() => grips.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')).join()))
        .not.toBe(before);
    }
    await expectToFit(page);
    await expectAccessible(page);
    expect(complaintsOfAll()).toEqual([]);
  });

  it('keeps its order although the page closes while it is being sent', async () => {
    const { page } = await open();
    const stored = async () => (await dashboard.graphql('{ settings { data } }')).settings.data;
    const before = await stored();
    const tile = page.getByRole('list', { name: 'Big Kitchen' }).getByRole('button', { name: 'Guests, Off' });
    await tile.press('m');
    await page.getByRole('menuitem', { name: 'Hide from home page' }).press('Enter');
    await tile.waitFor({ state: 'detached' });
    await page.close();
    await expect.poll(stored).toContain('"hidden":["');

    // The first of two waits for its answer, and the second for the first.
    const { page: busy } = await open();
    const other = busy.getByRole('list', { name: 'Big Kitchen' }).getByRole('button', { name: `${LONG_NAME}, Off` });
    let held: Route | undefined;
    await busy.route('**/graphql', (route) => {
      if (held || !route.request().postData()?.includes('UpdateSettings')) return route.continue();
      held = route;
      return undefined;
    });
    for (const size of ['Wide', 'Large, with graph']) {
      await other.press('m');
      await busy.getByRole('menuitemradio', { name: size }).press('Enter');
      await busy.getByRole('menu').waitFor({ state: 'detached' });
    }
    await busy.evaluate("void dispatchEvent(new PageTransitionEvent('pagehide'))");
    await expect.poll(stored).toContain('"large":["');
    await held?.abort();

    expect(before).not.toMatch(/"(?:hidden|large)":\["/);
    const restore = 'mutation ($data: JSON!) { updateSettings(data: $data) { success } }';
    await dashboard.graphql(restore, { data: JSON.parse(before) });
  });

  it('lets a finger that has rested on a tile take it to another room', async () => {
    const { page } = await open({ width: 390, height: 1800, hasTouch: true });
    const kitchen = page.getByRole('list', { name: 'Big Kitchen' });
    const attic = page.getByRole('list', { name: 'Attic' });
    const tile = kitchen.getByRole('button', { name: 'Guests, Off' });
    await tile.waitFor();
    const [from, to] = [await tile.boundingBox(), await attic.boundingBox()];
    if (!from || !to) throw new Error('There is nothing to touch');
    const devtools = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
      devtools.send('Input.dispatchTouchEvent', { type, touchPoints });
    const menu = page.getByRole('menu', { name: 'Actions for Guests' });
    await touch('touchStart', { x: from.x + 60, y: from.y + 60 });
    await menu.waitFor();
    await touch('touchMove', { x: from.x + 60, y: from.y + 80 });
    await menu.waitFor({ state: 'detached' });
    await touch('touchMove', { x: to.x + 140, y: to.y + 60 });
    await attic.locator('li[data-drop]').waitFor();
    await touch('touchEnd');
    await page.getByText('Moved to Attic').waitFor();
    await attic.getByRole('button', { name: 'Guests, Off' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await tile.waitFor();
    expect(complaintsOfAll()).toEqual([]);
  });

  it('lets rooms be dragged with the keyboard, and announces where they are', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const handle = page.getByRole('button', { name: 'Drag room Attic' });
    await handle.press('Space');
    await page.getByText('Attic picked up.').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByText(/Attic moved to the position of No room\./).waitFor();
    await page.keyboard.press('Space');
    await page.getByText('Order changed').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'Attic' }).waitFor();
    expect((await headings({ page })).at(-1)).toBe('No room');
    expect(complaintsOfAll()).toEqual([]);
  });

  it('is put in order with a finger: a thing into another room, a room to another place, several things at once', async () => {
    // Tall, so that a finger reaches everything without scrolling.
    const { page } = await open({ width: 390, height: 1800, hasTouch: true });
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const drag = await fingerOn(page);
    const attic = page.getByRole('list', { name: 'Attic' });
    await drag(page.getByRole('button', { name: 'Drag Guests' }), attic);
    await attic.getByText('Guests').waitFor();
    const titles = () => page.getByRole('button', { name: /^Rename room / }).allInnerTexts();
    const before = await titles();
    await drag(
      page.getByRole('button', { name: 'Drag room Attic' }),
      page.getByRole('button', { name: /^Drag room .*Kitchen/ }),
    );
    await page.getByText('Order changed').waitFor();
    await eventually(async () => (await titles()).join() !== before.join(), 'the rooms to change places');
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await eventually(async () => (await titles()).join() === before.join(), 'the rooms to be back');

    await page.getByRole('checkbox', { name: 'Select Guests' }).tap();
    // What can be done with them takes its place first.
    await page.getByText('1 selected').waitFor();
    await page.getByRole('checkbox', { name: `Select ${MARKUP}` }).tap();
    await page.getByText('2 selected').waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'home-edit-selected');
    const target = await page
      .getByRole('option', { name: /Kitchen$/ })
      .first()
      .getAttribute('value');
    await page.getByLabel('Move to room').selectOption(target);
    const kitchen = page.getByRole('list', { name: /Kitchen$/ });
    await kitchen.getByText('Guests').waitFor();
    await kitchen.getByText(MARKUP).waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await attic.getByText(MARKUP).waitFor();
    expect(complaintsOfAll()).toEqual([]);
  });

  it('brings a deleted room back with what was in it, its color and its picture', async () => {
    const garden = await makeRoom('Garden');
    await makeSwitch('Fountain', garden);
    await dashboard.graphql('mutation ($id: String!) { updateRoom(roomId: $id, color: "green") { id } }', {
      id: garden,
    });
    const { relay } = dashboard;
    await fetch(`${relay.url}/rest/rooms/${garden}/picture`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${relay.token}` },
      body: pngOf(4, 3),
    });
    const looks = async () => {
      const { homes } = await dashboard.graphql('{ homes { rooms { name color pictureHash } } }');
      return homes[0].rooms.find(({ name }: { name: string }) => name === 'Garden');
    };
    const before = await looks();
    expect(before).toEqual({ name: 'Garden', color: 'green', pictureHash: expect.any(String) });
    const { page } = await open();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: 'Delete room Garden' }).click();
    await page.getByText('Room “Garden” deleted; its accessory has no room now').waitFor();
    await page.getByRole('list', { name: 'No room' }).getByText('Fountain').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('list', { name: 'Garden' }).getByText('Fountain').waitFor();
    await expect.poll(looks).toEqual(before);
    expect(complaintsOfAll()).toEqual([]);
  });

  it('makes a zone of rooms, changes it, and brings it back when it was deleted', async () => {
    const { page } = await open({ path: '/rooms', width: 390, height: 844 });
    const zones = page.getByRole('list', { name: 'Zones' });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New zone' }).click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Upstairs');
    await dialog.getByRole('checkbox', { name: 'Attic' }).check();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await zones.getByText('Attic', { exact: true }).waitFor();
    const act = async (name: string, what: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: what }).click();
    };
    await act('Upstairs', 'Edit');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Top');
    await dialog.getByRole('checkbox', { name: 'Kitchen' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await zones.getByText('Top', { exact: true }).waitFor();
    await act('Top', 'Delete');
    await zones.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await zones.getByText('Top', { exact: true }).waitFor();
    const { homes } = await dashboard.graphql('{ homes { zones { name roomIds } } }');
    expect(homes[0].zones).toEqual([{ name: 'Top', roomIds: [expect.any(String), expect.any(String)] }]);
    // On the home page the rooms stand below their zone.
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('heading', { level: 2, name: 'Top' }).waitFor();
    await page.getByRole('heading', { level: 3, name: 'Attic' }).waitFor();
    await page.getByRole('heading', { level: 2, name: 'Other rooms' }).waitFor();
    expect(complaintsOfAll()).toEqual([]);
  });

  it('gives a tile an icon of choice, found by a word of another language and taken by keys', async () => {
    const { page } = await open();
    const tile = page.getByRole('button', { name: 'Reading Lamp, Off' });
    await tile.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Choose icon' }).click();
    const dialog = page.getByRole('dialog', { name: 'Icon of Reading Lamp' });
    const field = dialog.getByRole('searchbox', { name: 'Search icons' });
    await field.fill('Sessel');
    await dialog.getByRole('button', { name: 'Armchair' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'icon-search');
    await field.press('ArrowDown');
    await dialog.locator('button:focus').press('Enter');
    await page.getByText('Reading Lamp: icon changed').waitFor();
    await tile.locator('svg.lucide-armchair').waitFor();
    // The next visit, and a virtual accessory and a sheet as well.
    await page.reload();
    await tile.locator('svg.lucide-armchair').waitFor();
    await page.getByRole('link', { name: 'More about Reading Lamp' }).click();
    await page.getByText('Details', { exact: true }).click();
    await page.getByRole('button', { name: 'Choose icon' }).click();
    await dialog.getByRole('button', { name: 'Armchair', pressed: true }).waitFor();
    await picture(page, 'icon-picker');
    await dialog.getByRole('button', { name: 'Use the standard icon' }).click();
    await page.getByText('Reading Lamp: standard icon').waitFor();
    await tile.locator('svg.lucide-lamp-desk').waitFor();
    expect(complaintsOfAll()).toEqual([]);
  });

  it('gives a room a color and a picture, which it makes smaller, and names files that are no pictures', async () => {
    const rooms = async () =>
      (await dashboard.graphql('{ homes { rooms { id name color pictureHash } } }')).homes[0].rooms;
    const [attic] = (await rooms()).filter(({ name }: { name: string }) => name === 'Attic');
    const { page } = await open({ path: `/rooms/${attic.id}`, width: 390, height: 844 });
    const menu = page.getByRole('navigation', { name: 'Main' });
    await menu.getByRole('link', { name: 'Home' }).waitFor();
    expect(await menu.locator('[aria-current=page], [data-active]').allInnerTexts()).toEqual(['Home']);
    await page.getByRole('button', { name: 'Colour and picture' }).click();
    const dialog = page.getByRole('dialog', { name: 'Colour and picture of Attic' });
    await dialog.getByRole('radio', { name: 'Teal' }).check();
    const choose = dialog.locator('input[type="file"]');
    await choose.setInputFiles({ name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('notes') });
    await dialog.getByRole('alert').getByText('The file is not a picture').waitFor();
    await choose.setInputFiles({ name: 'half.png', mimeType: 'image/png', buffer: PICTURE.subarray(0, 20_000) });
    await dialog.getByRole('alert').getByText('damaged or incomplete').waitFor();
    await choose.setInputFiles({ name: 'attic.png', mimeType: 'image/png', buffer: PICTURE });
    await dialog.getByRole('img', { name: 'How it will look' }).waitFor();
    await dialog.getByText('It is made smaller before it is sent').waitFor();
    await expectAccessible(page);
    await expectToFit(page);
    await picture(page, 'room-look');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    // It lies behind the page of the room.
    await page.locator('html[data-backdrop="picture"] main div[aria-hidden] img[src^="blob:"]').waitFor();
    await expectAccessible(page);
    await expectToFit(page);
    const changed = (await rooms()).find(({ id }: { id: string }) => id === attic.id);
    expect(changed).toEqual({ ...attic, color: 'teal', pictureHash: expect.any(String) });
    const { relay } = dashboard;
    const sent = await fetch(`${relay.url}/rest/rooms/${attic.id}/picture`, {
      headers: { Authorization: `Bearer ${relay.token}` },
    });
    expect(sent.headers.get('content-type')).toBe('image/jpeg');
    expect((await sent.arrayBuffer()).byteLength).toBeLessThanOrEqual(MAX_PICTURE_BYTES);
    expect(PICTURE.byteLength).toBeGreaterThan(MAX_PICTURE_BYTES);
    // The tests below see it on the home page.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
    await page.getByRole('heading', { name: 'Attic' }).waitFor();
    expect(await page.locator('html[data-backdrop]').count()).toBe(0);
    await page.getByRole('region', { name: 'Attic' }).locator('img[src^="blob:"]').waitFor();
    await picture(page, 'room-banner');

    // The home has one as well, behind its tiles; then a background, which replaces it.
    const look = page.getByRole('dialog', { name: 'Home background' });
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: 'Home background' }).click();
    await look
      .locator('input[type="file"]')
      .setInputFiles({ name: 'home.png', mimeType: 'image/png', buffer: PICTURE });
    await look.getByRole('img', { name: 'How it will look' }).waitFor();
    await expectAccessible(page);
    await look.getByRole('button', { name: 'Save' }).click();
    await look.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Done' }).click();
    await page.locator('html[data-backdrop] main div[aria-hidden] > img[src^="blob:"]').waitFor();
    await expectAccessible(page);
    await expectToFit(page);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: 'Home background' }).click();
    await look.getByRole('radio', { name: 'Sea' }).check();
    await look.getByRole('button', { name: 'Save' }).click();
    await look.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Done' }).click();
    await page.locator('html[data-backdrop] [data-background="sea"]').waitFor({ state: 'attached' });
    const [kept] = (await dashboard.graphql('{ homes { background pictureHash } }')).homes;
    expect(kept).toEqual({ background: 'sea', pictureHash: null });
    await dashboard.graphql('mutation ($homeId: String!) { updateHome(homeId: $homeId, background: null) { id } }', {
      homeId,
    });
    expect(complaintsOfAll()).toEqual([]);
  });

  it('gives a room with one tile the width of the tile, however long its name is, on every screen', async () => {
    // Others at a second try.
    tries += 1;
    const name = `Arbeitszimmer im Dachgeschoss ${tries}`;
    const short = await makeRoom(`Den ${tries}`);
    const long = await makeRoom(name);
    const word = await makeRoom(`${LONG_NAME}${tries}`);
    const several = await makeRoom(`Guest Bathroom Downstairs ${tries}`);
    const rooms = [short, long, word, several];
    const switches = [await makeSwitch(`Light ${tries}`, several)];
    for (const room of rooms) switches.push(await makeSwitch(`Fan ${tries}`, room));
    await change(`/rest/rooms/${long}`, { color: 'purple' });
    await putPicture(word);
    const { page } = await open();
    const widthOf = async (room: string) =>
      Math.round((await page.locator(`section[data-room="${room}"]`).boundingBox())?.width ?? Number.NaN);
    const nameOf = (room: string) =>
      page.locator(`section[data-room="${room}"]`).getByRole('heading').getByRole('link');
    await nameOf(several).waitFor();
    expect(await nameOf(long).getByTitle(name, { exact: true }).count()).toBe(1);
    for (const width of [320, 390, 768, 1280, 1920, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      const expected = await widthOf(short);
      expect([width, await widthOf(long), await widthOf(word)]).toEqual([width, expected, expected]);
      expect(await widthOf(several)).toBeGreaterThan(expected);
      await expectRoomsInPlace(page);
      await expectToFit(page);
      // Two lines at most.
      expect((await nameOf(word).boundingBox())?.height).toBeLessThanOrEqual(44);
    }
    await picture(page, 'rooms-with-long-names');
    await expectAccessible(page);
    for (const id of switches) await deleteSwitch(id);
    for (const room of rooms) await deleteRoom(room);
    expect(complaintsOfAll()).toEqual([]);
  });

  it('shows the pictures and colors of rooms in their list, with the number of accessories beside each name', async () => {
    tries += 1;
    const colored = await makeRoom(`Bathroom upstairs ${tries}`);
    const pictured = await makeRoom(`Study ${tries}`);
    const fan = await makeSwitch(`Fan ${tries}`, colored);
    await change(`/rest/rooms/${colored}`, { color: 'purple' });
    await putPicture(pictured);
    const { page } = await open({ path: '/rooms', width: 390, height: 844 });
    const row = (room: string) => page.locator(`li[data-room="${room}"]`);
    await row(pictured).scrollIntoViewIfNeeded();
    await row(pictured).locator('img[src^="blob:"]').waitFor();
    const backgroundOf = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).backgroundColor`);
    // As the tokens have it, in the light look.
    expect(await backgroundOf(`li[data-room="${colored}"] [data-color]`)).toBe('rgb(233, 224, 250)');
    expect(await row(colored).locator('img').count()).toBe(0);
    expect(await row(pictured).locator('[data-color]').count()).toBe(0);
    for (const width of [320, 390, 700, 1600]) {
      await page.setViewportSize({ width, height: 844 });
      const name = await row(colored).getByText(`Bathroom upstairs ${tries}`, { exact: true }).boundingBox();
      const count = await row(colored).getByRole('link', { name: '1 accessory', exact: true }).boundingBox();
      if (!name || !count) throw new Error('The row is not there');
      // Beside it.
      expect(count.x).toBeGreaterThanOrEqual(name.x + name.width);
      await expectToFit(page);
    }
    await expectAccessible(page);
    await picture(page, 'rooms-looks');
    await deleteSwitch(fan);
    for (const room of [colored, pictured]) await deleteRoom(room);
    expect(complaintsOfAll()).toEqual([]);
  });

  it('renames a room, colors it and deletes it by its menu in the list of rooms', async () => {
    tries += 1;
    const [name, next] = [`Cellar ${tries}`, `Wine cellar ${tries}`];
    const cellar = await makeRoom(name);
    const { page } = await open({ path: '/rooms', width: 390, height: 844 });
    const row = page.locator(`li[data-room="${cellar}"]`);
    const dialog = page.getByRole('dialog');
    const act = async (room: string, what: string) => {
      await page.getByRole('button', { name: `Actions for ${room}`, exact: true }).press('Enter');
      await page.getByRole('menuitem', { name: what, exact: true }).press('Enter');
    };
    await act(name, 'Rename');
    await expectAccessible(page);
    await dialog.getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).fill(next);
    await page.keyboard.press('Enter');
    await row.getByText(next, { exact: true }).waitFor();
    await page.getByText(`“${name}” is now “${next}”`).waitFor();
    // The focus goes back to where the dialog came from.
    const isBack = () =>
      page
        .getByRole('button', { name: `Actions for ${next}`, exact: true })
        .and(page.locator(':focus'))
        .waitFor();
    await isBack();

    await act(next, 'Colour and picture');
    await dialog.getByRole('radio', { name: 'Purple' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.locator('[data-color="purple"]').waitFor();
    await isBack();

    await page.getByRole('button', { name: 'Actions for No room' }).click();
    await page.getByRole('menuitem').first().waitFor();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Rename', 'Colour and picture']);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });

    await act(next, 'Delete');
    await row.waitFor({ state: 'detached' });
    await page.getByText(`Room “${next}” deleted`).waitFor();
    expect(complaintsOfAll()).toEqual([]);
  });

  it('shows a toast above the buttons of a dialog and above the bar of a selection', async () => {
    // Another one at a second try.
    const shed = await makeRoom(`Shed ${Date.now()}`);
    const { page } = await open({ path: `/rooms/${shed}`, width: 390, height: 560 });
    const toasts = page.locator('[role="status"][aria-live="polite"]');
    const notify = async () => {
      await dashboard.graphql('mutation { sendTestNotification(message: "The balcony door is open") }');
      // It stays while the mouse is there.
      await toasts.getByText('The balcony door is open').hover();
    };
    const isAbove = async (lower: Locator) => {
      const [upper, below] = [await toasts.boundingBox(), await lower.boundingBox()];
      return upper !== null && below !== null && upper.height > 0 && upper.y + upper.height <= below.y;
    };
    const isAtFoot = async () => !(await toasts.getAttribute('style'))?.includes('bottom');
    await page.getByRole('button', { name: 'Colour and picture' }).click();
    const dialog = page.getByRole('dialog');
    const save = dialog.getByRole('button', { name: 'Save' });
    await save.waitFor();
    await notify();
    await expect.poll(() => isAbove(save)).toBe(true);
    await expectAccessible(page);
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    // At the foot again.
    await expect.poll(isAtFoot).toBe(true);

    await page.goto(new URL('/categories/lights', dashboard.relay.url).href);
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    await page.getByRole('checkbox', { name: /Reading Lamp/ }).click();
    const bar = page.getByRole('region', { name: '1 selected' });
    await notify();
    await expect.poll(() => isAbove(bar)).toBe(true);
    await bar.getByRole('button', { name: 'Clear selection' }).click();
    await expect.poll(isAtFoot).toBe(true);
    await deleteRoom(shed);
    expect(complaintsOfAll()).toEqual([]);
  });

  it('makes a second home, with a question before typed changes are lost, and deletes it once its name is typed', async () => {
    const { page } = await open({ path: '/settings/home' });
    const homes = page.getByLabel('Switch home');
    const first = await page.getByLabel('Home name').first().inputValue();
    // A home needs a name: this one can't be saved.
    await page.getByLabel('Home name').first().fill('');
    await page.getByLabel('Home name').last().fill('Boat');
    await page.getByRole('button', { name: 'Create home' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect((await dashboard.graphql('{ homes { name } }')).homes).toHaveLength(1);
    await page.getByRole('button', { name: 'Create home' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByText('Home “Boat” created').waitFor();
    await page.getByLabel('To confirm, type the home’s name: Boat').fill('Boat');
    expect(await homes.locator('option:checked').innerText()).toBe('Boat');
    await page.getByRole('button', { name: 'Delete this home' }).click();
    await page.getByText('Home “Boat” deleted').waitFor();
    await page.waitForURL((url) => url.pathname === '/');
    expect((await dashboard.graphql('{ homes { name } }')).homes).toEqual([{ name: first }]);
    expect(complaintsOfAll()).toEqual([]);
  });

  it('finds things at the key “/”, and goes there by the keyboard', async () => {
    const { page } = await open({ lang: 'de' });
    await page.getByRole('button', { name: 'Suchen' }).waitFor();
    await page.keyboard.press('/');
    const field = page.getByRole('combobox', { name: 'Zuhause durchsuchen' });
    await field.fill('guests');
    await page.getByText('1 gefunden').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/accessories\//);
    expect(complaintsOfAll()).toEqual([]);
  });

  it.each([
    { width: 320, height: 640, dark: false },
    { width: 1280, height: 900, dark: true },
  ])('passes the rules of accessibility at $width pixels, names of markup and long ones in it', async (size) => {
    const watched = await open(size);
    const { page } = watched;
    await page.getByText(LONG_NAME).first().waitFor();
    await page.getByText(MARKUP).first().waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, `home-${size.width}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('heading', { name: 'Edit home' }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, `home-edit-${size.width}`);
    expect(await page.title()).not.toBe('1');
    expect(complaintsOfAll()).toEqual([]);
  });

  it('has menus at its tiles that pass them too, on the smallest and the widest screens, in both looks', async () => {
    const { page } = await open();
    const tile = page.getByRole('list', { name: 'Big Kitchen' }).getByRole('button', { name: `${LONG_NAME}, Off` });
    for (const { width, height, colorScheme } of [
      { width: 320, height: 640, colorScheme: 'light' },
      { width: 320, height: 640, colorScheme: 'dark' },
      { width: 2560, height: 1300, colorScheme: 'dark' },
      { width: 2560, height: 1300, colorScheme: 'light' },
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      await tile.press('m');
      const menu = page.getByRole('menu', { name: `Actions for ${LONG_NAME}` });
      await menu.getByRole('menuitem', { name: 'Open', exact: true }).and(page.locator(':focus')).waitFor();
      await expectToFit(page);
      await expectAccessible(page);
      await picture(page, `tile-menu-${width}-${colorScheme}`);
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
    }
    expect(complaintsOfAll()).toEqual([]);
  });
});

/** A finger, as the browser sees it. @returns what it does: from one thing to the middle of another */
async function fingerOn(page: Page): Promise<(from: Locator, to: Locator) => Promise<void>> {
  const cdp = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints });
  /** What follows from the last move is on the screen then. */
  const drawn = () => page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  /** Where it is once it moves no more. */
  const middleOf = async (thing: Locator) => {
    for (let last = await thing.boundingBox(); ; ) {
      await drawn();
      const box = await thing.boundingBox();
      if (!box) throw new Error('There is nothing to touch');
      if (box.x === last?.x && box.y === last.y) return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      last = box;
    }
  };
  return async (from, to) => {
    const [begin, end] = [await middleOf(from), await middleOf(to)];
    await touch('touchStart', begin);
    const steps = 8;
    for (let step = 1; step <= steps; step += 1) {
      await touch('touchMove', {
        x: begin.x + ((end.x - begin.x) * step) / steps,
        y: begin.y + ((end.y - begin.y) * step) / steps,
      });
      await drawn();
    }
    await touch('touchEnd');
  };
}
