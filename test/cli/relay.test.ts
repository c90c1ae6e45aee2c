/** `hearthd status`, `logs` and `settings`, against a daemon. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemCaller } from '../support/test-home.ts';
import { type RunningDaemon, startDaemon } from './running-daemon.ts';

let daemon: RunningDaemon;

beforeEach(async () => {
  daemon = await startDaemon();
});
afterEach(() => daemon.stop());

const log = (level: number, msg: string, fields: object = {}): void =>
  daemon.home.logs.write(JSON.stringify({ level, time: 0, ...fields, msg }));

describe('hearthd status', () => {
  it('shows the status of the relay, and fails where something needs attention', async () => {
    const { code, out } = await daemon.hearthd('status');
    expect(code).toBe(0);
    expect(out).toMatch(/^Accessories +7, 0 unreachable$/m);
    expect(out).toMatch(/^Running +1 min 30 s, since /m);
    daemon.home.clock.jumpWallClock(-Date.now());
    const ill = await daemon.hearthd('status');
    expect([ill.code, ill.err]).toEqual([1, expect.stringContaining('error: The clock of the computer is not set.')]);
  });
});

describe('hearthd logs', () => {
  it('prints the last lines from a level on, without what could drive a terminal', async () => {
    log(20, 'quiet');
    log(40, 'odd\u001b[2J', { device: 'Lamp' });
    const { out } = await daemon.hearthd('logs', '--level', 'warn');
    expect(out).toBe('warn  1970-01-01 00:00:00 odd\ufffd[2J device="Lamp"\n');
    expect(JSON.parse((await daemon.hearthd('logs', '--json', '--limit', '1')).out)).toMatchObject([{ level: 'warn' }]);
    expect((await daemon.hearthd('logs', '--limit', '0')).err).toMatch(/Invalid value for limit/);
  });
});

describe('hearthd settings', () => {
  it('lists them, sets one or several values, and takes that back', async () => {
    expect((await daemon.hearthd('settings', 'set', 'allowed_host', 'a.example', 'b.example')).out).toBe(
      'Set allowed_host.\n',
    );
    expect((await daemon.hearthd('settings', 'list')).out).toMatch(
      /^allowed_host +a\.example b\.example +set here +immediately$/m,
    );
    await daemon.hearthd('settings', 'reset', 'allowed_host');
    expect(daemon.home.live.current.allowedHosts).toEqual([]);
  });

  it('takes secrets from stdin alone, and shows none', async () => {
    const secret = 'https://ntfy.sh/house-x7';
    const shown = await daemon.hearthd('settings', 'set', 'ntfy_url', secret);
    expect([shown.code, shown.err]).toEqual([2, expect.stringContaining('--stdin')]);
    await daemon.hearthdOn({ stdin: secret }, 'settings', 'set', 'ntfy_url', '--stdin');
    expect(daemon.home.live.current.ntfy?.url).toBe(secret);
    const { out } = await daemon.hearthd('settings', 'list');
    expect(out).toMatch(/^ntfy_url +\(secret\) +set here/m);
    expect(out).not.toContain('house-x7');
  });

  it.each([
    [['set', 'colour', 'red'], /No setting "colour"/],
    [['set', 'log_level'], /Pass a value for log_level/],
    [['set', 'port', '80'], /set it with --port, HEARTHD_PORT/],
    [['set', 'log_level', 'loud'], /log_level: 'loud' is unknown/],
  ])('refuses %j with a sentence that helps', async (args, sentence) => {
    const { code, err } = await daemon.hearthd('settings', ...args);
    expect(code).not.toBe(0);
    expect(err).toMatch(sentence);
  });
});

describe('hearthd https status', () => {
  it('shows whether http leads to https', async () => {
    expect((await daemon.hearthd('https', 'status')).out).toMatch(/^Https +off$/m);
    await daemon.home.https.turnOn(systemCaller, { source: 'own', names: [] });
    expect((await daemon.hearthd('https', 'status')).out).toMatch(/^Http +open as before$/m);
    await daemon.hearthd('settings', 'set', 'https_redirect', 'true');
    expect((await daemon.hearthd('https', 'status')).out).toMatch(/^Http +leads to https$/m);
    await daemon.hearthd('settings', 'reset', 'https_redirect');
    expect((await daemon.hearthd('https', 'status')).out).toMatch(/^Http +open as before$/m);
  });
});

describe('hearthd https off', () => {
  it('locks no one with passkeys alone out, unless --yes is given', async () => {
    await daemon.home.https.turnOn(systemCaller, { source: 'own', names: ['pi.example'] });
    const eve = { name: 'Eve', hosts: ['pi.example'] };
    vi.spyOn(daemon.home.passkeys, 'people').mockReturnValue([eve]);
    const refused = await daemon.hearthd('https', 'off');
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain('could not any more: Eve (pi.example).');
    expect(refused.err).toContain('--yes');
    expect(daemon.home.https.status(systemCaller).isOn).toBe(true);
    expect((await daemon.hearthd('https', 'off', '--yes')).out).toContain('Https is off.');
    expect(daemon.home.https.status(systemCaller).isOn).toBe(false);
  });
});
