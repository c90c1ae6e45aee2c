/** Checks a running daemon; without one, whether its port is free. */

import { createServer } from 'node:net';
import type { Config } from '../../config/config.ts';
import type { DiscoveredDevice, Pairing } from '../../contract/pairings.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { ApiClient } from '../api-client.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const PROBE_TIMEOUT_MS = 2_000;

interface Health {
  readonly version: string;
  /** Distinguishes installations. */
  readonly instanceId: string;
}

export async function checkDaemon(api: ApiClient): Promise<readonly Finding[]> {
  try {
    const { version } = await api.get<Health>('/health');
    return [
      ok('socket', `the daemon answers (version ${version})`),
      ...(await checkReady(api)),
      ...(await checkDevices(api)),
    ];
  } catch (error) {
    return [fail('socket', messageOf(error), 'sudo systemctl restart hearthd; see its log (journalctl -u hearthd).')];
  }
}

async function checkReady(api: ApiClient): Promise<readonly Finding[]> {
  try {
    await api.get('/ready');
    return [ok('ready', 'ready')];
  } catch (error) {
    return [
      warn(
        'ready',
        `not ready: ${messageOf(error)}`,
        'After a start, wait a few seconds. Then see journalctl -u hearthd.',
      ),
    ];
  }
}

async function checkDevices(api: ApiClient): Promise<readonly Finding[]> {
  const discovered = await api.get<DiscoveredDevice[]>('/rest/discovered');
  const pairings = await api.get<Pairing[]>('/rest/pairings');
  const seen =
    discovered.length > 0
      ? ok('discovery', `${discovered.length} accessories found on the network`)
      : warn(
          'discovery',
          'no accessories found on the network',
          'Accessories must be on the same network: containers, VLANs and guest Wi-Fi block multicast (manual: troubleshooting).',
        );
  const troubled = pairings.filter(({ status }) => status !== 'connected' && status !== 'paused');
  const connections = troubled.map(({ name, deviceId, status, statusDetail }) =>
    warn(
      'devices',
      `${name} (${deviceId}) is ${status.replaceAll('_', ' ')}`,
      statusDetail ?? 'Check its power and network.',
    ),
  );
  return [seen, ...(troubled.length > 0 ? connections : [ok('devices', `${pairings.length} paired, no problems`)])];
}

/** While the daemon of this directory runs: checks that it is the one that responds on the port. */
export async function checkOwnPort(api: ApiClient, { port, host, tls }: Config): Promise<Finding> {
  if (tls) return ok('port', 'not checked: the daemon uses TLS');
  const elsewhere = `the daemon is running, but does not answer on port ${port}`;
  const fix = 'It may run with other settings. Pass the same --port and --host to doctor.';
  try {
    const own = await api.get<Health>('/health');
    const there = await healthOn(port, host[0]);
    if (there === undefined) return warn('port', elsewhere, fix);
    if (there.instanceId === own.instanceId) return ok('port', `the daemon answers on port ${port}`);
    return warn('port', `${elsewhere}: another hearthd answers there`, fix);
  } catch {
    return warn('port', elsewhere, 'See the socket check.');
  }
}

/** While no daemon runs: checks that the port is free. */
export async function checkFreePort({ port, host: [host] }: Config): Promise<Finding> {
  try {
    await listenOnce(port, host);
    return ok('port', port === 0 ? 'any free port' : `port ${port} is free`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const fixes: Record<string, string> = {
      EADDRINUSE: `Stop the program that uses it (sudo ss -ltnp 'sport = :${port}'), or choose another port with --port.`,
      EACCES: 'Ports below 1024 need privileges. Choose another one with --port.',
      EADDRNOTAVAIL: `${host} is not an address of this computer. Correct --host.`,
    };
    return fail(
      'port',
      `port ${port} cannot be opened: ${messageOf(error)}`,
      fixes[code ?? ''] ?? 'Choose another one with --port.',
    );
  }
}

/** @returns `undefined` without a response from a hearthd. */
async function healthOn(port: number, host = '127.0.0.1'): Promise<Health | undefined> {
  const local = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const authority = local.includes(':') ? `[${local}]` : local;
  try {
    const response = await fetch(`http://${authority}:${port}/health`, {
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    return (await response.json()) as Health;
  } catch {
    return undefined;
  }
}

function listenOnce(port: number, host: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host }, () => server.close(() => resolve()));
  });
}
