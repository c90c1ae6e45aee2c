/** The history page: switched on, filled by a real thermometer, looked at, exported. */
import { readFileSync } from 'node:fs';
import { Characteristic, Service } from '@homebridge/hap-nodejs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { WatchedPage } from './chromium.ts';
import { Dashboard, eventually, expectAccessible, expectToFit, NO_BROWSER, PATIENCE_MS, picture } from './dashboard.ts';

const SUITE = `the history page in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`;

let dashboard: Dashboard;
let watched: WatchedPage | undefined;

function setTemperature(celsius: number): void {
  const { accessory } = dashboard.device('Climate Sensor');
  accessory.getService(Service.TemperatureSensor)?.updateCharacteristic(Characteristic.CurrentTemperature, celsius);
}

/** Runs in the page. Of each colour in the first plot, the middle of its highest and its lowest place. */
function heightsOf(colors: readonly string[]): string {
  return `(() => {
    const canvas = document.querySelector('.uplot canvas');
    const { width, height } = canvas;
    const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, width, height);
    return ${JSON.stringify(colors)}.map((color) => {
      const wanted = color.match(/\\d+/g).map(Number);
      const rows = [];
      for (let at = 0; at < data.length; at += 4) {
        if (wanted.every((part, index) => Math.abs(data[at + index] - part) < 3) && data[at + 3] > 250)
          rows.push(Math.floor(at / 4 / width));
      }
      return rows.length === 0 ? null : (Math.min(...rows) + Math.max(...rows)) / 2 / height;
    });
  })()`;
}

