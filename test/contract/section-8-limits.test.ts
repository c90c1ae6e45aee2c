/**
 * API §8 and §9 as far as they concern what there is: the table of limits, through the APIs, and addresses without a
 * version.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_PORT } from '../../src/config/settings.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { characteristic, information, service } from '../support/sample-accessories.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';

const HOUR_MS = 3_600_000;

let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
});
afterEach(() => home.close());

describe('API §8', () => {
  it.each([
    ['brightness', '8', 0, 100],
    ['saturation', '2F', 0, 100],
    ['speed', '29', 0, 100],
    ['volume', '119', 0, 100],
    ['target', '7C', 0, 100],
    ['hue', '13', 0, 360],
    ['color_temp', 'CE', 140, 500],
  ])('%s is within its limits, also on a device that names none', async (property, type, least, most) => {
    const services = [information('Thing'), service('8', '43', [characteristic('9', type, 'int', least)])];
    const accessories = [{ aid: '1', name: 'Thing', category: 1, services }];
    home.driver.attach(home.home.id, { deviceId: 'DD', name: 'Thing', setupCode: '1', accessories });
    const where = { home: 'My Home', room: 'Default Room', accessory: 'Thing' };
    for (const good of [least, most]) {
      expect((await rest.post('/rest/state', { ...where, [property]: good })).body.updated).toBe(1);
    }
    for (const bad of [least - 1, most + 1]) {
      const { body } = await rest.post('/rest/state', { ...where, [property]: bad });
      expect(body.errors).toEqual([expect.stringContaining(`Invalid value ${bad} for ${property}`)]);
    }
    expect(home.driver.writes).toHaveLength(2);
  });

  it('History `hours` default 24, `max_points` default 200, up to 6 characteristics when none is named', async () => {
    home.history.setEnabled(systemCaller, home.home.id, true);
    const { from, to, series } = (await rest.get('/rest/history?accessory=thermostat')).body;
    expect(Date.parse(to) - Date.parse(from)).toBe(24 * HOUR_MS);
    expect(series.length).toBeLessThanOrEqual(6);
    const { parameters } = (await rest.get('/openapi.json')).body.paths['/rest/history'].get;
    const defaults = new Map(
      parameters.map(({ name, schema }: { name: string; schema: { default?: number } }) => [name, schema.default]),
    );
    expect([defaults.get('hours'), defaults.get('max_points')]).toEqual([24, 200]);
  });

  it('an access token lasts until revoked or `expiresAt`', async () => {
    const { token, accessToken } = (await rest.post('/rest/tokens', { name: 'Panel' })).body;
    const panel = createRestClient(createTestApi(home), token);
    home.clock.jumpWallClock(10 * 365 * 24 * HOUR_MS);
    expect((await panel.get('/rest/homes')).status).toBe(200);
    await rest.delete(`/rest/tokens/${accessToken.id}`);
    expect((await panel.get('/rest/homes')).status).toBe(401);
  });

  it('a scene name must end with a letter or a number', async () => {
    const actions = [{ accessoryId: home.named('Lamp').id, characteristicType: 'on', targetValue: true }];
    const name = async (text: string) =>
      (await rest.post('/rest/scenes', { homeId: home.home.id, name: text, actions })).status;
    expect([await name('Movie!'), await name('Movie'), await name('Movie 2')]).toEqual([422, 200, 200]);
  });

  it('Community edition port 5656', () => {
    expect(DEFAULT_PORT).toBe(5656);
  });
});

describe('API §9', () => {
  it('carries no version segment in its paths', async () => {
    const paths = Object.keys((await rest.get('/openapi.json')).body.paths);
    expect(paths.filter((path) => /\/v\d/.test(path))).toEqual([]);
  });
});
