/** Checks of the computer itself. */
import { existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { nearest } from '../../kernel/nearest.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** The Node versions that hearthd is tested with, each from its first suitable release: package.json's `engines`. */
export const SUPPORTED_NODE: readonly (readonly [major: number, minor: number])[] = [
  [20, 19],
  [22, 12],
  [24, 0],
  [26, 0],
];
/** The first hearthd is newer than this date: an earlier clock was never set. */
const EARLIEST_SANE_TIME = Date.UTC(2025, 0, 1);
const LATEST_SANE_TIME = Date.UTC(2100, 0, 1);
/** systemd-timesyncd touches this file after it received the time from a server. */
const TIMESYNC_MARK = '/run/systemd/timesync/synchronized';
const TIMESYNC_FOLDER = '/run/systemd/timesync';

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const line = SUPPORTED_NODE.find(([number]) => number === major);
  if (line && minor >= line[1]) return ok('node', `Node ${version}`);
  const names = SUPPORTED_NODE.map((numbers) => numbers.join('.').replace(/\.0$/, ''));
  const fix = `Install Node ${names.join(', ')} or a later release of the same major version.`;
  const isNewer = !line && SUPPORTED_NODE.some(([number]) => major > number);
  if (!isNewer) return fail('node', `Node ${version} is too old`, fix);
  return warn('node', `hearthd is not tested with Node ${version}`, fix);
}

/** @param running whether a daemon runs: root may run doctor itself. */
export function checkUser(uid: number | undefined, running: boolean): Finding {
  if (uid !== 0 || running) return ok('user', `runs as user ${uid ?? 'unknown'}`);
  return warn('user', 'runs as root', 'hearthd needs no privileges. Run the daemon as its own user (manual: install).');
}

/**
 * @param lastWritten the time of the last data write, in milliseconds; `undefined` if there is no data.
 * @param exists checks whether a path exists.
 */
export function checkClock(now: number, lastWritten: number | undefined, exists = existsSync): Finding {
  const time = new Date(now).toISOString();
  const fix = 'Set the time: sudo timedatectl set-ntp true. Tokens and schedules depend on it.';
  if (now < EARLIEST_SANE_TIME || now > LATEST_SANE_TIME) return fail('clock', `the clock shows ${time}`, fix);
  if (lastWritten !== undefined && lastWritten > now + 60_000) {
    return warn('clock', `the clock shows ${time}, but the data was written later`, fix);
  }
  if (exists(TIMESYNC_FOLDER) && !exists(TIMESYNC_MARK)) {
    return warn('clock', `the clock shows ${time}, not synchronized since the start`, fix);
  }
  return ok('clock', `the clock shows ${time}`);
}

export interface Interface {
  readonly name: string;
  readonly address: string;
  readonly internal: boolean;
}

/** IPv4 addresses, by interface. */
export function listInterfaces(): readonly Interface[] {
  return Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses.filter(({ family }) => family === 'IPv4').map(({ address, internal }) => ({ name, address, internal })),
  );
}

/** @param wanted the configured interfaces; empty = all. */
export function checkInterfaces(present: readonly Interface[], wanted: readonly string[]): readonly Finding[] {
  const names = [...new Set(present.map(({ name }) => name))];
  const missing = wanted.filter((name) => !names.includes(name));
  if (missing.length > 0) {
    return missing.map((name) => {
      const meant = nearest(name, names);
      const hint = meant ? `Did you mean ${meant}?` : `Available: ${names.join(', ') || 'none'}.`;
      return fail(
        'interfaces',
        `interface ${name} does not exist or has no IPv4 address`,
        `${hint} Correct --interface.`,
      );
    });
  }
  const used = present.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  if (wanted.length === 0 && used.every(({ internal }) => internal)) {
    return [
      fail('interfaces', 'no network besides loopback', 'Connect this computer to the network of the accessories.'),
    ];
  }
  return [ok('interfaces', used.map(({ name, address }) => `${name} (${address})`).join(', '))];
}
