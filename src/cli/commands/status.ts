import type { RelayStatus } from '../../contract/relay.ts';
import { defineCommand } from '../define-command.ts';
import { EXIT } from '../exit-codes.ts';
import type { Cell, CommandOutput } from '../output.ts';

const BYTES_PER_MB = 1_000_000;
const SECOND_MS = 1_000;
const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** `hearthd status`: the status of the relay, and problems that need attention. */
export const statusCommand = defineCommand({
  name: 'status',
  description: 'show the status of the relay and its warnings',
  examples: ['hearthd status', 'hearthd status --json'],
  async run({ api, output }) {
    const status = await api.get<RelayStatus>('/rest/relay');
    output.result(status, () => {
      output.table(['What', 'Is'], rowsOf(status, output), '');
      for (const { severity, message, remedy } of status.warnings) output.note(`${severity}: ${message} ${remedy}`);
    });
    return status.warnings.some(({ severity }) => severity === 'error') ? EXIT.failed : EXIT.ok;
  },
});

function rowsOf(status: RelayStatus, output: CommandOutput): readonly (readonly Cell[])[] {
  const { counts, disk, memory } = status;
  return [
    ['Relay', `${status.name}, hearthd ${status.version} on Node ${status.node} (${status.platform})`],
    ['Running', `${spanText(status.uptimeMs)}, since ${output.when(status.startedAt)}`],
    ['Addresses', status.addresses.join(' ')],
    ['Advertised as', status.advertisedAs ?? 'nothing'],
    ['Networks', status.interfaces.map(({ name }) => name).join(' ') || 'none'],
    ['Homes', counts.homes],
    ['Accessories', `${counts.accessories}, ${counts.unreachableAccessories} unreachable`],
    ['Paired devices', `${counts.pairedDevices}, ${counts.connectedDevices} connected`],
    ['Automations', `${counts.automations}, ${counts.automationRunsUnderWay} running`],
    ['Memory', `${megabytes(memory.process)} of ${megabytes(memory.total)}`],
    ['Load', status.load.map((each) => each.toFixed(2)).join(' ')],
    ['Disk', disk === null ? 'unknown' : `${megabytes(disk.freeBytes)} free of ${megabytes(disk.totalBytes)}`],
    ...status.databases.map(({ name, bytes }) => [
      `${name}.db`,
      bytes === null ? 'cannot be opened' : megabytes(bytes),
    ]),
    ['Data directory', status.dataDirectory],
  ];
}

function megabytes(bytes: number): string {
  return `${(bytes / BYTES_PER_MB).toFixed(1)} MB`;
}

function spanText(ms: number): string {
  const seconds = Math.floor(ms / SECOND_MS);
  const days = Math.floor(seconds / DAY_S);
  const hours = Math.floor((seconds % DAY_S) / HOUR_S);
  const minutes = Math.floor((seconds % HOUR_S) / MINUTE_S);
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % MINUTE_S} s`;
}
