import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, closeSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { checkClock, checkInterfaces, checkNode, checkUser, SUPPORTED_NODE } from '../../src/cli/doctor/host-checks.ts';
import {
  checkConntrack,
  checkHostName,
  checkIpv6,
  checkMatterPort,
  checkResponders,
  forMatter,
  type Host,
  isUdpPortFree,
} from '../../src/cli/doctor/publishing-checks.ts';
import { openDataDirectory } from '../../src/storage/data-directory.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { freePort } from '../support/free-port.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { run, startDaemon } from './running-daemon.ts';

let directory: TempDirectory;

beforeEach(() => {
  directory = createTempDirectory('doctor');
});
afterEach(() => directory.remove());

/** Loopback only: its multicast test sends nothing anywhere else. */
async function examine(dataDir: string, ...args: string[]): Promise<{ code: number; findings: readonly Finding[] }> {
  const { code, out } = await run(dataDir, ['doctor', '--json', '--interface', 'lo', '--host', '127.0.0.1', ...args]);
  return { code, findings: JSON.parse(out) as Finding[] };
}

const of = (findings: readonly Finding[], check: string): readonly Finding[] =>
  findings.filter((finding) => finding.check === check);

describe('doctor without a daemon', () => {
  it('finds a sound directory sound, and multicast working on loopback', async () => {
    const opened = openDataDirectory(directory.path);
    openDatabase(opened.file('relay.db')).close();
    opened.close();
    const before = readdirSync(directory.path).sort();
    const { code, findings } = await examine(directory.path, '--port', String(await freePort()));
    expect(findings.filter(({ status }) => status === 'fail')).toEqual([]);
    expect(code).toBe(0);
    expect(of(findings, 'directory')).toEqual([expect.objectContaining({ status: 'ok' })]);
    // SQLite may leave its empty companions beside the database that it read.
    const after = readdirSync(directory.path).filter((name) => !/-(wal|shm)$/.test(name));
    expect(after.sort()).toEqual(before);
    expect(of(findings, 'database')).toEqual([expect.objectContaining({ status: 'ok' })]);
    expect(of(findings, 'multicast')).toEqual([{ check: 'multicast', status: 'ok', message: 'works on lo' }]);
    expect(of(findings, 'port')[0]).toMatchObject({ status: 'ok', message: expect.stringContaining('is free') });
    expect(of(findings, 'daemon')).toEqual([
      {
        check: 'daemon',
        status: 'warn',
        message: 'is not running',
        fix: 'sudo systemctl start hearthd, or hearthd start',
      },
    ]);
  });

  it('names a port that another program has, and how to find that', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, findings } = await examine(directory.path, '--port', String(port));
    expect(code).toBe(1);
    expect(of(findings, 'port')).toEqual([
      {
        check: 'port',
        status: 'fail',
        message: expect.stringContaining('EADDRINUSE'),
        fix: expect.stringContaining(`sudo ss -ltnp 'sport = :${port}'`),
      },
    ]);
    await new Promise((resolve) => other.close(resolve));
  });

  it('finds modes that are too open and a damaged database', async () => {
    const path = directory.file('relay.db');
    openDatabase(path).close();
    const handle = openSync(path, 'r+');
    writeSync(handle, Buffer.alloc(2000, 0x5a), 0, 2000, 0);
    closeSync(handle);
    chmodSync(path, 0o644);
    const { code, findings } = await examine(directory.path, '--port', '0');
    expect(code).toBe(1);
    expect(of(findings, 'directory')).toEqual([
      {
        check: 'directory',
        status: 'warn',
        message: `${path} may be read by others (mode 0644)`,
        fix: `chmod 600 ${path} (hearthd start also does this)`,
      },
    ]);
    expect(of(findings, 'database')[0]?.message).toContain('relay.db is damaged');
    expect(of(findings, 'database')[0]?.fix).toContain('hearthd start restores the newest intact copy');
  });

  it('goes on where there is no directory yet', async () => {
    const { code, findings } = await examine(directory.file('none'), '--port', '0');
    expect(code).toBe(0);
    expect(of(findings, 'directory')[0]).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('does not exist yet'),
    });
  });

  it('reports that a file is no directory', async () => {
    writeFileSync(directory.file('file'), '');
    const { code, findings } = await examine(directory.file('file'), '--port', '0');
    expect(code).toBe(1);
    expect(of(findings, 'directory')[0]).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('is not a directory'),
    });
  });

  it('reports settings that are no good instead of ending there', async () => {
    const { code, findings } = await examine(directory.path, '--log-level', 'loud');
    expect(code).toBe(1);
    expect(of(findings, 'settings')[0]?.message).toContain("log_level: 'loud' from --log-level is unknown");
  });

  it('prints a line a finding, and what to do under it', async () => {
    const args = ['doctor', '--interface', 'lo', '--host', '127.0.0.1', '--port', '0'];
    const { out } = await run(directory.path, args, { isTty: true });
    expect(out).toMatch(/^ok {4}node {2,}Node \d+\.\d+\.\d+\n/);
    expect(out).toMatch(/\nwarn {2}daemon {2,}is not running\n {10,}sudo systemctl start hearthd, or hearthd start\n/);
    const coloured = await run(directory.path, args, { isTty: true, colour: true });
    expect(coloured.out).toContain('\u001b[33mwarn\u001b[39m');
  });
});

