import { setTimeout as delay } from 'node:timers/promises';
import type { Home } from '../../contract/homes.ts';
import type { DiscoveredDevice } from '../../contract/pairings.ts';
import { categoryTitle } from '../../hap-spec/categories.ts';
import type { ApiClient } from '../api-client.ts';
import { defineCommand } from '../define-command.ts';
import { usageError } from '../exit-codes.ts';
import { type CommandOutput, formatTable } from '../output.ts';

const REDRAW_MS = 1_000;
/** More frequent queries find nothing new: accessories announce themselves. */
const REFRESH_EVERY_DRAWS = 15;
const HEAD = ['Name', 'Device id', 'Kind', 'Model', 'Address', 'Status'];
const NONE =
  'No accessories found. Check that they have power and are on the same network. Check multicast with hearthd doctor, or add host:port with --add.';

/** `hearthd discover`: lists devices on the network; on a terminal a table that updates until Ctrl-C. */
export const discoverCommand = defineCommand({
  name: 'discover',
  description: 'show accessories on the network (live on a terminal)',
  options: [
    ['--once', 'show them once and exit'],
    ['--wait <seconds>', 'seconds to listen before showing once', '2'],
    ['--add <host:port>', 'add an accessory that multicast does not reach'],
    ['--remove <host:port>', 'remove an added accessory'],
  ],
  examples: ['hearthd discover', 'hearthd discover --once --json', 'hearthd discover --add 192.168.20.7:51826'],
  async run({ api, output }, { once, wait, add, remove }) {
    if (add !== undefined) await api.send('POST', '/rest/discovered/manual', { hostPort: add });
    if (remove !== undefined) await api.send('DELETE', '/rest/discovered/manual', { hostPort: remove });
    const waitMs = Number(wait) * 1000;
    if (!(waitMs >= 0 && waitMs <= 60_000)) throw usageError('--wait must be 0 to 60 seconds.');
    await api.send('POST', '/rest/discovered/refresh');
    if (once || output.json || !output.terminal.isTty) await showOnce(api, output, waitMs);
    else await showLive(api, output);
  },
});

async function showOnce(api: ApiClient, output: CommandOutput, waitMs: number): Promise<void> {
  await delay(waitMs);
  const devices = await api.get<DiscoveredDevice[]>('/rest/discovered');
  const homes = await api.get<Home[]>('/rest/homes');
  output.result(devices, () =>
    output.table(
      HEAD,
      devices.map((device) => rowOf(device, homes)),
      NONE,
    ),
  );
}

async function showLive(api: ApiClient, output: CommandOutput): Promise<void> {
  const { terminal } = output;
  const interrupted = terminal.untilInterrupted();
  let drawnLines = 0;
  for (let draw = 1; !interrupted.aborted; draw++) {
    const devices = await api.get<DiscoveredDevice[]>('/rest/discovered');
    const homes = await api.get<Home[]>('/rest/homes');
    const rows = devices.map((device) => rowOf(device, homes));
    const count = devices.length === 1 ? '1 accessory' : `${devices.length} accessories`;
    const table = rows.length === 0 ? `${NONE}\n` : formatTable(HEAD, rows, true);
    const text = `${table}${output.style('dim', `${count}. Press Ctrl-C to stop.`)}\n`;
    // Moves to the first line of the last drawing, and clears from there.
    terminal.out(`${drawnLines > 0 ? `\u001b[${drawnLines}A\u001b[0J` : ''}${text}`);
    drawnLines = text.split('\n').length - 1;
    if (draw % REFRESH_EVERY_DRAWS === 0) await api.send('POST', '/rest/discovered/refresh');
    await delay(REDRAW_MS, undefined, { signal: interrupted }).catch(() => undefined);
  }
}

function rowOf(device: DiscoveredDevice, homes: readonly Home[]): readonly string[] {
  const { name, deviceId, category, model, addresses, port } = device;
  const [address = ''] = addresses;
  const place = address === '' ? '' : address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
  return [name, deviceId, categoryTitle(category), model, place, statusOf(device, homes)];
}

function statusOf({ pairedHere, pairable, homeId }: DiscoveredDevice, homes: readonly Home[]): string {
  if (pairedHere) return `paired in ${homes.find(({ id }) => id === homeId)?.name ?? 'this relay'}`;
  return pairable ? 'ready to pair' : 'paired elsewhere: unpair it there first';
}