describe.skipIf(NO_BROWSER)(SUITE, { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    dashboard = await Dashboard.start({ accessories: ['Climate Sensor'] });
  }, PATIENCE_MS);

  afterEach(async () => {
    await watched?.page.context().close();
    watched = undefined;
  });

  afterAll(() => dashboard?.stop());

  it('teaches while nothing is recorded, starts recording, and plots what a sensor measured', async () => {
    // One value a minute is kept: the first is the one that holds when recording starts.
    setTemperature(23.5);
    await dashboard.relay.untilState('Climate Sensor', 'current_temp', 23.5);
    watched = await dashboard.open({ path: '/history' });
    const { page, complaints } = watched;
    await page.getByRole('button', { name: 'Start recording' }).click();
    await page.getByRole('button', { name: 'Choose series' }).waitFor();
    const [home] = (await dashboard.graphql('{ homes { id } }')).homes;
    await eventually(async () => {
      const query = 'query ($id: String!) { historySeries(homeId: $id) { characteristicType sampleCount } }';
      const { historySeries } = await dashboard.graphql(query, { id: home.id });
      return historySeries.some(
        (one: { characteristicType: string; sampleCount: number }) =>
          one.characteristicType === 'current_temperature' && one.sampleCount > 0,
      );
    }, 'a temperature to be recorded');
    await page.reload();
    await page.getByRole('button', { name: 'Choose series' }).click();
    await page.getByRole('checkbox', { name: 'Climate Sensor: Temperature' }).check();
    await page.getByRole('checkbox', { name: 'Climate Sensor: Humidity' }).check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.locator('button:focus', { hasText: 'Choose series' }).waitFor();
    await page.getByRole('img', { name: /Climate Sensor: Temperature/ }).waitFor();
    await page.getByRole('row', { name: /Temperature.*23\.5°C/ }).waitFor();
    expect(page.url()).toContain('series=');
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'history-desktop-light');
    expect(complaints).toEqual([]);
  });

  it('shows the same to a visitor of its address, on a phone in the dark, and exports it', async () => {
    const { id } = await dashboard.relay.accessory('Climate Sensor');
    watched = await dashboard.open({ path: `/history?accessory=${id}`, width: 320, height: 640, dark: true });
    const { page, complaints } = watched;
    await page.getByRole('row', { name: /Temperature.*23\.5°C/ }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'history-phone-dark');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    const csv = readFileSync(await (await download).path(), 'utf8');
    expect(csv).toMatch(/^timestamp,accessory_id,characteristic,value/);
    expect(csv).toMatch(/current_temperature,23\.5/);
    expect(complaints).toEqual([]);
  });

  it('reads a plot and a band by the arrow keys and a touch, and moves through time by its buttons', async () => {
    const { id } = await dashboard.relay.accessory('Climate Sensor');
    const series = `${id}~current_temperature&series=${id}~status_low_battery`;
    watched = await dashboard.open({ path: `/history?series=${series}&span=1h`, lang: 'de', hasTouch: true });
    const { page } = watched;
    const plot = page.getByRole('img', { name: /Climate Sensor: Temperatur/ });
    await plot.focus();
    await page.keyboard.press('End');
    await page.getByRole('listitem').filter({ hasText: '23,5' }).waitFor();
    // The cursor of the plot is also on the band.
    const inBand = page.locator('strong', { hasText: /^in Ordnung$/ });
    await inBand.waitFor();
    await plot.blur();
    await page.getByRole('listitem').filter({ hasText: '23,5' }).waitFor({ state: 'detached' });
    await inBand.waitFor({ state: 'detached' });
    await page.getByRole('img', { name: /^Verlauf von Climate Sensor/ }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByText(/ – .*: in Ordnung$/).waitFor();
    const { width = 0, height = 0 } = (await plot.boundingBox()) ?? {};
    await plot.tap({ position: { x: width / 2, y: height / 3 } });
    await page.getByRole('listitem').filter({ hasText: '23,5' }).waitFor();
    await page.getByRole('button', { name: 'Früher' }).click();
    await page.getByRole('button', { name: 'Bis jetzt' }).click();
    await eventually(() => !page.url().includes('to='), 'the window to end now');
  });

  it('has plots and bands below each other, beside an axis as wide as its longest label', async () => {
    const { id } = await dashboard.relay.accessory('Climate Sensor');
    const types = ['current_temperature', 'relative_humidity', 'status_low_battery'];
    const series = types.map((type) => `series=${id}~${type}`).join('&');
    watched = await dashboard.open({ path: `/history?${series}&span=1h`, width: 390, height: 844 });
    const { page, complaints } = watched;
    const graphs = [
      page.locator('.u-over').nth(0),
      page.locator('.u-over').nth(1),
      page.locator('[data-zoom-area]').last(),
    ];
    const lefts = async () => {
      const boxes = await Promise.all(graphs.map((graph) => graph.boundingBox()));
      return boxes.map((box) => Math.round(box?.x ?? 0));
    };
    await graphs[2]?.waitFor();
    await eventually(async () => new Set(await lefts()).size === 1, 'one line of time');
    const card = await page.locator('section', { has: page.locator('.u-over') }).boundingBox();
    const [left = 0] = await lefts();
    expect(left - (card?.x ?? 0)).toBeLessThan(58);
    const ends = await Promise.all(
      graphs.map(async (graph) => {
        const box = await graph.boundingBox();
        return Math.round((card?.x ?? 0) + (card?.width ?? 0) - (box?.x ?? 0) - (box?.width ?? 0));
      }),
    );
    expect(new Set(ends).size).toBe(1);
    expect(ends[0]).toBeLessThan(36);
    await picture(page, 'history-axis-phone', { fullPage: true });
    expect(complaints).toEqual([]);
  });

  it('hides a line by its name in the legend, by a touch and by keys, and the axis follows what is shown', async () => {
    const { id } = await dashboard.relay.accessory('Climate Sensor');
    const types = ['relative_humidity', 'battery_level'];
    const series = types.map((type) => `series=${id}~${type}`).join('&');
    watched = await dashboard.open({ path: `/history?${series}&span=1h`, hasTouch: true, width: 390, height: 844 });
    const { page, complaints } = watched;
    const entries = page.getByRole('main').locator('ul button[aria-pressed]');
    const [humidity, battery] = [entries.filter({ hasText: 'Humidity' }), entries.filter({ hasText: 'Battery' })];
    await humidity.waitFor();
    await battery.waitFor();
    const isPressed = (name: typeof battery) => name.getAttribute('aria-pressed');
    const colors = await page.evaluate<string[]>(
      '[...document.querySelectorAll("ul button[aria-pressed] [aria-hidden]")].map((one) => getComputedStyle(one).color)',
    );
    expect(new Set(colors).size).toBe(2);
    // Of each line, from the top of its plot in shares of the height: none where it is hidden.
    const heights = () => page.evaluate<(number | null)[]>(heightsOf(colors));
    const [low = null, high = null] = await eventually(async () => {
      const [one = null, other = null] = await heights();
      return one !== null && other !== null && [one, other];
    }, 'both lines');
    // The battery has more percent: it is above.
    expect(high).toBeLessThan(low ?? 0);

    const box = await battery.boundingBox();
    expect(Math.min(box?.height ?? 0, box?.width ?? 0)).toBeGreaterThanOrEqual(44);
    await battery.tap();
    await expect.poll(() => isPressed(battery)).toBe('false');
    expect(await isPressed(humidity)).toBe('true');
    await eventually(async () => (await heights())[1] === null, 'the line to be hidden');
    // Alone it is in the middle.
    await eventually(async () => Number((await heights())[0]) < (low ?? 0), 'the axis to follow');
    const plot = page.getByRole('img', { name: /Climate Sensor: Humidity/ });
    await plot.focus();
    await page.keyboard.press('End');
    const entryOf = (name: string) => page.locator('li:has(> button[aria-pressed])').filter({ hasText: name });
    await entryOf('Humidity').filter({ hasText: '54' }).waitFor();
    expect(await entryOf('Battery').innerText()).not.toContain('76');
    await expectAccessible(page);
    await expectToFit(page);
    await picture(page, 'history-hidden-phone');

    // Also all of them, and each is back as it was.
    await humidity.press('Enter');
    await eventually(async () => (await heights()).every((height) => height === null), 'no line');
    await humidity.press(' ');
    await battery.press('Enter');
    await expect.poll(heights).toEqual([low, high]);
    expect(complaints).toEqual([]);
  });

  it('zooms by the wheel with Ctrl and by two fingers, and back by one button', async () => {
    const { id } = await dashboard.relay.accessory('Climate Sensor');
    const path = `/history?series=${id}~current_temperature&span=1h`;
    watched = await dashboard.open({ path, hasTouch: true });
    const { page, complaints } = watched;
    const plot = page.getByRole('img', { name: /Climate Sensor: Temperature/ });
    const reset = page.getByRole('button', { name: 'Reset zoom' });
    await plot.scrollIntoViewIfNeeded();
    const { x = 0, y = 0, width = 0, height = 0 } = (await plot.boundingBox()) ?? {};
    const middle = { x: x + width / 2, y: y + height / 3 };
    const spanOf = () => new URL(page.url()).searchParams.get('span') ?? '';
    await page.mouse.move(middle.x, middle.y);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -120);
    await page.keyboard.up('Control');
    await reset.waitFor();
    const byWheel = Number.parseInt(spanOf(), 10);
    expect(byWheel).toBeLessThan(3600);
    await expectAccessible(page);
    await reset.click();
    await reset.waitFor({ state: 'detached' });
    expect(spanOf()).toBe('1h');
    const fingers = async (type: 'touchStart' | 'touchMove', apart: number) => {
      const touchPoints = [-apart, apart].map((dx, index) => ({ x: middle.x + dx, y: middle.y, id: index }));
      await touch.send('Input.dispatchTouchEvent', { type, touchPoints });
    };
    const touch = await page.context().newCDPSession(page);
    await fingers('touchStart', 40);
    await fingers('touchMove', 60);
    await fingers('touchMove', 80);
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await reset.waitFor();
    await eventually(() => spanOf() === '1800s', 'half of the window');
    expect(complaints).toEqual([]);
  });
});
