import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { createTempDirectory } from '../support/temp-directory.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const UNIT = join(ROOT, 'systemd/hearthd.service');
const text = readFileSync(UNIT, 'utf8');

/** The gate for the exposure level that systemd computes: 0 is a sealed box, 10 is root with everything. */
const MAX_EXPOSURE = 1.5;

const HAS_SYSTEMD_ANALYZE = spawnSync('systemd-analyze', ['--version'], { stdio: 'ignore' }).status === 0;
const NO_SYSTEMD_ANALYZE = 'there is no systemd-analyze here';

const setting = (name: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map((match) => match[1] ?? '');

function exposureOf(path: string): number {
  const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', path], {
    encoding: 'utf8',
  });
  return Number(/exposure level for \S+: (\d+\.\d+)/.exec(stdout)?.[1]);
}

describe('the systemd unit', () => {
  it('exposes no more than it must', ({ skip }) => {
    skip(!HAS_SYSTEMD_ANALYZE, NO_SYSTEMD_ANALYZE);
    expect(exposureOf(UNIT)).toBeLessThanOrEqual(MAX_EXPOSURE);
  });

  it('would be caught if it lost its hardening', ({ skip }) => {
    skip(!HAS_SYSTEMD_ANALYZE, NO_SYSTEMD_ANALYZE);
    using directory = createTempDirectory('unit');
    const soft = directory.file('hearthd.service');
    writeFileSync(soft, text.replace(/^CapabilityBoundingSet=$/m, '').replace(/^ProtectSystem=strict$/m, ''));
    expect(exposureOf(soft)).toBeGreaterThan(MAX_EXPOSURE);
  });

  it('is one that systemd understands', ({ skip }) => {
    skip(!HAS_SYSTEMD_ANALYZE, NO_SYSTEMD_ANALYZE);
    using directory = createTempDirectory('unit');
    // The program is looked for; where the service is not installed, Node and a user without rights stand in.
    const copy = directory.file('hearthd.service');
    writeFileSync(copy, text.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', copy], { encoding: 'utf8' });
    const aboutUs = stderr.split('\n').filter((line) => line.includes('hearthd.service'));
    expect(aboutUs).toEqual([]);
    expect(status).toBe(0);
  });

  it('runs what the manual installs, and does not retry what a retry can’t fix', () => {
    expect(setting('ExecStart')).toEqual([
      '/usr/bin/node --max-semi-space-size=2 --v8-pool-size=1 --expose-gc /opt/hearthd/bin/hearthd.js start',
    ]);
    expect(readFileSync(join(ROOT, 'src/docs/manual/install.md'), 'utf8')).toContain('/opt/hearthd');
    expect(setting('RestartPreventExitStatus')).toEqual([`${EXIT.usage} ${EXIT.config}`]);
  });

  it('watches the event loop, lets systemd-notify speak, and leaves V8 its memory', () => {
    expect(setting('Type')).toEqual(['notify']);
    expect(setting('NotifyAccess')).toEqual(['all']);
    expect(setting('WatchdogSec')).toEqual(['30']);
    expect(setting('MemoryDenyWriteExecute')).toEqual([]);
    expect(setting('LimitCORE')).toEqual(['0']);
    expect(setting('RestrictAddressFamilies')[0]?.split(' ').sort()).toEqual([
      'AF_INET',
      'AF_INET6',
      'AF_NETLINK',
      'AF_UNIX',
    ]);
  });
});
