/** What doctor finds out about the computer itself. */
import { existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { nearest } from '../../kernel/nearest.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** package.json's `engines`. */
const OLDEST_NODE = [20, 19] as const;
/** No hearthd is older than this: a clock before it was never set. */
const EARLIEST_SANE_TIME = Date.UTC(2025, 0, 1);
const LATEST_SANE_TIME = Date.UTC(2100, 0, 1);
/** systemd-timesyncd touches it once it has heard from a time server. */
const TIMESYNC_MARK = '/run/systemd/timesync/synchronized';
const TIMESYNC_FOLDER = '/run/systemd/timesync';

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return ok('node', `Node ${version}`);
  return fail('node', `Node ${version} is too old`, `Install Node ${OLDEST_NODE.join('.')} or newer.`);
}

/** @param running whether a daemon runs: doctor itself may well be run by root. */
export function checkUser(uid: number | undefined, running: boolean): Finding {
  if (uid !== 0 || running) return ok('user', `runs as user ${uid ?? 'unknown'}`);
  return warn(
    'user',
    'runs as root',
    'hearthd needs no privileges: run the daemon as a user of its own (README, installation).',
  );
}

/**
 * @param lastWritten when the data was written last, in milliseconds; `undefined` if there is none.
 * @param exists tells whether a path exists.
 */
export function checkClock(now: number, lastWritten: number | undefined, exists = existsSync): Finding {
  const time = new Date(now).toISOString();
  const fix = 'Set the time: sudo timedatectl set-ntp true. Tokens expire and schedules run by it.';
  if (now < EARLIEST_SANE_TIME || now > LATEST_SANE_TIME) return fail('clock', `the clock says ${time}`, fix);
  if (lastWritten !== undefined && lastWritten > now + 60_000) {
    return warn('clock', `the clock says ${time}, but the data was written later than that`, fix);
  }
  if (exists(TIMESYNC_FOLDER) && !exists(TIMESYNC_MARK)) {
    return warn('clock', `the clock says ${time}, not confirmed by a time server since the start`, fix);
  }
  return ok('clock', `the clock says ${time}`);
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

/** @param wanted the interfaces that are configured; empty = all. */
export function checkInterfaces(present: readonly Interface[], wanted: readonly string[]): readonly Finding[] {
  const names = [...new Set(present.map(({ name }) => name))];
  const missing = wanted.filter((name) => !names.includes(name));
  if (missing.length > 0) {
    return missing.map((name) => {
      const meant = nearest(name, names);
      const hint = meant ? `Did you mean ${meant}?` : `There are ${names.join(', ') || 'none'}.`;
      return fail(
        'interfaces',
        `interface ${name} is not there or has no IPv4 address`,
        `${hint} Correct --interface.`,
      );
    });
  }
  const used = present.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  if (wanted.length === 0 && used.every(({ internal }) => internal)) {
    return [
      fail(
        'interfaces',
        'no network besides loopback',
        'Connect this computer to the network that the accessories are on.',
      ),
    ];
  }
  return [ok('interfaces', used.map(({ name, address }) => `${name} (${address})`).join(', '))];
}
