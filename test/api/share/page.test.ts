/** The text and the offers of a share's page; how it looks and works in a browser is `test/browser/share.test.ts`. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prefersPage } from '../../../src/api/prefers-page.ts';
import { controlsOf } from '../../../src/api/share/controls.ts';
import { withoutShareHash } from '../../../src/api/share/share-routes.ts';
import { stateInWords } from '../../../src/api/share/state-words.ts';
import { texts } from '../../../src/api/share/texts.ts';
import type { Logger } from '../../../src/kernel/logger.ts';
import { plainSwitch } from '../../support/sample-accessories.ts';
import { systemCaller } from '../../support/test-home.ts';
import { createShareHome, type ShareHome, TestBrowser } from './share-home.ts';

let inventory: ShareHome;

beforeEach(() => {
  inventory = createShareHome();
});

afterEach(() => inventory.home.close());

async function page(path: string): Promise<string> {
  const response = await new TestBrowser(inventory.app).get(path);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  return response.text();
}

function set(accessory: string, settings: Record<string, unknown>) {
  return inventory.home.control.setProperties(systemCaller, [
    { accessoryId: inventory.home.named(accessory).id, settings },
  ]);
}

const words = (accessory: string): string => stateInWords(inventory.home.named(accessory), texts.en).words;

describe('state in words', () => {
  it.each([
    ['Lamp', { on: true, brightness: 40 }, 'On · 40%'],
    ['Lamp', { on: false }, 'Off'],
    ['Ceiling', { on: true }, 'On'],
    ['Heater', { on: true }, 'On'],
    ['Thermostat', {}, '20.5°C · Heating'],
    ['Front Door', {}, 'Locked'],
    ['Blind', {}, 'Closed'],
    ['Garage', {}, 'Closed'],
    ['Motion', {}, 'No motion'],
    ['Button', {}, ''],
  ])('of %s after %j: %s', async (accessory, settings, answered) => {
    await set(accessory, settings);
    expect(words(accessory)).toBe(answered);
  });

  it('shows the state of a lock, not its target, and of a jammed one that it is jammed', async () => {
    for (const [state, answered] of [
      [0, 'Unlocked'],
      [2, 'Jammed'],
      [3, 'State unknown'],
    ] as const) {
      inventory.home.driver.event('10:00:00:00:00:03', '1', '9', state);
      expect(words('Front Door')).toBe(answered);
    }
  });
});

describe('controls', () => {
  const offered = (accessory: string) =>
    controlsOf(inventory.home.named(accessory), texts.en).map(({ kind, property }) => `${property}: ${kind}`);

  it.each([
    ['Lamp', ['on: switch', 'brightness: range', 'hue: range', 'saturation: range']],
    ['Ceiling', ['on: switch', 'color_temp: range']],
    ['Thermostat', ['hvac_mode: choice', 'target_temp: step']],
    ['Front Door', ['lock_target: choice']],
    ['Blind', ['target: range']],
    ['Garage', ['target: choice']],
    ['Motion', []],
  ])('of %s', (accessory, controls) => {
    expect(offered(accessory)).toEqual(controls);
  });

  it('have the device’s own range', () => {
    const [, warmth] = controlsOf(inventory.home.named('Ceiling'), texts.en);
    expect(warmth).toMatchObject({ min: 153, max: 400, step: 1, value: 200 });
  });

  it('ask before what opens the home, and not before what closes it', () => {
    for (const accessory of ['Front Door', 'Garage']) {
      const [control] = controlsOf(inventory.home.named(accessory), texts.en);
      const choices = control?.kind === 'choice' ? control.choices : [];
      expect(choices.map(({ confirm }) => confirm !== undefined)).toEqual([false, true]);
    }
  });

  it('of virtual accessories are there for every kind', async () => {
    const { home } = inventory;
    const make = (name: string, input: Record<string, unknown>) =>
      home.virtuals.create(systemCaller, { homeId: home.home.id, name, ...input } as never);
    make('Away', { type: 'input_boolean' });
    make('Mode', { type: 'input_select', options: ['Day', 'Night'] });
    make('Visitors', { type: 'counter' });
    make('Egg', { type: 'timer', duration: 300 });
    make('Level', { type: 'input_number' });
    make('Note', { type: 'input_text' });
    make('Alarm', { type: 'input_datetime', hasDate: false, hasTime: true });
    expect(['Away', 'Mode', 'Visitors', 'Egg', 'Level', 'Note', 'Alarm'].flatMap(offered)).toEqual([
      'on: switch',
      'virtual_mode: choice',
      'virtual_count: step',
      'virtual_timer: choice',
      'virtual_number: step',
      'virtual_text: text',
      'virtual_datetime: text',
    ]);
  });
});

describe('the page', () => {
  it('has no script where none is built, and none in it ever', async () => {
    const response = await new TestBrowser(inventory.app).get(await inventory.share('Lamp'));
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    const html = await response.text();
    expect(html).not.toMatch(/<script|\son\w+=|style=|javascript:/);
  });

  it('shows names as text, regardless of their content', async () => {
    const link = await inventory.share('Lamp');
    const name = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
    inventory.home.accessories.update(systemCaller, inventory.home.named('Lamp').id, { name });
    const html = await page(link);
    expect(html).not.toMatch(/<script|<img src=x/);
    expect(html).toContain('&lt;script&gt;');
  });

  it('greys out what can’t be reached, and takes its controls away', async () => {
    const link = await inventory.share('Lamp');
    inventory.home.driver.setReachable('10:00:00:00:00:01', false);
    const html = await page(link);
    expect(html).toContain('data-away');
    expect(html).toContain('<fieldset disabled');
    expect(html).toContain('Not reachable');
  });

  it('makes the action of a lock stand out, and of other choices the state', async () => {
    expect(await page(await inventory.share('Front Door', { role: 'control' }))).toContain('data-opposite');
    expect(await page(await inventory.share('Thermostat', { role: 'control' }))).not.toContain('data-opposite');
  });

  it('shows until when the link works, in the zone of its schedule', async () => {
    expect(await page(await inventory.share('Ceiling'))).not.toContain('It is yours until');
    const accessSchedule = { expires_at: '2099-01-02T10:00', timezone: 'Europe/Berlin' };
    const html = await page(await inventory.share('Lamp', { role: 'control', accessSchedule }));
    expect(html).toMatch(/You can control what is shown here\. It is yours until Fri, (2 Jan|Jan 2), 10:00/);
  });

  it('shows that the home is offline, and offers nothing to visitors who may only view', async () => {
    const link = await inventory.share('Lamp', { role: 'view' });
    inventory.home.registry.setConnected(inventory.home.home.id, false);
    const html = await page(link);
    expect(html).toMatch(/class="notice warn away">/);
    expect(html).not.toContain('<button');
  });

  it('stays small and quick with a hundred accessories', async () => {
    for (let n = 1; n <= 100; n += 1) {
      const deviceId = `30:00:00:00:00:${n.toString(16).padStart(2, '0')}`;
      const accessories = [plainSwitch(`Switch ${n}`)];
      inventory.home.driver.attach(inventory.home.home.id, {
        deviceId,
        name: `Switch ${n}`,
        setupCode: '031-45-161',
        accessories,
      });
    }
    const html = await page(await inventory.shareEntity('home', inventory.home.home.id));
    expect(html.match(/class="card"/g)?.length).toBeGreaterThanOrEqual(100);
    expect(html.length).toBeLessThan(400_000);
  });

  it('is for people, JSON for all others', () => {
    expect(prefersPage('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8')).toBe(true);
    expect(prefersPage('text/html')).toBe(true);
    for (const accept of [
      undefined,
      '',
      '*/*',
      'application/json',
      'application/json, text/html',
      'text/html;q=0.5, */*',
    ]) {
      expect([accept, prefersPage(accept)]).toEqual([accept, false]);
    }
  });
});

