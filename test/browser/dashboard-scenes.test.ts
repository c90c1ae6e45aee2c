/** Scenes, virtual accessories, rooms and groups as people make and use them. */
import { Characteristic, Service } from '@homebridge/hap-nodejs';
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
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

const SUITE = `scenes and virtual accessories in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`;

let dashboard: Dashboard;
let watched: WatchedPage;
let names = 0;

describe.skipIf(NO_BROWSER)(SUITE, { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    dashboard = await Dashboard.start({ accessories: ['Reading Lamp', 'Desk Lamp'] });
  }, PATIENCE_MS);

  afterEach(async () => {
    expect(watched.complaints).toEqual([]);
    await watched.page.context().close();
  });

  afterAll(() => dashboard?.stop());

  it('takes a scene of how things are, runs it, and brings it back after it was deleted', async () => {
    const lamp = dashboard.device('Reading Lamp').accessory.getService(Service.Lightbulb);
    const on = lamp?.getCharacteristic(Characteristic.On);
    watched = await dashboard.open({ path: '/scenes/new' });
    const { page } = watched;
    await page.getByRole('textbox', { name: 'Scene name' }).fill(`Dark ${MARKUP} 1`);
    await page.getByRole('checkbox', { name: /^Reading Lamp/ }).check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create scene' }).click();
    await page.getByRole('button', { name: 'Reading Lamp, Off', exact: true }).waitFor();
    await expectAccessible(page);
    await picture(page, 'scene');

    on?.updateValue(true);
    await page.goto(new URL('/scenes', dashboard.relay.url).href);
    await page.getByRole('button', { name: /^Run scene Dark/ }).click();
    await page.getByText('Scene started (1 change)').waitFor();
    expect(on?.value).toBe(false);

    await page.getByText(/^Last run: .+ · /).waitFor();
    await page.getByRole('link', { name: /^Dark/ }).click();
    await page.getByText(/^Last run: .+ · /).waitFor();
    await page.getByRole('button', { name: 'Delete scene' }).click();
    await page.getByRole('list', { name: 'Suggestions' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: /^Dark/ }).waitFor();
  });

  it('changes what a scene does, by inputs that fit', async () => {
    const { homes } = await dashboard.graphql('{ homes { id accessories { id name } } }');
    const [{ id: homeId, accessories }] = homes;
    const { id: accessoryId } = accessories.find(({ name }: { name: string }) => name === 'Desk Lamp');
    await dashboard.graphql(
      'mutation ($homeId: String!, $actions: JSON!) { createScene(homeId: $homeId, name: "Work", actions: $actions) { id } }',
      { homeId, actions: [{ accessoryId, characteristicType: 'on', targetValue: true }] },
    );
    watched = await dashboard.open({ path: '/scenes', width: 390, height: 844, dark: true });
    const { page } = watched;
    await expectToFit(page);
    await page.getByRole('link', { name: 'Work' }).click();
    await page.getByRole('button', { name: 'Desk Lamp, On', exact: true }).click();
    await page.getByText('Turn on Desk Lamp', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add action' }).click();
    await page.getByRole('combobox', { name: 'Accessory' }).click();
    const withoutRoom = page.getByRole('group', { name: 'No room', exact: true });
    await withoutRoom.getByRole('option', { name: 'Reading Lamp' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('off', { exact: true }).click();
    await page.getByRole('button', { name: 'Desk Lamp, Off', exact: true, expanded: true }).waitFor();
    await expectToFit(page);
    await page.getByRole('radio', { name: 'Blue' }).check();
    await page
      .getByRole('group', { name: /^Colour/ })
      .getByText('Blue', { exact: true })
      .waitFor();
    await page.getByRole('button', { name: 'Icon', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Star', exact: true }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Scene “Work” saved').waitFor();
    await expectAccessible(page);
    const { scenes } = await dashboard.graphql(
      'query ($homeId: String!) { scenes(homeId: $homeId) { name icon color actionList { targetValue } } }',
      { homeId },
    );
    const work = scenes.find(({ name }: { name: string }) => name === 'Work');
    expect(work).toEqual({ name: 'Work', icon: 'star', color: 'blue', actionList: [{ targetValue: false }] });
    await page.getByRole('link', { name: 'All scenes' }).click();
    await page.getByRole('button', { name: 'Run scene Work' }).and(page.locator('[data-color="blue"]')).waitFor();
    await page.getByText('Turns off Desk Lamp', { exact: true }).waitFor();
    await expectAccessible(page);
  });

  it('lets small rooms share a row where accessories are chosen, and in the scene that is made of them', async () => {
    const { homes } = await dashboard.graphql('{ homes { id accessories { id name } } }');
    const [{ id: homeId, accessories }] = homes;
    names += 1;
    const rooms = [`Cellar ${names}`, `Arbeitszimmer im Dachgeschoss ${names}`] as const;
    const roomIds: string[] = [];
    for (const [at, lamp] of ['Reading Lamp', 'Desk Lamp'].entries()) {
      const { id } = accessories.find(({ name }: { name: string }) => name === lamp);
      const { createRoom } = await dashboard.graphql(
        'mutation ($homeId: String!, $name: String!) { createRoom(homeId: $homeId, name: $name) { id } }',
        { homeId, name: rooms[at] },
      );
      roomIds.push(createRoom.id);
      await dashboard.relay.request('PATCH', `/rest/accessories/${id}`, { roomId: createRoom.id });
    }
    watched = await dashboard.open({ path: '/scenes/new', width: 390, height: 844 });
    const { page } = watched;
    await page.getByRole('textbox', { name: 'Scene name' }).fill(`Lamps ${names}`);
    for (const name of rooms) {
      await page.getByRole('group', { name }).getByRole('checkbox').check();
    }
    const expectBeside = async (role: 'group' | 'list') => {
      for (const width of [320, 390, 768, 1280, 1920, 2560]) {
        await page.setViewportSize({ width, height: 844 });
        const placesOf = async (side: 'x' | 'y') => {
          const boxes = await Promise.all(rooms.map((name) => page.getByRole(role, { name }).boundingBox()));
          return new Set(boxes.map((box) => Math.round(box?.[side] ?? Number.NaN))).size;
        };
        await expect.poll(async () => [width, await placesOf('x'), await placesOf('y')]).toEqual([width, 2, 1]);
        await expectRoomsInPlace(page);
        await expectToFit(page);
      }
      await expectAccessible(page);
    };
    await expectBeside('group');
    await picture(page, 'scene-choice');
    await page.getByRole('button', { name: 'Create scene' }).click();
    const tile = page.getByRole('button', { name: /^Reading Lamp, / });
    await tile.waitFor();
    await expectBeside('list');
    // Its inputs have the whole width.
    await page.setViewportSize({ width: 390, height: 844 });
    const widthOf = async (name: string) => (await page.getByRole('list', { name }).boundingBox())?.width ?? Number.NaN;
    const [closed, beside] = [await widthOf(rooms[0]), await widthOf(rooms[1])];
    expect(closed).toBe(beside);
    await tile.click();
    await expect.poll(() => widthOf(rooms[0])).toBeGreaterThan(2 * beside - 12);
    expect(await widthOf(rooms[1])).toBe(beside);
    await expectToFit(page);
    await expectAccessible(page);
    const deletion = 'mutation ($id: String!) { deleteRoom(roomId: $id) { success } }';
    for (const id of roomIds) await dashboard.graphql(deletion, { id });
  });

  it('lets the end of the page be scrolled clear of a toast, which goes by Escape and by a swipe', async () => {
    // Another one at a second try.
    names += 1;
    const name = `Reading ${names}`;
    const { homes } = await dashboard.graphql('{ homes { id accessories { id name } } }');
    const [{ id: homeId, accessories }] = homes;
    const { id: accessoryId } = accessories.find(({ name }: { name: string }) => name === 'Desk Lamp');
    const { createScene: scene } = await dashboard.graphql(
      'mutation ($homeId: String!, $name: String!, $actions: JSON!) { createScene(homeId: $homeId, name: $name, actions: $actions) { id } }',
      { homeId, name, actions: [{ accessoryId, characteristicType: 'on', targetValue: true }] },
    );
    watched = await dashboard.open({ path: `/scenes/${scene.id}`, width: 390, height: 640, hasTouch: true });
    const { page } = watched;
    const toast = page.getByText(`Scene “${name}” saved`);
    const close = page.getByRole('button', { name: 'Close' });
    const remove = page.getByRole('button', { name: 'Delete scene' });
    const topOf = async (locator: Locator) => (await locator.boundingBox())?.y ?? Number.NaN;
    const save = async (color: string) => {
      await page.getByRole('radio', { name: color }).check();
      await page.getByRole('button', { name: 'Save' }).click();
      await toast.waitFor();
    };
    await save('Blue');
    // It stays while it has the keyboard.
    await close.focus();
    const isClear = async () => {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      const box = await remove.boundingBox();
      return box !== null && box.y + box.height < (await topOf(close));
    };
    await expect.poll(isClear).toBe(true);
    await expectAccessible(page);
    const before = await topOf(remove);
    await close.press('Escape');
    await toast.waitFor({ state: 'detached' });
    expect(await topOf(remove)).toBe(before);
    await page.evaluate('scrollTo(0, 0)');
    const room = () => page.evaluate("getComputedStyle(document.getElementById('content')).paddingBottom");
    await expect.poll(room).toBe('0px');

    await save('Red');
    const devtools = await page.context().newCDPSession(page);
    const y = await topOf(close);
    const swipe = async (far: number) => {
      const at = (x: number) => [{ x, y: y + 20 }];
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(120) });
      for (const x of [0.5, 1].map((part) => 120 + far * part)) {
        await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(x) });
      }
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    };
    await swipe(40);
    expect(await toast.count()).toBe(1);
    await swipe(160);
    await toast.waitFor({ state: 'detached' });
    await dashboard.graphql('mutation ($id: String!) { deleteScene(sceneId: $id) { success } }', { id: scene.id });
  });

  it('makes an own scene of a built-in one, and hides the built-in one', async () => {
    const lamp = dashboard.device('Reading Lamp').accessory.getService(Service.Lightbulb);
    lamp?.getCharacteristic(Characteristic.On).updateValue(true);
    const goodNight = { name: 'Good Night', exact: true };
    watched = await dashboard.open({ path: '/scenes', width: 390, height: 844 });
    const { page } = watched;
    await page.getByRole('link', goodNight).click();
    const lamps = page.getByRole('list', { name: 'No room', exact: true }).getByRole('listitem');
    await lamps.filter({ hasText: 'Reading Lamp' }).filter({ hasText: 'Off' }).waitFor();
    await page.getByRole('button', { name: 'Duplicate and edit' }).click();
    await page.getByRole('heading', { level: 1, name: /^Good Night \d+$/ }).waitFor();
    await page.getByRole('button', { name: 'Reading Lamp, Off', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete scene' }).click();
    await page.getByRole('link', goodNight).click();
    await page.getByRole('button', { name: 'Hide', exact: true }).click();
    await page.getByRole('link', { name: 'All scenes' }).click();
    await page.getByRole('link', goodNight).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show hidden (1)' }).click();
    await page.getByRole('link', goodNight).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Don’t hide Good Night' }).click();
    await page.getByRole('button', { name: 'Show hidden (1)' }).waitFor({ state: 'detached' });
    await page.getByRole('link', goodNight).waitFor();
  });

  it('suggests a scene, which opens the editor with what it would set', async () => {
    watched = await dashboard.open({ path: '/scenes', width: 390, height: 844 });
    const { page } = watched;
    const suggestions = page.getByRole('list', { name: 'Suggestions' });
    await suggestions.getByRole('link', { name: 'Cosy evening' }).click();
    await page.getByRole('button', { name: /^Reading Lamp, On, 40\s?%/ }).click();
    await page.getByText('Turn on Reading Lamp', { exact: true }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create scene' }).click();
    await page.getByRole('heading', { level: 1, name: 'Cosy evening' }).waitFor();
    await page.getByRole('link', { name: 'All scenes' }).click();
    await suggestions.getByRole('link', { name: 'Movie night' }).waitFor();
    await suggestions.getByRole('link', { name: 'Cosy evening' }).waitFor({ state: 'detached' });
    await expectAccessible(page);
    // So that a second try finds the suggestion.
    await page.getByRole('link', { name: 'Cosy evening' }).click();
    await page.getByRole('button', { name: 'Delete scene' }).click();
    await suggestions.getByRole('link', { name: 'Cosy evening' }).waitFor();
  });

  it('keeps the buttons of a long form in sight, and what has the keyboard clear of them', async () => {
    watched = await dashboard.open({ path: '/virtual/new', width: 390, height: 640 });
    const { page } = watched;
    await page.getByRole('button', { name: /^Number/ }).click();
    const save = page.getByRole('button', { name: 'Save' });
    const menu = page.getByRole('navigation').last();
    const isInSight = async () => {
      const [button, bar] = [await save.boundingBox(), await menu.boundingBox()];
      return button !== null && bar !== null && button.y > 0 && button.y + button.height <= bar.y;
    };
    await expect.poll(isInSight).toBe(true);
    await expectToFit(page);
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Name', exact: true }).focus();
    // In front of what has the keyboard is nothing but what is in it.
    const covered = () =>
      page.evaluate<string | null>(`(() => {
        const field = document.activeElement;
        const { left, top, width, height } = field.getBoundingClientRect();
        const front = document.elementFromPoint(left + width / 2, top + height - 2);
        const parts = field.closest('label, .mantine-Switch-root') ?? field;
        return parts.contains(front) || field.contains(front) ? null : field.outerHTML;
      })()`);
    const isAtButtons = () => page.evaluate<boolean>("document.activeElement.type === 'submit'");
    let fields = 0;
    while (!(await isAtButtons())) {
      expect(await covered()).toBeNull();
      expect(await isInSight()).toBe(true);
      await page.keyboard.press('Tab');
      fields += 1;
    }
    expect(fields).toBeGreaterThan(6);
    expect(await page.evaluate('scrollY')).toBeGreaterThan(0);
  });

  it('makes a mode from a list that is typed, moved and shortened by the keyboard', async () => {
    watched = await dashboard.open({ path: '/virtual/new', width: 390, height: 844 });
    const { page } = watched;
    await page.getByRole('button', { name: /^Mode/ }).click();
    names += 1;
    const name = `Season ${names}`;
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    const modes = page.getByRole('list', { name: 'Modes' }).getByRole('textbox');
    await modes.first().fill('Spring');
    await modes.first().press('Enter');
    await page.keyboard.type('!');
    expect(await modes.nth(1).inputValue()).toBe('Away!');
    await modes.last().press('Enter');
    await page.keyboard.type('Winter');
    await page.getByRole('button', { name: 'Move Winter up' }).press('Enter');
    // The focus goes along, and at the end it stays in the row.
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Move Winter up');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Move Winter down');
    await page.getByRole('button', { name: 'Remove Away!' }).press('Enter');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Add mode');
    await expectToFit(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`“${name}” created`).waitFor();
    const { homes } = await dashboard.graphql('{ homes { id } }');
    const query = 'query ($homeId: String!) { virtualAccessories(homeId: $homeId) { id name config } }';
    const { virtualAccessories } = await dashboard.graphql(query, { homeId: homes[0].id });
    const made = virtualAccessories.find((each: { name: string }) => each.name === name);
    expect(made.config.options).toEqual(['Winter', 'Spring', 'Night']);
    await dashboard.graphql('mutation ($id: String!) { deleteVirtualAccessory(accessoryId: $id) }', { id: made.id });
  });

  it('makes a counter that counts', async () => {
    watched = await dashboard.open({ path: '/virtual' });
    const { page } = watched;
    await page.getByText('Accessories without a device').waitFor();
    await page.getByRole('link', { name: 'New virtual accessory' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Counter/ }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Coffees');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('“Coffees” created').waitFor();
    await page.getByRole('link', { name: /^Coffees/ }).click();
    await page.getByRole('button', { name: 'Raise Coffees' }).click();
    const { homes } = await dashboard.graphql('{ homes { id } }');
    const query = 'query ($homeId: String!) { virtualAccessories(homeId: $homeId) { name value } }';
    await eventually(async () => {
      const { virtualAccessories } = await dashboard.graphql(query, { homeId: homes[0].id });
      return virtualAccessories[0].name === 'Coffees' && virtualAccessories[0].value === 1;
    }, 'the counter to count');
  });

  it('makes a group of lamps, and renames the home', async () => {
    watched = await dashboard.open({ path: '/rooms', width: 320, height: 640 });
    const { page } = watched;
    await page.getByRole('button', { name: 'New group' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('All Lamps');
    await page.getByRole('checkbox', { name: 'Desk Lamp' }).check();
    await page.getByRole('checkbox', { name: 'Reading Lamp' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Lights · Desk Lamp and Reading Lamp').waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Home settings' }).click();
    const name = page.getByRole('textbox', { name: 'Home name' }).first();
    await name.fill('The Lighthouse');
    await name.press('Enter');
    await page.getByText('Saved').waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await page.goto(dashboard.relay.url);
    await page.getByRole('heading', { name: 'The Lighthouse' }).waitFor();
    await page.getByRole('button', { name: /^All Lamps/ }).waitFor();
  });
});
