/** Checks a running daemon; without one, whether its port is free. */
import { createServer } from 'node:net';
import type { Config } from '../../config/config.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { ApiClient } from '../api-client.ts';
import type { DiscoveredResource, PairingResource } from '../api-resources.ts';
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
    return [
      fail(
        'socket',
        messageOf(error),
        'sudo systemctl restart hearthd; its log (journalctl -u hearthd) says what happened.',
      ),
    ];
  }
}

async function checkReady(api: ApiClient): Promise<readonly Finding[]> {
  try {
    await api.get('/ready');
    return [ok('ready', 'it has looked around and serves')];
  } catch (error) {
    return [
      warn(
        'ready',
        `not ready: ${messageOf(error)}`,
        'Wait a few seconds after a start; then see journalctl -u hearthd.',
      ),
    ];
  }
}

async function checkDevices(api: ApiClient): Promise<readonly Finding[]> {
  const discovered = await api.get<DiscoveredResource[]>('/rest/discovered');
  const pairings = await api.get<PairingResource[]>('/rest/pairings');
  const seen =
    discovered.length > 0
      ? ok('discovery', `${discovered.length} accessories seen on the network`)
      : warn(
          'discovery',
          'no accessory seen on the network',
          'Accessories must be on the same network: containers, VLANs and guest Wi-Fi keep multicast out (manual: troubleshooting).',
        );
  const troubled = pairings.filter(({ status }) => status !== 'connected' && status !== 'paused');
  const connections = troubled.map(({ name, deviceId, status, statusDetail }) =>
    warn(
      'devices',
      `${name} (${deviceId}) is ${status.replaceAll('_', ' ')}`,
      statusDetail ?? 'Check its power and network.',
    ),
  );
  return [seen, ...(troubled.length > 0 ? connections : [ok('devices', `${pairings.length} paired, none in trouble`)])];
}

/** While the daemon of this directory runs: checks that it is the one that responds on the port. */
export async function checkOwnPort(api: ApiClient, { port, host, tls }: Config): Promise<Finding> {
  if (tls) return ok('port', 'not tried: the daemon serves TLS');
  const elsewhere = `the daemon runs, but does not answer on port ${port}`;
  const fix = 'It may have been started with other settings: give doctor the same --port and --host.';
  try {
    const own = await api.get<Health>('/health');
    const there = await healthOn(port, host[0]);
    if (there === undefined) return warn('port', elsewhere, fix);
    if (there.instanceId === own.instanceId) return ok('port', `the daemon answers on port ${port}`);
    return warn('port', `${elsewhere}: that is another hearthd’s`, fix);
  } catch {
    return warn('port', elsewhere, 'See the line about the socket.');
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
      EADDRINUSE: `Stop the program that has it (sudo ss -ltnp 'sport = :${port}'), or choose another one with --port.`,
      EACCES: 'Ports below 1024 need privileges: choose another one with --port.',
      EADDRNOTAVAIL: `${host} is no address of this computer: correct --host.`,
    };
    return fail(
      'port',
      `port ${port} can't be opened: ${messageOf(error)}`,
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