describe('the QR code', () => {
  it('is a picture of the share’s address, and does nothing', async () => {
    const link = await inventory.share('Lamp', { accessType: 'passcode', passcode: 'fir tree' });
    const { status, headers, text } = await inventory.client.get(`${link}/qr.svg`);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(text).toMatch(/^<svg [^>]*viewBox="0 0 \d+ \d+">.*<\/svg>$/s);
    expect(text).not.toMatch(/<script|href|style/);
  });
});

describe('the log', () => {
  it('never has the hash of a share, nor a passcode', async () => {
    expect(withoutShareHash('/s/abc/unlock')).toBe('/s/…/unlock');
    expect(withoutShareHash('/rest/state')).toBe('/rest/state');
    const lines: unknown[] = [];
    const note = (...line: unknown[]) => void lines.push(line);
    const logger = { error: note, warn: note, info: note, debug: note, child: () => logger } as unknown as Logger;
    const broken = createShareHome({ logger });
    const link = await broken.share('Lamp', { accessType: 'passcode', passcode: 'fir tree' });
    broken.home.shares.open = () => Promise.reject(new Error('broken'));
    expect((await broken.client.get(`${link}?passcode=fir%20tree`)).status).toBe(500);
    expect((await new TestBrowser(broken.app).get(`${link}?passcode=fir%20tree`)).status).toBe(500);
    const text = JSON.stringify(lines);
    expect(lines).toHaveLength(2);
    expect(text).not.toContain(link.slice('/s/'.length));
    expect(text).not.toMatch(/fir.{1,3}tree/);
    broken.home.close();
  });
});
