/** The home page as people use it: in two browsers at once, put in order by the keyboard, searched. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { WatchedPage } from './chromium.ts';
import { Dashboard, expectAccessible, expectToFit, MARKUP, NO_BROWSER, PATIENCE_MS, picture } from './dashboard.ts';

const SUITE = `the home page in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`;
const LONG_NAME = 'Donaudampfschifffahrtsgesellschaftskapitaenskajuetenleuchte';

let dashboard: Dashboard;
let opened: WatchedPage[] = [];
let homeId: string;

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

const headings = ({ page }: Pick<WatchedPage, 'page'>) => page.getByRole('heading', { level: 2 }).allInnerTexts();
const complaintsOfAll = () => opened.flatMap(({ complaints }) => complaints);

describe.skipIf(NO_BROWSER)(SUITE, { timeout: PATIENCE_MS }, () => {
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
    await second.page.getByRole('button', { name: '1 light on Turn all off' }).click();
    await first.page.getByRole('button', { name: 'Reading Lamp, Off' }).waitFor();
    await first.page.getByText('All is well').waitFor();
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
    await page.getByRole('menuitem', { name: 'Make favourite' }).press('Enter');
    await page.getByText('Added to favourites').waitFor();
    await page.getByRole('button', { name: 'Done' }).press('Enter');
    await page.getByRole('heading', { name: 'Favourites' }).waitFor();

    const other = await open();
    await other.page.getByRole('heading', { name: 'Favourites' }).waitFor();
    expect(await headings(other)).toEqual(['Favourites', 'Big Kitchen', 'Attic', 'No room yet']);
    expect(complaintsOfAll()).toEqual([]);
  });

  it('lets rooms be dragged with the keyboard, and tells where they are', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const handle = page.getByRole('button', { name: 'Drag room Attic' });
    await handle.press('Space');
    await page.getByText('Attic picked up.').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByText(/Attic is now at the place of No room yet\./).waitFor();
    await page.keyboard.press('Space');
    await page.getByText('Order changed').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'Attic' }).waitFor();
    expect((await headings({ page })).at(-1)).toBe('No room yet');
    expect(complaintsOfAll()).toEqual([]);
  });

  it('brings a deleted room back with what was in it', async () => {
    await makeSwitch('Fountain', await makeRoom('Garden'));
    const { page } = await open();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: 'Delete room Garden' }).click();
    await page.getByText('Room “Garden” deleted; its accessory has no room now').waitFor();
    await page.getByRole('list', { name: 'No room yet' }).getByText('Fountain').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('list', { name: 'Garden' }).getByText('Fountain').waitFor();
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
});
