import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RelayReport } from '../../../src/app/relay-status/relay-report.ts';
import { warningsOf } from '../../../src/app/relay-status/relay-warnings.ts';
import { createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';

let home: TestHome;
let report: RelayReport;

beforeAll(async () => {
  home = createTestHome({ sample: true });
  report = await home.relayStatus.read(systemCaller);
});
afterAll(() => home.close());

describe('how the relay does', () => {
  it('is sent to admins of any home in numbers, without what the system does not report', async () => {
    expect(report.counts).toMatchObject({
      homes: 1,
      accessories: 7,
      unreachableAccessories: 0,
      pairedDevices: 6,
      connectedDevices: 6,
    });
    expect(report.databases).toEqual([
      { name: 'relay', bytes: expect.any(Number) },
      { name: 'history', bytes: expect.any(Number) },
    ]);
    expect(report.disk).toBeNull();
    expect(report.memory.process).toBeGreaterThan(1_000_000);
    await expect(home.relayStatus.read(tokenCaller({ [home.home.id]: 'control' }))).rejects.toThrow('Insufficient');
  });

  const GB = 1_000_000_000;
  const counts = { pairedDevices: 2, seenByMulticast: 0, pairingsLost: 0, offlineDevices: 0 };
  it.each<[string, (sound: RelayReport) => Partial<RelayReport>, readonly string[]]>([
    ['nothing', () => ({}), []],
    ['a clock that was never set', () => ({ now: 0 }), ['error clock_not_set']],
    ['a disk that fills', () => ({ disk: { freeBytes: GB / 2, totalBytes: GB } }), ['warning disk_nearly_full']],
    ['a full disk', () => ({ disk: { freeBytes: 1, totalBytes: GB } }), ['error disk_nearly_full']],
    [
      'a history that can’t be opened',
      () => ({ databases: [{ name: 'history', bytes: null }] }),
      ['error history_unavailable'],
    ],
    ['a damaged database', () => ({ setAside: ['relay.db.damaged-1'] }), ['warning database_set_aside']],
    ['no network', () => ({ interfaces: [] }), ['error no_network']],
    [
      'several networks',
      () => ({ interfaces: ['eth0', 'wlan0'].map((name) => ({ name, addresses: [] })) }),
      ['info several_interfaces'],
    ],
    ['silence', (sound) => ({ counts: { ...sound.counts, ...counts } }), ['warning multicast_unheard']],
    [
      'lost pairings and devices that are away, the worst first',
      (sound) => ({ counts: { ...sound.counts, offlineDevices: 3, pairingsLost: 1 } }),
      ['error pairings_lost', 'warning devices_offline'],
    ],
    ['a new version', () => ({ newVersion: '9.1.2' }), ['info new_version']],
    ['settings that are no good', () => ({ settingProblems: ['x.'] }), ['warning settings_left_out']],
  ])('warns of %s', (_, change, expected) => {
    const reported = warningsOf({ ...report, ...change(report) });
    expect(reported.map(({ severity, code }) => `${severity} ${code}`)).toEqual(expected);
    for (const { message, remedy } of reported)
      expect(`${message}\n${remedy}`).toMatch(/^[A-Z0-9].*[.x]\n[A-Z].*(?:\.|: sudo .*)$/);
  });
});

describe('how busy the relay was', () => {
  it('is measured every five minutes, while it runs', async () => {
    const { clock, loadHistory: busy } = home;
    expect(busy.recent()).toEqual([]);
    busy.start();
    const [first] = busy.recent();
    expect(first).toMatchObject({ at: clock.now(), load: expect.any(Number) });
    expect(first?.memoryBytes).toBeGreaterThan(1_000_000);
    expect(first?.databaseBytes).toBeGreaterThan(0);
    await clock.advance(2 * 24 * 60 * 60_000);
    // Both ends of the day are among them.
    expect(busy.recent()).toHaveLength(289);
    expect(busy.recent().at(-1)?.at).toBe(clock.now());
    busy.stop();
    await clock.advance(60 * 60_000);
    expect(busy.recent().at(-1)?.at).toBe(clock.now() - 60 * 60_000);
  });

  it('is for admins of any home, for a week at most', () => {
    expect(home.relayStatus.readLoad(systemCaller, { days: 7 }).starts).toHaveLength(1);
    expect(() => home.relayStatus.readLoad(tokenCaller({ [home.home.id]: 'control' }))).toThrow('Insufficient');
    for (const days of [0, 8, 1.5]) {
      expect(() => home.relayStatus.readLoad(systemCaller, { days })).toThrow(/^Invalid value for days/);
    }
  });
});

describe('the last lines of the log', () => {
  it('are for owners of every home, and invalid ones are refused', () => {
    home.logs.write(JSON.stringify({ level: 40, time: 5, msg: 'Odd' }));
    expect(home.relayLogs.read(systemCaller, { level: 'WARN' })).toMatchObject([{ message: 'Odd', at: 5 }]);
    expect(() => home.relayLogs.read(tokenCaller())).toThrow('Insufficient permissions');
    for (const wanted of [{ level: 'loud' }, { limit: 0 }, { limit: 1_001 }, { after: -1 }, { after: 1.5 }]) {
      expect(() => home.relayLogs.read(systemCaller, wanted)).toThrow(/^Invalid value for (level|limit|after)/);
    }
  });
});