describe('doctor with a daemon', () => {
  it('asks it how it and its devices are', async () => {
    const daemon = await startDaemon();
    const held = openDataDirectory(daemon.dataDir);
    try {
      const { code, findings } = await examine(daemon.dataDir, '--port', String(await freePort()));
      expect(of(findings, 'daemon')[0]?.message).toBe(`is running (pid ${process.pid})`);
      expect(of(findings, 'socket')[0]).toMatchObject({
        status: 'ok',
        message: 'the daemon answers (version 0.0.0-test)',
      });
      expect(of(findings, 'ready')[0]?.status).toBe('ok');
      expect(of(findings, 'discovery')[0]?.message).toBe('6 accessories found on the network');
      expect(of(findings, 'devices')[0]?.message).toBe('6 paired, no problems');
      expect(of(findings, 'port')[0]).toMatchObject({
        status: 'warn',
        fix: expect.stringContaining('the same --port and --host'),
      });
      expect(of(findings, 'database')).toEqual([]);
      expect(code).toBe(0);
      const onItsPort = await examine(daemon.dataDir, '--port', String(daemon.port));
      expect(of(onItsPort.findings, 'port')).toEqual([
        { check: 'port', status: 'ok', message: `the daemon answers on port ${daemon.port}` },
      ]);
      const other = await startDaemon(undefined, { instanceId: 'ffffffff' });
      const onAnothersPort = await examine(daemon.dataDir, '--port', String(other.port));
      expect(of(onAnothersPort.findings, 'port')[0]?.message).toContain('another hearthd answers there');
      await other.stop();
    } finally {
      held.close();
      await daemon.stop();
    }
  });

  it('explains what to do about one that holds the directory but does not answer', async () => {
    const held = openDataDirectory(directory.path);
    const { code, findings } = await examine(directory.path, '--port', '0');
    expect(code).toBe(1);
    expect(of(findings, 'socket')[0]).toMatchObject({
      status: 'fail',
      fix: expect.stringContaining('systemctl restart hearthd'),
    });
    held.close();
  });
});

