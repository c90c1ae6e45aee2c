/** What the pages of System show of the API's answers. */
import systemTexts from 'texts:system';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../../src/config/settings.ts';
import {
  bySubject,
  isTyped,
  onlyAtStart,
  placesOf,
  type Setting,
  textOfValue,
  valueOfTyped,
  withDependents,
  wordsOf,
} from '../../../src/web/dashboard/pages/settings/relay/relay-settings.ts';
import { nextBackup } from '../../../src/web/dashboard/pages/system/backups/next-backup.ts';
import {
  DEVICE_ORDERS,
  type Device,
  entryOf,
  hasTrouble,
  listDevices,
  shownStatus,
  titleOf,
} from '../../../src/web/dashboard/pages/system/devices/device-health.ts';
import {
  appendLines,
  asText,
  foldRepeats,
  type LogLine,
  linesShown,
} from '../../../src/web/dashboard/pages/system/logs/log-lines.ts';
import { warningWords } from '../../../src/web/dashboard/pages/system/status/warning-words.ts';
import { accessoryOf } from '../home/sample-home.ts';

const en = systemTexts.in('en');

const line = (seq: number, level = 'info', message = `line ${seq}`): LogLine => ({
  seq,
  level,
  message,
  at: '2026-01-15T12:00:00.000Z',
  fields: { device: 'Desk Lamp', port: 80 },
});

