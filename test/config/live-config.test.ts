import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { LiveConfig } from '../../src/config/live-config.ts';
import type { SettingName } from '../../src/config/setting.ts';
import { SETTINGS } from '../../src/config/settings.ts';

const NOWHERE = '/nonexistent/hearthd';

function open(flags: object = {}, variables: Record<string, string> = {}): LiveConfig {
  return new LiveConfig(loadConfig({ dataDir: NOWHERE, ...flags }, variables, false));
}

const words = (settings: Partial<Record<SettingName, string[]>>) => new Map(Object.entries(settings)) as never;

describe('the configuration while the daemon runs', () => {
  it('takes what was stored if nothing else sets it, and only of settings that need no restart', () => {
    const live = open({ logLevel: 'warn' }, { HEARTHD_PUBLIC_URL: 'https://a.example' });
    const problems = live.restore(
      new Map([
        ['log_level', ['debug']],
        ['public_url', ['https://b.example']],
        ['history_max_mb', ['77']],
        ['port', ['1']],
        ['of_another_version', ['x']],
      ]),
    );
    expect(problems).toEqual([]);
    const { logLevel, publicUrl, historyMaxMb, port } = live.current;
    expect({ logLevel, publicUrl, historyMaxMb, port }).toEqual({
      logLevel: 'warn',
      publicUrl: 'https://a.example',
      historyMaxMb: 77,
      port: 5656,
    });
  });

  it('leaves out what was stored and is no longer valid, and reports it', () => {
    const live = open();
    expect(
      live.restore(
        new Map([
          ['history_max_mb', ['much']],
          ['log_level', ['debug']],
        ]),
      ),
    ).toEqual(["history_max_mb: 'much' is not a number of megabytes. Give a whole number from 10 to 1000000."]);
    expect(live.current.logLevel).toBe('debug');
  });

  it('leaves out what is no good together and nothing else, and takes it once it is', () => {
    const live = open();
    const stored = new Map([
      ['email_to', ['a@example.org']],
      ['public_url', ['https://a.example']],
      ['of_another_version', ['x']],
    ]);
    expect(live.restore(stored)).toEqual([expect.stringMatching(/^smtp_url/), expect.stringMatching(/^email_from/)]);
    expect(live.current).toMatchObject({ email: null, publicUrl: 'https://a.example' });
    live.prepare(stored.set('log_level', ['debug']))();
    expect([live.current.logLevel, live.problems.length]).toEqual(['debug', 2]);
    expect(() => live.prepare(stored.set('smtp_url', ['smtp://mail.example']))).toThrow(/email_from/);
    expect(live.problems).toHaveLength(2);
    live.prepare(stored.set('email_from', ['b@example.org']))();
    expect([live.current.email?.to, live.problems]).toEqual([['a@example.org'], []]);
  });

  it('notifies listeners of a change, and leaves what did not change the same', () => {
    const live = open();
    live.prepare(words({ ntfy_url: ['https://ntfy.sh/house'], allowed_host: ['a.example', 'b.example'] }))();
    const seen: boolean[] = [];
    const end = live.onChange((now, before) => seen.push(now.ntfy === before.ntfy, now.logLevel === before.logLevel));
    live.prepare(words({ ntfy_url: ['https://ntfy.sh/house'], log_level: ['debug'] }))();
    end();
    live.prepare(words({}))();
    expect(seen).toEqual([true, false]);
    expect(live.current).toMatchObject({ ntfy: null, allowedHosts: [], logLevel: 'info' });
  });

  it('refuses what does not go together, and then changes nothing', () => {
    const live = open();
    expect(() => live.prepare(words({ ntfy_token: ['tk_x'] }))).toThrow(/ntfy_url: not set/);
    expect(() => live.prepare(words({ smtp_url: ['no address'] }))).toThrow(/smtp_url: '…' is not the address/);
    expect(live.current.ntfy).toBeNull();
  });

  it('shows every setting with its source, secrets only by whether they are set', () => {
    const live = open({ port: '8080' }, { HEARTHD_MQTT_URL: 'mqtt://ada:secret@broker' });
    live.prepare(words({ log_level: ['warn'], ntfy_url: ['https://ntfy.sh/secret-topic'] }))();
    const shown = new Map(live.list().map((setting) => [setting.name, setting]));
    expect([...shown.keys()]).toEqual(SETTINGS.map(({ name }) => name));
    const reported = (name: SettingName) => {
      const { value, isSet, source, setBy } = shown.get(name) ?? {};
      return [value, isSet, source, setBy];
    };
    expect(reported('port')).toEqual([8080, true, 'flag', '--port']);
    expect(reported('mqtt_url')).toEqual([null, true, 'environment', 'HEARTHD_MQTT_URL']);
    expect(reported('ntfy_url')).toEqual([null, true, 'stored', null]);
    expect(reported('smtp_url')).toEqual([null, false, 'default', null]);
    expect(reported('log_level')).toEqual(['warn', true, 'stored', null]);
    expect(reported('allowed_host')).toEqual([[], false, 'default', null]);
    expect(JSON.stringify(live.list())).not.toContain('secret');
    expect(shown.get('port')?.howToSet).toBe('--port, HEARTHD_PORT or port in the configuration file');
  });
});
