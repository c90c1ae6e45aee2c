import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Config, loadConfig, locateDataDir } from '../../src/config/config.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { ConfigError, type ConfigFlags } from '../../src/config/settings-reader.ts';

let scratch: string;
let pem: string;
let toml: string;

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'hearthd-config-'));
  pem = join(scratch, 'some.pem');
  toml = join(scratch, 'test.toml');
  writeFileSync(pem, 'PEM');
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Nothing of this machine: HOME is a scratch folder. */
const load = (flags: ConfigFlags = {}, variables: Record<string, string> = {}, isTerminal = false): Config =>
  loadConfig(flags, { HOME: scratch, ...variables }, isTerminal);

function problemsOf(flags: ConfigFlags, variables: Record<string, string> = {}): readonly string[] {
  try {
    load(flags, variables);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const camel = (name: string): string => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

interface Row {
  readonly setting: string;
  readonly good: string;
  readonly read: (config: Config) => unknown;
  readonly value: () => unknown;
  readonly bad: readonly string[];
  readonly fix: RegExp;
  /** What else must be set for the valid word to be accepted. */
  readonly with?: () => ConfigFlags;
  /** Never shown. */
  readonly secret?: true;
}

const ROWS: readonly Row[] = [
  {
    setting: 'port',
    good: '8080',
    read: ({ port }) => port,
    value: () => 8080,
    bad: ['65536', '-1', '80a', '1.5', '0x50', '1e3', '999999'],
    fix: /Give a whole number from 0 to 65535/,
  },
  {
    setting: 'https_port',
    good: '8443',
    read: ({ httpsPort }) => httpsPort,
    value: () => 8443,
    bad: ['65536', '-1', '80a', '1.5', '0x50'],
    fix: /Give a whole number from 0 to 65535/,
  },
  {
    setting: 'ws_port',
    good: '8081',
    read: ({ wsPort }) => wsPort,
    value: () => 8081,
    bad: ['65536', '-1', '80a', '1.5', '0x50'],
    fix: /Give a whole number from 0 to 65535/,
  },
  {
    setting: 'host',
    good: '127.0.0.1,[::1]',
    read: ({ host }) => host,
    value: () => ['127.0.0.1', '::1'],
    bad: ['127.0.0.1:5656', '*', 'a b', '-x'],
    fix: /Give (an IP address|the address alone)/,
  },
  {
    setting: 'interface',
    good: 'eth0,lo',
    read: ({ interfaces }) => interfaces,
    value: () => ['eth0', 'lo'],
    bad: ['/dev/eth0', 'a b', '192.168.1.4', 'averyveryverylongname'],
    fix: /such as eth0/,
  },
  {
    setting: 'manual_device',
    good: 'lamp.local:51826, [fe80::1]:80',
    read: ({ manualDevices }) => manualDevices,
    value: () => ['lamp.local:51826', '[fe80::1]:80'],
    bad: ['lamp.local', 'lamp.local:0', '10.0.0.1:70000', 'fe80::1:80', ':80'],
    fix: /Write it like 192\.168\.1\.20:51826/,
  },
  {
    setting: 'second_step_required_for',
    good: 'Admins',
    read: ({ secondStepRequiredFor }) => secondStepRequiredFor,
    value: () => 'admins',
    bad: ['everyone', 'admin s', '1'],
    fix: /Give one of: none, owners, admins, all/,
  },
  {
    setting: 'log_level',
    good: 'WARN',
    read: ({ logLevel }) => logLevel,
    value: () => 'warn',
    bad: ['verbose', 'wran', '3'],
    fix: /Give one of: debug, info, warn, error, silent/,
  },
  {
    setting: 'log_format',
    good: 'json',
    read: ({ logFormat }) => logFormat,
    value: () => 'json',
    bad: ['xml', 'jsno'],
    fix: /Give one of: pretty, json/,
  },
  {
    setting: 'history_max_mb',
    good: '2000',
    read: ({ historyMaxMb }) => historyMaxMb,
    value: () => 2000,
    bad: ['9', '-500', '1.5', '500MB', '1000001'],
    fix: /Give a whole number from 10 to 1000000/,
  },
  {
    setting: 'automation_runs_per_minute',
    good: '60',
    read: ({ automationRunsPerMinute }) => automationRunsPerMinute,
    value: () => 60,
    bad: ['0', '-1', '1.5', 'many', '10001'],
    fix: /Give a whole number from 1 to 10000/,
  },
  {
    setting: 'automation_late_minutes',
    good: '0',
    read: ({ automationLateMinutes }) => automationLateMinutes,
    value: () => 0,
    bad: ['-1', '5m', '1441'],
    fix: /Give a whole number from 0 to 1440/,
  },
  {
    setting: 'oauth_refresh_grace_seconds',
    good: '30',
    read: ({ oauthRefreshGraceSeconds }) => oauthRefreshGraceSeconds,
    value: () => 30,
    bad: ['-1', '1.5', '30s', '301'],
    fix: /Give a whole number from 0 to 300/,
  },
  {
    setting: 'public_url',
    good: 'https://Home.example.org/',
    read: ({ publicUrl }) => publicUrl,
    value: () => 'https://home.example.org',
    bad: ['home.example.org', 'ftp://x', 'https://x/path', 'https://u:p@x', 'https://x/?q'],
    fix: /Write it like https:\/\/home\.example\.org/,
  },
  {
    setting: 'trusted_proxy',
    good: '127.0.0.1, 10.0.0.0/8, fd00::/8',
    read: ({ trustedProxies }) => trustedProxies,
    value: () => ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'],
    bad: ['10.0.0.0/33', 'proxy', '10.0.0.0/8/8', '10.0.0.0/'],
    fix: /Write it like 127\.0\.0\.1/,
  },
  {
    setting: 'allowed_host',
    good: 'Home.Example.org,pi',
    read: ({ allowedHosts }) => allowedHosts,
    value: () => ['home.example.org', 'pi'],
    bad: ['https://x', 'x:80', 'a/b', '*.example.org'],
    fix: /Give the name alone/,
  },
  {
    setting: 'allowed_origin',
    good: 'https://panel.example.org:8443',
    read: ({ allowedOrigins }) => allowedOrigins,
    value: () => ['https://panel.example.org:8443'],
    bad: ['*', 'null', 'panel.example.org', 'file:///x'],
    fix: /Write it like/,
  },
  {
    setting: 'acme_directory',
    good: 'https://ca.example.org/acme/directory',
    read: ({ acme }) => acme.directory,
    value: () => 'https://ca.example.org/acme/directory',
    bad: ['http://ca.example.org/directory', 'ca.example.org', 'https://me:pass@ca.example.org/', 'https://a.b/#c'],
    fix: /Write it like https:\/\/acme-v02/,
  },
  {
    setting: 'acme_dns_hook',
    good: '/bin/sh',
    read: ({ acme }) => acme.hook,
    value: () => '/bin/sh',
    bad: ['/nowhere/hook'],
    fix: /Give the path of a program that this user may run/,
  },
  {
    setting: 'acme_ca',
    good: 'PEM',
    read: ({ acme }) => acme.ca,
    value: () => pem,
    bad: ['/nowhere/ca.pem'],
    fix: /Give the path of a PEM file/,
  },
  {
    setting: 'tls_cert',
    good: 'PEM',
    read: ({ tls }) => tls?.cert,
    value: () => pem,
    bad: ['/nowhere/cert.pem'],
    fix: /Give the path of a PEM file/,
    with: () => ({ tlsKey: pem }),
  },
  {
    setting: 'tls_key',
    good: 'PEM',
    read: ({ tls }) => tls?.key,
    value: () => pem,
    bad: ['/nowhere/key.pem'],
    fix: /Give the path of a PEM file/,
    with: () => ({ tlsCert: pem }),
  },
  {
    setting: 'advertise',
    good: 'False',
    read: ({ advertise }) => advertise,
    value: () => false,
    bad: ['no', '0', 'off'],
    fix: /Give one of: true, false/,
  },
  {
    setting: 'webhooks_allow_loopback',
    good: 'True',
    read: ({ webhooksAllowLoopback }) => webhooksAllowLoopback,
    value: () => true,
    bad: ['yes', '1', 'on'],
    fix: /Give one of: true, false/,
  },
  {
    setting: 'webhooks_public_only',
    good: 'TRUE',
    read: ({ webhooksPublicOnly }) => webhooksPublicOnly,
    value: () => true,
    bad: ['yes', '1', 'on'],
    fix: /Give one of: true, false/,
  },
  {
    setting: 'https_redirect',
    good: 'True',
    read: ({ httpsRedirect }) => httpsRedirect,
    value: () => true,
    bad: ['yes', '1', 'on'],
    fix: /Give one of: true, false/,
  },
  {
    setting: 'update_check',
    good: 'True',
    read: ({ updateCheck }) => updateCheck,
    value: () => true,
    bad: ['yes', '1', 'on'],
    fix: /Give one of: true, false/,
  },
  {
    setting: 'mqtt_url',
    good: 'mqtts://ada:p%40ss@Broker.local',
    read: ({ mqtt }) => mqtt,
    value: () => ({
      ...{ host: 'broker.local', port: 8883, username: 'ada', password: 'p@ss', useTls: true, ca: null },
    }),
    bad: [
      'broker.local',
      'https://broker.local',
      'mqtt://:secret@broker.local',
      'mqtt://broker.local/topic',
      'mqtt://broker.local:0',
      'mqtt://u:p%zz@broker.local',
      'mqtt://bro ker',
    ],
    fix: /Write it like mqtt:/,
    secret: true,
  },
  {
    setting: 'mqtt_ca',
    good: 'PEM',
    read: ({ mqtt }) => mqtt?.ca,
    value: () => pem,
    bad: ['/nowhere.pem'],
    fix: /Give the path of a PEM file/,
    with: () => ({ mqttUrl: 'mqtts://broker.local' }),
  },
  {
    setting: 'ntfy_url',
    good: 'https://ntfy.example.org/push/my_house-1',
    read: ({ ntfy }) => ntfy,
    value: () => ({ url: 'https://ntfy.example.org/push/my_house-1', token: null }),
    bad: [
      'ntfy.sh/house',
      'https://push.example.org',
      'https://ntfy.sh/a b',
      'https://u:p@ntfy.sh/house',
      'ftp://ntfy.sh/house',
    ],
    fix: /Write it like https:\/\/ntfy\.sh\/topic/,
    secret: true,
  },
  {
    setting: 'ntfy_token',
    good: 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2',
    read: ({ ntfy }) => ntfy?.token,
    value: () => 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2',
    bad: ['tk with spaces', 'tk_schlüssel'],
    fix: /Give an access token/,
    with: () => ({ ntfyUrl: 'https://ntfy.sh/house' }),
    secret: true,
  },
  {
    setting: 'smtp_url',
    good: 'smtps://anna%40example.org:p%3Aw@Mail.example.org',
    read: ({ email }) => email?.smtpUrl,
    value: () => 'smtps://anna%40example.org:p%3Aw@Mail.example.org',
    bad: [
      'mail.example.net',
      'https://mail.example.net',
      'smtp://user@mail',
      'smtp://u:p%zz@mail',
      'smtp://mäil',
      'smtp://mail/box',
    ],
    fix: /Write it like smtps:/,
    with: () => ({ emailFrom: 'pi@example.org', emailTo: 'anna@example.org' }),
    secret: true,
  },
  {
    setting: 'email_from',
    good: 'pi@example.org',
    read: ({ email }) => email?.from,
    value: () => 'pi@example.org',
    bad: ['pi', 'Pi <pi@example.org>', 'a@b@c'],
    fix: /Give the address alone/,
    with: () => ({ smtpUrl: 'smtp://mail', emailTo: 'anna@example.org' }),
  },
  {
    setting: 'email_to',
    good: 'anna@example.org, jo@example.org',
    read: ({ email }) => email?.to,
    value: () => ['anna@example.org', 'jo@example.org'],
    bad: ['anna', 'Anna <anna@example.org>', 'x@y z'],
    fix: /Give the address alone/,
    with: () => ({ smtpUrl: 'smtp://mail', emailFrom: 'pi@example.org' }),
  },
  {
    setting: 'data_dir',
    good: '/srv/hearthd/../home',
    read: ({ dataDir }) => dataDir,
    value: () => '/srv/home',
    bad: ['  ', '~', '~/hearthd', '~pi/hearthd'],
    fix: /Give the (path of a directory|whole path)/,
  },
];

/** Sets `setting` to `word` through one of the three sources. */
function answer(
  source: 'flag' | 'environment' | 'file',
  row: Row,
  word: string,
): [ConfigFlags, Record<string, string>] {
  const more = row.with?.() ?? {};
  const givenSetting = word === 'PEM' ? pem : word;
  if (source === 'flag') return [{ ...more, [camel(row.setting)]: givenSetting }, {}];
  if (source === 'environment') return [more, { [`HEARTHD_${row.setting.toUpperCase()}`]: givenSetting }];
  writeFileSync(toml, `${row.setting} = ${JSON.stringify(givenSetting)}\n`);
  return [{ ...more, config: toml }, {}];
}

const SOURCES = ['flag', 'environment', 'file'] as const;

describe('every setting', () => {
  it('is in this table', () => {
    expect(ROWS.map(({ setting }) => setting).sort()).toEqual(SETTINGS.map(({ name }) => name).sort());
  });

  for (const row of ROWS) {
    for (const source of SOURCES) {
      it(`${row.setting} is taken from the ${source}`, () => {
        expect(row.read(load(...answer(source, row, row.good)))).toEqual(row.value());
      });

      it.each(row.bad)(
        `${row.setting}: '%s' from the ${source} is refused with its name, its origin and the fix`,
        (bad) => {
          const [problem = '', ...others] = problemsOf(...answer(source, row, bad));
          const origin = {
            flag: `--${row.setting.replaceAll('_', '-')}`,
            environment: `HEARTHD_${row.setting.toUpperCase()}`,
            file: toml,
          }[source];
          expect(others).toEqual([]);
          expect(problem).toMatch(new RegExp(`^${row.setting}: '`));
          if (row.secret) expect(problem).not.toContain(bad);
          else expect(problem).toContain(`'${bad}'`);
          expect(problem).toContain(origin);
          expect(problem).toMatch(row.fix);
          expect(problem).not.toContain('\n');
        },
      );
    }
  }
});

describe('precedence', () => {
  it('puts flags over environment over file over default', () => {
    writeFileSync(toml, 'port = 3\n');
    expect(load({ config: toml, port: '1' }, { HEARTHD_PORT: '2' }).port).toBe(1);
    expect(load({ config: toml }, { HEARTHD_PORT: '2' }).port).toBe(2);
    expect(load({}, { HEARTHD_CONFIG: toml }).port).toBe(3);
    expect(load().port).toBe(5656);
  });

  it('puts WebSockets on the port after the HTTP port, and on any free one beside one that is picked', () => {
    expect(load().wsPort).toBe(5657);
    expect(load({ port: '8080' }).wsPort).toBe(8081);
    expect(load({ port: '0' }).wsPort).toBe(0);
    expect(load({ port: '8080', wsPort: '0' }).wsPort).toBe(0);
    expect(problemsOf({ port: '65535' })).toEqual([
      'ws_port: not set, and there is no port after 65535: set it as well.',
    ]);
    expect(problemsOf({ port: '8080', wsPort: '8080' })).toEqual([
      'ws_port: the same as port. Give WebSockets a port of their own.',
    ]);
  });

  it('serves https on the port after that of WebSockets, unless set', () => {
    expect(load().httpsPort).toBe(5658);
    expect(load({ wsPort: '5658' }).httpsPort).toBe(5657);
    expect(load({ port: '0' }).httpsPort).toBe(0);
    expect(load({ port: '65533', wsPort: '1024' }).httpsPort).toBe(65_535);
    expect(load({ port: '65534', wsPort: '1024' }).httpsPort).toBe(0);
    const fault = ['https_port: the same as port or ws_port. Give https a port of its own.'];
    expect(problemsOf({ port: '8080', httpsPort: '8080' })).toEqual(fault);
    expect(problemsOf({ port: '8080', httpsPort: '8081' })).toEqual(fault);
  });

  it('takes an empty variable for one that is not set', () => {
    expect(load({}, { HEARTHD_PORT: '' }).port).toBe(5656);
  });

  it('finds the data directory by flag, variable, systemd, XDG and HOME, in this order', () => {
    const variables = { HEARTHD_DATA_DIR: '/b', STATE_DIRECTORY: '/c:/cc', XDG_DATA_HOME: '/d', HOME: '/e' };
    const without = (...names: string[]): Record<string, string> =>
      Object.fromEntries(Object.entries(variables).filter(([name]) => !names.includes(name)));
    const dir = (given: Record<string, string>, flags: ConfigFlags = {}): string => loadConfig(flags, given).dataDir;
    expect(dir(variables, { dataDir: '/a' })).toBe('/a');
    expect(dir(variables)).toBe('/b');
    expect(dir(without('HEARTHD_DATA_DIR'))).toBe('/c');
    expect(dir(without('HEARTHD_DATA_DIR', 'STATE_DIRECTORY'))).toBe('/d/hearthd');
    expect(dir({ HOME: '/e', XDG_DATA_HOME: 'relative' })).toBe('/e/.local/share/hearthd');
    expect(() => dir({})).toThrow(/data_dir: not set.*--data-dir or HEARTHD_DATA_DIR/);
  });

  it('reads hearthd.toml in the data directory by default', () => {
    const dataDir = join(scratch, 'own');
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(
      join(dataDir, 'hearthd.toml'),
      'port = 0\ninterface = ["lo"]\ntls_cert = "../some.pem"\ntls_key = "../some.pem"\n',
    );
    expect(load({ dataDir })).toMatchObject({ port: 0, interfaces: ['lo'], tls: { cert: pem, key: pem } });
    writeFileSync(join(dataDir, 'hearthd.toml'), 'data_dir = "/elsewhere"\n');
    expect(problemsOf({ dataDir })).toEqual([expect.stringMatching(/^data_dir: can't be set in .*Use --data-dir/)]);
  });

  it('logs pretty on a terminal and JSON elsewhere, by default', () => {
    expect(load({}, {}, true).logFormat).toBe('pretty');
    expect(load({}, {}, false).logFormat).toBe('json');
    expect(load({ logFormat: 'json' }, {}, true).logFormat).toBe('json');
  });
});

describe('a switch', () => {
  it.each([
    ['true', true],
    ['false', false],
    ['"true"', true],
  ])('is taken from the file as %s', (word, expected) => {
    writeFileSync(toml, `webhooks_allow_loopback = ${word}\n`);
    expect(load({ config: toml }).webhooksAllowLoopback).toBe(expected);
  });

  it('is off by default', () => {
    expect(load().webhooksAllowLoopback).toBe(false);
  });
});

describe('what is refused', () => {
  it('names an unknown variable and the one that was meant', () => {
    expect(problemsOf({}, { HEARTHD_LOGLEVEL: 'info' })).toEqual([
      'HEARTHD_LOGLEVEL: there is no such setting (environment). Did you mean HEARTHD_LOG_LEVEL?',
    ]);
  });

  it.each(['HEARTHD_SERVICE_HOST', 'HEARTHD_REQUIRE_ALL', 'HEARTHD_'])(
    'leaves %s alone, which resembles no setting',
    (name) => {
      expect(problemsOf({}, { [name]: '1' })).toEqual([]);
    },
  );

  it.each([
    ['HEARTHD_INTERFACES', 'HEARTHD_INTERFACE'],
    ['HEARTHD_PROT', 'HEARTHD_PORT'],
    ['HEARTHD_DATADIR', 'HEARTHD_DATA_DIR'],
    ['HEARTHD_CONFG', 'HEARTHD_CONFIG'],
  ])('takes %s for a mistyped %s', (name, meant) => {
    expect(problemsOf({}, { [name]: '1' })).toEqual([
      `${name}: there is no such setting (environment). Did you mean ${meant}?`,
    ]);
  });

  it('names an unknown key of the file and the one that was meant', () => {
    writeFileSync(toml, 'log-level = "info"\n[tls]\ncert = "x"\n');
    const problems = problemsOf({ config: toml });
    expect(problems[0]).toBe(`log-level: there is no such setting (${toml}). Did you mean log_level?`);
    expect(problems[1]).toMatch(/^tls: there is no such setting .*; or remove the line\.$/);
  });

  it('names the place of a syntax error in the file', () => {
    writeFileSync(toml, 'port = 1\nhost = [\n');
    expect(problemsOf({ config: toml })).toEqual([
      expect.stringMatching(/test\.toml is not valid TOML at line \d+, column \d+: /),
    ]);
  });

  it('names a file that is not there, and who named it', () => {
    expect(problemsOf({ config: '/nowhere.toml' })).toEqual([
      expect.stringMatching(/^config: '\/nowhere\.toml' from --config does not exist/),
    ]);
    expect(problemsOf({}, { HEARTHD_CONFIG: '/nowhere.toml' })[0]).toContain('from HEARTHD_CONFIG');
  });

  it.each([
    ['port = true', /^port: the value from port in .* is of the wrong kind\. Give a text or a number\.$/],
    ['port = [1, 2]', /^port: a list from .* where one value belongs/],
    ['host = [true]', /^host: the value from .*Give a text or a list of texts/],
    ['port = 1.5', /^port: '1\.5' from .*Give a whole number/],
    ['webhooks_allow_loopback = 1', /^webhooks_allow_loopback: the value from .*Give true or false\.$/],
  ])('refuses %s in the file', (line, message) => {
    writeFileSync(toml, `${line}\n`);
    expect(problemsOf({ config: toml })).toEqual([expect.stringMatching(message)]);
  });

  it('wants both halves of TLS', () => {
    expect(problemsOf({ tlsCert: pem })).toEqual([
      'tls_key: not set, but tls_cert is. TLS needs both: set --tls-key as well.',
    ]);
    expect(problemsOf({}, { HEARTHD_TLS_KEY: pem })[0]).toMatch(/^tls_cert: not set/);
  });

  it('wants all of what e-mail needs, and a topic for a token', () => {
    expect(problemsOf({ emailTo: 'anna@example.org' })).toEqual([
      'smtp_url: not set, but email_to is. E-mail needs smtp_url, email_from, email_to: set it as well.',
      'email_from: not set, but email_to is. E-mail needs smtp_url, email_from, email_to: set it as well.',
    ]);
    expect(problemsOf({}, { HEARTHD_NTFY_TOKEN: 'tk_1' })).toEqual([
      'ntfy_url: not set, but ntfy_token is. A token needs its topic: set it as well.',
    ]);
    expect(problemsOf({ mqttCa: pem })).toEqual([
      'mqtt_url: not set, but mqtt_ca is. A certificate needs its broker: set it as well.',
    ]);
    expect(problemsOf({ mqttCa: pem }, { HEARTHD_MQTT_URL: 'mqtt://broker.local' })).toEqual([
      'mqtt_ca: of use with TLS only. Let mqtt_url begin with mqtts://.',
    ]);
    expect(load()).toMatchObject({ mqtt: null, ntfy: null, email: null });
  });

  it('takes no address that would be more than one line of a header', () => {
    const givenSetting = { emailFrom: 'a@b\r\nBcc: c@d', emailTo: 'anna@example.org', smtpUrl: 'smtp://mail' };
    expect(problemsOf(givenSetting)).toEqual([expect.stringMatching(/^email_from: .*\n.*is not an e-mail address/s)]);
  });

  it('lists every problem at once', () => {
    expect(problemsOf({ port: 'x' }, { HEARTHD_LOG_LEVEL: 'x', HEARTHD_PROT: '1' })).toHaveLength(3);
  });
});

describe('the data directory of a command that talks to the daemon', () => {
  const locate = (present: readonly string[], flags: ConfigFlags = {}): string =>
    locateDataDir(flags, { HOME: '/home/anna', HEARTHD_UNKNOWN: 'not asked' }, (path) => present.includes(path));

  it('is the service’s where the user has none of his own', () => {
    expect(locate(['/var/lib/hearthd'])).toBe('/var/lib/hearthd');
    expect(locate(['/var/lib/hearthd', '/home/anna/.local/share/hearthd'])).toBe('/home/anna/.local/share/hearthd');
    expect(locate([])).toBe('/home/anna/.local/share/hearthd');
    expect(locate(['/var/lib/hearthd'], { dataDir: '/a' })).toBe('/a');
  });
});
