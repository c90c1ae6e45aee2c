/**
 * Warnings about the relay for its admins: what is wrong, and what to do. A list of rules over its status, which use
 * only known data. `pairings` reports which device does not answer.
 */
import type { RelayWarning } from '../../contract/relay.ts';
import type { InstallKind } from '../../kernel/install-kind.ts';
import type { RelayReport } from './relay-report.ts';

/** hearthd did not exist before this time: an earlier clock was never set. */
const EARLIEST_SANE_TIME = Date.UTC(2025, 0, 1);
/** Below this, SQLite's copies and a day's log no longer fit. */
const MIN_FREE_BYTES = 200_000_000;
const SCARCE_FREE_BYTES = 1_000_000_000;
const BYTES_PER_MB = 1_000_000;

const WAYS_TO_UPGRADE: Readonly<Record<InstallKind, string>> = {
  apt: 'Download its Debian package, then run: sudo hearthd upgrade FILE.deb',
  npm: 'Run: sudo hearthd upgrade',
  tarball: 'Download its archive, then run: sudo hearthd upgrade FILE.tar.xz',
  image: 'Name its image in HEARTHD_IMAGE, then run: docker compose pull && docker compose up --detach',
  checkout: 'Run the lines for a checkout in the manual (Install, Upgrade).',
};

type Rule = (report: RelayReport) => RelayWarning | undefined;

const RULES: readonly Rule[] = [
  ({ now }) =>
    now < EARLIEST_SANE_TIME
      ? {
          code: 'clock_not_set',
          severity: 'error',
          message: 'The clock of the computer is not set.',
          remedy: 'Set it, or let it ask a time server: sudo timedatectl set-ntp true.',
          values: {},
        }
      : undefined,
  ({ disk }) => {
    if (!disk || disk.freeBytes >= SCARCE_FREE_BYTES) return undefined;
    const freeMb = Math.floor(disk.freeBytes / BYTES_PER_MB);
    return {
      code: 'disk_nearly_full',
      severity: disk.freeBytes < MIN_FREE_BYTES ? 'error' : 'warning',
      message: `Only ${freeMb} MB are free on the disk that everything is kept on.`,
      remedy: 'Delete what is not needed there, or let the history take less (setting history_max_mb).',
      values: { freeMb },
    };
  },
  ({ databases }) =>
    databases.some(({ name, bytes }) => name === 'history' && bytes === null)
      ? {
          code: 'history_unavailable',
          severity: 'error',
          message: 'The database of the history can’t be opened, so nothing is recorded.',
          remedy: 'The log has the cause; the relay retries.',
          values: {},
        }
      : undefined,
  ({ setAside }) =>
    setAside.length > 0
      ? {
          code: 'database_set_aside',
          severity: 'warning',
          message: `A database was damaged and set aside: ${setAside.join(', ')}.`,
          remedy: 'Check the disk it is on. Once nothing is missing, delete the file in the data directory.',
          values: { files: setAside.join(', ') },
        }
      : undefined,
  ({ interfaces }) =>
    interfaces.length === 0
      ? {
          code: 'no_network',
          severity: 'error',
          message: 'There is no network on which accessories could be found.',
          remedy: 'Connect the computer to the network that the accessories are on, or correct the setting interface.',
          values: {},
        }
      : undefined,
  ({ interfaces, areInterfacesChosen }) => {
    const names = [...new Set(interfaces.map(({ name }) => name))];
    if (areInterfacesChosen || names.length < 2) return undefined;
    return {
      code: 'several_interfaces',
      severity: 'info',
      message: `Accessories are looked for on several networks: ${names.join(', ')}.`,
      remedy: 'If some are found twice or not at all, choose one with the setting interface.',
      values: { names: names.join(', ') },
    };
  },
  ({ counts, interfaces }) =>
    counts.pairedDevices > 0 && counts.seenByMulticast === 0 && interfaces.length > 0
      ? {
          code: 'multicast_unheard',
          severity: 'warning',
          message: 'No accessory announces itself: multicast does not seem to reach this computer.',
          remedy:
            'Allow multicast (mDNS) between the accessories and this computer in the router, or name them in the setting manual_device.',
          values: {},
        }
      : undefined,
  ({ counts: { pairingsLost: count } }) =>
    count > 0
      ? {
          code: 'pairings_lost',
          severity: 'error',
          message:
            count === 1
              ? 'One accessory no longer knows this relay.'
              : `${count} accessories no longer know this relay.`,
          remedy: 'Unpair them here and pair them again; they keep their names, rooms and automations.',
          values: { count },
        }
      : undefined,
  ({ counts: { offlineDevices: count } }) =>
    count > 0
      ? {
          code: 'devices_offline',
          severity: 'warning',
          message: count === 1 ? 'One paired device does not answer.' : `${count} paired devices do not answer.`,
          remedy: 'Check that they have power and are in reach. Since when, and why, stands with each of them.',
          values: { count },
        }
      : undefined,
  ({ settingProblems }) =>
    settingProblems.length > 0
      ? {
          code: 'settings_left_out',
          severity: 'warning',
          message: `Some settings are no good any more and left out: ${settingProblems.join(' ')}`,
          remedy: 'Set them again.',
          values: { problems: settingProblems.join(' ') },
        }
      : undefined,
  ({ newVersion, install }) =>
    newVersion === null
      ? undefined
      : {
          code: 'new_version',
          severity: 'info',
          message: `Version ${newVersion} is out.`,
          remedy: WAYS_TO_UPGRADE[install],
          values: { version: newVersion, install },
        },
];

/** Most urgent first. */
export function warningsOf(report: RelayReport): readonly RelayWarning[] {
  const order = ['error', 'warning', 'info'];
  return RULES.flatMap((rule) => rule(report) ?? []).sort(
    (a, b) => order.indexOf(a.severity) - order.indexOf(b.severity),
  );
}
