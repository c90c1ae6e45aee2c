/** Settings that need no restart, as operations: who may, what is refused and with which words, what is kept. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RelaySettingStore } from '../../../src/app/settings/relay-setting-store.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { LiveConfig } from '../../../src/config/live-config.ts';
import { createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';
import { createUser } from '../../support/test-users.ts';

let home: TestHome;

beforeEach(() => {
  const live = new LiveConfig(loadConfig({ dataDir: '/nonexistent/hearthd', logLevel: 'warn' }, {}, false));
  home = createTestHome({ live });
});
afterEach(() => home.close());

const set = (changes: unknown) => () => home.relaySettings.update(systemCaller, changes);

describe('the settings of the relay', () => {
  it('are for the system and owners of every home, signed in', async () => {
    const owner = await createUser(home, { founder: true });
    const admin = await createUser(home, { name: 'Bob', role: 'admin' });
    expect(home.relaySettings.update(owner.caller, { history_max_mb: 50 })).toHaveLength(35);
    home.homes.create(systemCaller, { name: 'Cabin' });
    for (const caller of [admin.caller, tokenCaller()]) {
      expect(() => home.relaySettings.list(caller)).toThrow('Insufficient permissions');
      expect(() => home.relaySettings.update(caller, {})).toThrow('Insufficient permissions');
    }
    expect(home.live.current.historyMaxMb).toBe(50);
  });

  it.each([
    [{ log_level: 'debug' }, 'conflict', /log_level is set by --log-level, .* change it there/],
    [{ port: 80 }, 'conflict', /port holds from the start on: set it with --port, HEARTHD_PORT or port in the conf/],
    [{ colour: 'red' }, 'invalid_value', /There is no setting "colour"/],
    [{ history_max_mb: 'much' }, 'invalid_value', /history_max_mb: 'much' is not a number of megabytes/],
    [{ history_max_mb: 40, ntfy_token: 'tk_x' }, 'invalid_value', /ntfy_url: not set/],
    [{ public_url: ['https://a.example'] }, 'invalid_value', /Invalid value for public_url: give a text/],
    [{ allowed_host: [{}] }, 'invalid_value', /Invalid value for allowed_host: give a list/],
    ['log_level', 'invalid_value', /give an object/],
  ])('refuse %j with a sentence that helps, and then change nothing', (changes, code, sentence) => {
    expect(set(changes)).toThrow(expect.objectContaining({ code, message: expect.stringMatching(sentence) }));
    expect(home.live.current.historyMaxMb).toBe(500);
    expect(new RelaySettingStore(home.database).load().size).toBe(0);
  });

  it('lead http to https only once https answers', async () => {
    expect(set({ https_redirect: true })).toThrow(
      expect.objectContaining({ code: 'conflict', details: { reason: 'https_needed', field: 'https_redirect' } }),
    );
    expect(home.live.current.httpsRedirect).toBe(false);
    set({ https_redirect: false })();
    await home.https.turnOn(systemCaller, { source: 'own' });
    expect(home.https.status(systemCaller).redirectsHttp).toBe(false);
    set({ https_redirect: 'True' })();
    expect(home.live.current.httpsRedirect).toBe(true);
    expect(home.https.status(systemCaller).redirectsHttp).toBe(true);
    await home.https.turnOff(systemCaller);
    expect(home.https.status(systemCaller).redirectsHttp).toBe(false);
    set({ history_max_mb: 70 })();
    set({ https_redirect: null })();
  });

  it('are kept, sent to listeners, and removed with null', () => {
    const reported: unknown[] = [];
    home.bus.on('relay.settings_changed', (event) => reported.push(event));
    set({ history_max_mb: 60, allowed_host: ['a.example', 'b.example'], advertise: false })();
    set({ history_max_mb: null })();
    expect(home.live.current).toMatchObject({
      historyMaxMb: 500,
      allowedHosts: ['a.example', 'b.example'],
      advertise: false,
    });
    expect([...new RelaySettingStore(home.database).load()]).toEqual([
      ['advertise', ['false']],
      ['allowed_host', ['a.example', 'b.example']],
    ]);
    expect(reported).toHaveLength(2);
  });

  it('of another version are left alone, and harm nothing', () => {
    home.database.prepare(`INSERT INTO relay_settings VALUES ('of_another_version', '["x"]')`).run();
    set({ history_max_mb: 60 })();
    expect([...new RelaySettingStore(home.database).load().keys()]).toEqual(['history_max_mb', 'of_another_version']);
  });

  it('that rotted on the disk are none', () => {
    set({ history_max_mb: 60 })();
    home.database.prepare("UPDATE relay_settings SET words = '{'").run();
    expect(new RelaySettingStore(home.database).load().size).toBe(0);
  });
});