describe('the checks of the computer', () => {
  it.each([
    ['20.18.9', 'fail'],
    ['18.20.0', 'fail'],
    ['20.19.0', 'ok'],
    ['22.11.0', 'fail'],
    ['22.12.0', 'ok'],
    ['23.11.0', 'warn'],
    ['24.0.0', 'ok'],
    ['26.10.0', 'ok'],
    ['27.0.0', 'warn'],
  ])('Node %s: %s', (version, status) => {
    expect(checkNode(version).status).toBe(status);
  });

  it('Node: the versions are those that package.json names', () => {
    const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
    const { engines } = JSON.parse(manifest) as { engines: { node: string } };
    expect(SUPPORTED_NODE.map((numbers) => `^${numbers.join('.')}.0`).join(' || ')).toBe(engines.node);
    expect(checkNode('18.20.0').fix).toContain('Node 20.19, 22.12, 24, 26 ');
  });

  const now = Date.UTC(2026, 5, 1);
  it.each([
    ['before any hearthd was made', Date.UTC(1970, 0, 1), undefined, [], 'fail'],
    ['in a far future', Date.UTC(2190, 0, 1), undefined, [], 'fail'],
    ['before the data was written', now, now + 3_600_000, [], 'warn'],
    ['that no time server confirmed', now, now - 1, ['/run/systemd/timesync'], 'warn'],
    ['confirmed', now, now - 1, ['/run/systemd/timesync', '/run/systemd/timesync/synchronized'], 'ok'],
    ['where no such mark is kept', now, undefined, [], 'ok'],
  ])('a clock %s', (_case, time, written, present, status) => {
    expect(checkClock(time, written, (path) => (present as string[]).includes(String(path))).status).toBe(status);
  });

  it('root without need', () => {
    expect(checkUser(0, false).status).toBe('warn');
    expect(checkUser(0, true).status).toBe('ok');
    expect(checkUser(1000, false).status).toBe('ok');
  });

  it('interfaces that are missing, mistyped or loopback only', () => {
    const lo = { name: 'lo', address: '127.0.0.1', internal: true };
    const eth = { name: 'eth0', address: '192.0.2.1', internal: false };
    expect(checkInterfaces([lo, eth], [])).toEqual([
      { check: 'interfaces', status: 'ok', message: 'lo (127.0.0.1), eth0 (192.0.2.1)' },
    ]);
    expect(checkInterfaces([lo], [])[0]?.status).toBe('fail');
    expect(checkInterfaces([lo], ['lo'])[0]?.status).toBe('ok');
    expect(checkInterfaces([lo, eth], ['etho'])[0]).toMatchObject({
      status: 'fail',
      fix: expect.stringContaining('Did you mean eth0?'),
    });
  });
});