describe('the tail of the log', () => {
  it('goes on where it was, and restarts when the relay did', () => {
    const first = appendLines([], [line(1), line(2)]);
    expect(appendLines(first, [line(2), line(3)]).map(({ seq }) => seq)).toEqual([1, 2, 3]);
    const later = appendLines([], [line(900), line(901)]);
    expect(appendLines(later, [line(1), line(2)]).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it('folds repeats of one message, also with other numbers and with others in between', () => {
    const away = (seq: number, device = 'Lamp') => ({
      ...line(seq, 'warn', 'No answer'),
      fields: { device, attempt: seq },
    });
    const folded = (lines: readonly LogLine[]) => foldRepeats(lines).map((entry) => entry.map(({ seq }) => seq));
    expect(folded([away(1), line(2, 'info', 'Retrying'), away(3), line(4, 'info', 'Retrying'), away(5)])).toEqual([
      [1, 3, 5],
      [2, 4],
    ]);
    expect(folded([away(1), away(2, 'Blind'), { ...away(3), level: 'error' }])).toEqual([[1], [2], [3]]);
    const others = (first: number, count: number) => Array.from({ length: count }, (_, index) => line(first + index));
    expect(folded([away(1), ...others(2, 4), away(6)])[0]).toEqual([1, 6]);
    expect(folded([away(1), ...others(2, 5), away(7)])).toHaveLength(7);
  });

  it('shows what is wanted, and copies it a line a line', () => {
    const lines = [line(1, 'debug'), line(2, 'warn', 'It went away'), line(3, 'error')];
    expect(linesShown(lines, 'warn', '').map(({ seq }) => seq)).toEqual([2, 3]);
    expect(linesShown(lines, 'debug', 'lamp AWAY').map(({ seq }) => seq)).toEqual([2]);
    expect(asText(linesShown(lines, 'warn', 'away'))).toBe(
      '2026-01-15T12:00:00.000Z WARN It went away device="Desk Lamp" port=80',
    );
  });
});

const device = (name: string, status: string, reachable: readonly boolean[] = [true]): Device => ({
  deviceId: name,
  name,
  status,
  model: 'LX-1',
  manufacturer: 'Lumen',
  serialNumber: null,
  firmware: null,
  statusDetail: null,
  since: '2026-01-15T12:00:00.000Z',
  lastSeenAt: null,
  address: null,
  reconnects: 0,
  latencyMs: null,
  notifications: 0,
  polls: 0,
  lastError: null,
  lastErrorAt: null,
  lastErrorReason: null,
  accessoryCount: reachable.length,
  accessories: reachable.map((isReachable, at) => ({ id: `${name} ${at}`, name: `My ${name} ${at}`, isReachable })),
});

describe('the next automatic backup', () => {
  const made = (kind: string, madeAt: string) => ({ kind, madeAt });

  it('is in the hour from 03:00 UTC, unless that of the last night or after a restore is missing', () => {
    const now = Date.parse('2026-01-15T12:00:00.000Z');
    const tonight = { from: Date.parse('2026-01-16T03:00:00.000Z'), to: Date.parse('2026-01-16T04:00:00.000Z') };
    const nightly = made('nightly', '2026-01-15T03:20:00.000Z');
    expect(nextBackup([made('manual', '2026-01-15T08:00:00.000Z'), nightly], now)).toEqual(tonight);
    expect(nextBackup([nightly], Date.parse('2026-01-16T03:10:00.000Z'))).toBeUndefined();
    expect(nextBackup([made('before-restore', '2026-01-15T11:00:00.000Z'), nightly], now)).toBeUndefined();
    expect(nextBackup([made('manual', '2026-01-15T08:00:00.000Z')], now)).toBeUndefined();
  });
});

describe('paired devices', () => {
  const compare = (a: string, b: string) => a.localeCompare(b);
  const all = [
    device('Lamp', 'connected'),
    device('Bridge', 'connected', [true, false]),
    device('Blind', 'offline'),
    device('Lock', 'pairing_lost'),
    device('Fan', 'paused'),
  ];

  const entries = all.map((one) => entryOf(one, () => undefined));
  const listed = (wanted: Partial<Parameters<typeof listDevices>[1]>, from = entries) =>
    listDevices(from, { search: '', onlyTrouble: false, order: 'trouble', compare, ...wanted }).map(
      ({ device: { name } }) => name,
    );

  it('come in the order in which they need attention', () => {
    expect(listed({})).toEqual(['Lock', 'Blind', 'Bridge', 'Fan', 'Lamp']);
    expect(listed({ onlyTrouble: true })).toHaveLength(3);
    expect(all.filter(hasTrouble)).toHaveLength(3);
  });

  it('show the own accessory of a bridge before its others, whose names may come first', () => {
    const find = (id: string) => accessoryOf(id, 'other', {}, { category: id === 'Bridge 1' ? 'Bridge' : 'Lightbulb' });
    expect(entryOf(device('Bridge', 'connected', [true, true, true]), find).accessories.map(({ id }) => id)).toEqual([
      'Bridge 1',
      'Bridge 0',
      'Bridge 2',
    ]);
  });

  it('come by name, battery, last contact, reconnects or latency, worst first', () => {
    const facts = [
      { ...device('Plug', 'connected'), lastSeenAt: '2026-01-15T12:00:00.000Z', reconnects: 3, latencyMs: 20 },
      { ...device('Sensor', 'connected'), lastSeenAt: '2026-01-14T12:00:00.000Z', reconnects: 9, latencyMs: 5 },
      { ...device('Door', 'connected'), lastSeenAt: '2026-01-15T13:00:00.000Z', latencyMs: 400 },
    ];
    const charges: Readonly<Record<string, number>> = { 'Sensor 0': 80, 'Door 0': 9 };
    const find = (id: string) =>
      charges[id] === undefined
        ? undefined
        : accessoryOf(id, 'contact', { battery: { battery_level: charges[id], status_low_battery: charges[id] < 10 } });
    const some = facts.map((one) => entryOf(one, find));
    expect(some.map(({ battery, isBatteryLow }) => [battery, isBatteryLow])).toEqual([
      [undefined, false],
      [80, false],
      [9, true],
    ]);
    const orders = DEVICE_ORDERS.map((order) => `${order}: ${listed({ order }, some).join(', ')}`);
    expect(orders).toEqual([
      'trouble: Door, Plug, Sensor',
      'name: Door, Plug, Sensor',
      'battery: Door, Sensor, Plug',
      'lastSeen: Sensor, Plug, Door',
      'reconnects: Sensor, Plug, Door',
      'latency: Door, Plug, Sensor',
    ]);
  });

  it('reconnect as long as their accessories count as reachable', () => {
    expect(all.map(shownStatus)).toEqual(['connected', 'connected', 'connecting', 'pairing_lost', 'paused']);
    expect(shownStatus(device('Blind', 'offline', [false]))).toBe('offline');
  });

  it('are found by what people call them or their maker, and called so', () => {
    const found = (search: string) => listed({ search });
    expect([found('my lamp'), found('lumen lock'), found('nothing')]).toEqual([['Lamp'], ['Lock'], []]);
    expect(all.map(titleOf)).toEqual(['My Lamp 0', 'Bridge', 'My Blind 0', 'My Lock 0', 'My Fan 0']);
  });
});

describe('the settings', () => {
  const setting = (name: string, isLive = true): Setting => ({
    name,
    isLive,
    kind: 'text',
    isList: false,
    isSecret: false,
    choices: null,
    fallback: 'none',
    meaning: '',
    value: null,
    isSet: false,
    source: 'default',
    setBy: null,
  });

  it('stand under their subject, those that hold from the start on apart', () => {
    const settings = [setting('log_level'), setting('port', false), setting('public_url')];
    const found = bySubject(settings).flatMap(([subject, own]) => own.map(({ name }) => `${subject} ${name}`));
    expect(found).toEqual(['network public_url', 'log log_level']);
    expect(onlyAtStart(settings).map(({ name }) => name)).toEqual(['port']);
  });

  it('are written as people write them', () => {
    expect([textOfValue(['a', 'b']), textOfValue(null), textOfValue(5)]).toEqual(['a\nb', '', '5']);
    expect(valueOfTyped({ kind: 'text', isList: true }, ' a.example \n b.example, c.example\n')).toEqual([
      'a.example',
      'b.example',
      'c.example',
    ]);
    const word = { kind: 'text', isList: false } as const;
    const count = { kind: 'number', isList: false } as const;
    expect([valueOfTyped(word, ' x '), valueOfTyped(word, '  ')]).toEqual(['x', null]);
    expect([valueOfTyped(count, '12'), valueOfTyped(count, '1-')]).toEqual([12, '1-']);
    expect(placesOf({ name: 'ws_port', isSecret: false })).toEqual(['ws_port', 'HEARTHD_WS_PORT', '--ws-port']);
    expect(placesOf({ name: 'ntfy_token', isSecret: true })).toEqual(['ntfy_token', 'HEARTHD_NTFY_TOKEN']);
  });

  it('go together where one is worth nothing without the others', () => {
    const stored = (name: string): Setting => ({ ...setting(name), source: 'stored' });
    const settings = [stored('smtp_url'), setting('email_from'), stored('email_to'), stored('ntfy_token')];
    expect(withDependents(stored('smtp_url'), settings)).toEqual(['smtp_url', 'email_to']);
    expect(withDependents(stored('ntfy_url'), settings)).toEqual(['ntfy_url', 'ntfy_token']);
    expect(withDependents(stored('ntfy_token'), settings)).toEqual(['ntfy_token']);
  });

  it('explain how they are written, each that is typed', () => {
    const typed = SETTINGS.filter(({ isLive, kind = 'text' }) => isLive && isTyped({ kind, setBy: null }));
    expect(Object.keys(en.settings.wrong).sort()).toEqual(typed.map(({ name }) => name).sort());
  });

  it('have a name that people know, each of them', () => {
    for (const { name, meaning } of SETTINGS) {
      const { label } = wordsOf({ name, meaning }, en.settings.names);
      expect(label, name).not.toBe(name);
    }
  });
});

describe('warnings', () => {
  it('are shown in the words of the page, and unknown ones in the relay’s own', () => {
    const relays = { message: 'Message.', remedy: 'Remedy.' };
    expect(
      warningWords({ ...relays, code: 'disk_nearly_full', values: { freeMb: 12 } }, en.warnings).message,
    ).toContain('12 MB');
    expect(warningWords({ ...relays, code: 'toString', values: null }, en.warnings)).toEqual(relays);
  });
});
