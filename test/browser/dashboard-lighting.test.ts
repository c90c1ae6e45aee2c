/** Adaptive lighting in the settings: an admin sets the home and a room. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/e2e-relay.ts';
import { Dashboard, expectAccessible, expectToFit, NO_BROWSER, PATIENCE_MS, picture } from './dashboard.ts';

const QUERY = `query ($homeId: String!) {
  adaptiveLighting(homeId: $homeId) {
    enabled warmest wake sleep pauseHours rooms { setting } lamps { status }
  }
}`;

let dashboard: Dashboard;
let homeId: string;

describe.skipIf(NO_BROWSER)('adaptive lighting', { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    dashboard = await Dashboard.start({ accessories: ['Desk Lamp'] });
    homeId = (await dashboard.graphql('{ homes { id } }')).homes[0].id;
  }, PATIENCE_MS);
  afterAll(() => dashboard?.stop());

  const settings = async () => (await dashboard.graphql(QUERY, { homeId })).adaptiveLighting;
  const until = (wanted: object) =>
    eventually(async () => {
      const current = await settings();
      return Object.entries(wanted).every(([name, value]) => current[name] === value) && current;
    }, JSON.stringify(wanted));

  it('is set for the home and its rooms, at once', async () => {
    const { page, complaints } = await dashboard.open({ path: '/settings/home' });
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Adaptive lighting' }) });
    await section.getByRole('switch', { name: 'Lamps follow the day' }).click();
    await until({ enabled: true });
    await section.getByLabel('The household wakes at').fill('06:15');
    await section.getByLabel('It goes to sleep at').fill('23:45');
    await section.getByLabel('It goes to sleep at').blur();
    await section.getByLabel('Warmest, at night').selectOption({ label: '2,200 K' });
    await until({ wake: '06:15', sleep: '23:45', warmest: 455 });
    await section.getByLabel('A colour that someone sets stays').selectOption({ label: '4 hours at most' });
    await until({ pauseHours: 4 });
    await section
      .getByLabel('A colour that someone sets stays')
      .selectOption({ label: 'until the lamp is turned off' });
    await until({ pauseHours: null });
    const room = section.getByRole('combobox').last();
    await room.selectOption({ label: 'Off' });
    const current = await eventually(async () => {
      const { rooms, lamps } = await settings();
      return rooms.some(({ setting }: { setting: string }) => setting === 'off') && lamps;
    }, 'the room to be off');
    expect(current).toEqual([{ status: 'off' }]);
    await section.scrollIntoViewIfNeeded();
    await expectAccessible(page);
    await expectToFit(page);
    await picture(page, 'adaptive-lighting');
    expect(complaints).toEqual([]);
    await page.close();
  });
});