describe('what publishing needs of the computer', () => {
  const HEALTHY = {
    '/proc/sys/net/ipv6/conf/all/disable_ipv6': '0',
    '/proc/sys/net/ipv6/conf/eth0/disable_ipv6': '0',
    '/proc/sys/net/ipv6/conf/eth0/accept_ra': '1',
    '/proc/sys/net/ipv6/conf/eth0/forwarding': '0',
    '/proc/sys/net/ipv6/conf/eth0/accept_ra_rt_info_max_plen': '64',
  };
  /** A computer with these files. */
  function host(files: Readonly<Record<string, string>>, hostname = 'nas'): Host {
    const all: Readonly<Record<string, string>> = { ...HEALTHY, ...files };
    const below = (folder: string) => Object.keys(all).filter((path) => path.startsWith(`${folder}/`));
    return {
      hostname,
      read: (path) => all[path],
      list: (folder) => below(folder).map((path) => path.slice(folder.length + 1)),
      exists: (path) => path in all || below(path).length > 0,
    };
  }
  const ipv6 = (files: Readonly<Record<string, string>>) => checkIpv6(['eth0'], host(files));

  it('IPv6 that is off, on the computer or on one interface', () => {
    expect(ipv6({})).toEqual([]);
    expect(ipv6({ '/proc/sys/net/ipv6/conf/all/disable_ipv6': '1' })).toEqual([
      {
        check: 'ipv6',
        message: 'IPv6 is off on this computer',
        fix: 'sudo sysctl -w net.ipv6.conf.all.disable_ipv6=0',
      },
    ]);
    expect(ipv6({ '/proc/sys/net/ipv6/conf/eth0/disable_ipv6': '1' })[0]?.message).toBe('IPv6 is off on eth0');
  });

  it('routes to Thread devices that the kernel ignores, unless another program reads them', () => {
    const folder = '/proc/sys/net/ipv6/conf/eth0';
    expect(ipv6({ [`${folder}/accept_ra`]: '0' })[0]?.fix).toBe('sudo sysctl -w net.ipv6.conf.eth0.accept_ra=1');
    expect(ipv6({ [`${folder}/forwarding`]: '1' })[0]?.fix).toBe('sudo sysctl -w net.ipv6.conf.eth0.accept_ra=2');
    expect(ipv6({ [`${folder}/forwarding`]: '1', [`${folder}/accept_ra`]: '2' })).toEqual([]);
    expect(ipv6({ [`${folder}/accept_ra_rt_info_max_plen`]: '0' })[0]?.fix).toBe(
      'sudo sysctl -w net.ipv6.conf.eth0.accept_ra_rt_info_max_plen=64',
    );
    expect(ipv6({ [`${folder}/accept_ra`]: '0', '/run/systemd/netif/links/2': '' })).toEqual([]);
    expect(ipv6({ [`${folder}/accept_ra`]: '0', '/run/NetworkManager/devices/2': '' })).toEqual([]);
  });

  it('a firewall that forgets connections sooner than Matter controllers speak', () => {
    const path = '/proc/sys/net/netfilter/nf_conntrack_udp_timeout_stream';
    expect(checkConntrack(host({}))).toEqual([]);
    expect(checkConntrack(host({ [path]: '1800' }))).toEqual([]);
    expect(checkConntrack(host({ [path]: '120' }))[0]?.message).toBe(
      'the firewall forgets a silent UDP connection after 120 s',
    );
  });

  it('Matter’s port that another program has', async () => {
    expect(checkMatterPort(true)).toEqual([]);
    expect(checkMatterPort(false)).toEqual([
      {
        check: 'matter',
        message: 'another program uses UDP port 5540, and Alexa finds a bridge only there',
        fix: "Stop it (sudo ss -lunp 'sport = :5540').",
      },
    ]);
    const other = createSocket('udp4').bind(0);
    await once(other, 'listening');
    expect(await isUdpPortFree(other.address().port)).toBe(false);
    other.close();
    expect(await isUdpPortFree(0), 'any port').toBe(true);
  });

  it('host names that other computers have too, or that no network has', () => {
    const status = (name: string) => checkHostName(host({}, name))[0]?.status;
    expect(['nas', 'nas.fritz.box', 'pi-4'].map(status)).toEqual(['ok', 'ok', 'ok']);
    expect(['localhost', 'localhost.localdomain', '', 'my_nas', 'küche'].map(status)).toEqual(Array(5).fill('warn'));
  });

  it('two programs that answer multicast DNS for the computer', () => {
    const resolved = { '/run/systemd/resolve/stub-resolv.conf': '' };
    const on = { ...resolved, '/etc/systemd/resolved.conf': '[Resolve]\n#MulticastDNS=no\nMulticastDNS=yes\n' };
    const avahi = { '/run/avahi-daemon/pid': '7' };
    const status = (files: Readonly<Record<string, string>>) => checkResponders(host(files)).map((one) => one.status);
    expect(status({})).toEqual([]);
    expect(status({ ...avahi, ...resolved })).toEqual(['ok']);
    expect(status(on)).toEqual(['ok']);
    expect(status({ ...avahi, ...on })).toEqual(['warn']);
    const off = { '/etc/systemd/resolved.conf.d/10-mdns.conf': '[Resolve]\nMulticastDNS=no\n' };
    expect(status({ ...avahi, ...on, ...off })).toEqual(['ok']);
  });

  it('is no fault while nothing is published over Matter', () => {
    const problems = checkIpv6(['eth0'], host({ '/proc/sys/net/ipv6/conf/all/disable_ipv6': '1' }));
    expect(forMatter(problems, true)[0]?.status).toBe('warn');
    expect(forMatter(problems, false)).toEqual([
      {
        check: 'matter',
        status: 'ok',
        message: 'nothing is published over Matter. Before you do: IPv6 is off on this computer',
      },
    ]);
  });
});
