/**
 * The composition root: creates every module, starts them in order and stops them in reverse. The daemon and the tests
 * both use it; `overrides` is the only way to replace a module.
 */
import type { HttpServer } from './api/server.ts';
import { Restorer } from './app/backup/restorer.ts';
import { RelaySettingStore } from './app/settings/relay-setting-store.ts';
import type { Config } from './config/config.ts';
import { LiveConfig } from './config/live-config.ts';
import { NIGHTLY_BACKUP } from './home/vocabulary/nightly-backup.ts';
import { systemClock } from './kernel/clock.ts';
import { messageOf } from './kernel/errors.ts';
import { Lifecycle, type Startable } from './kernel/lifecycle.ts';
import { createLog } from './kernel/logger.ts';
import { Switched } from './kernel/switched.ts';
import { buildAdvertiser } from './relay/build-advertiser.ts';
import { buildApi } from './relay/build-api.ts';
import { buildDevices } from './relay/build-devices.ts';
import { buildHome } from './relay/build-home.ts';
import { buildOperations } from './relay/build-operations.ts';
import { buildOutgoing } from './relay/build-outgoing.ts';
import { OwnAddresses } from './relay/own-addresses.ts';
import type { RelayDeps, RelayOverrides } from './relay/relay-deps.ts';
import { type StartOrder, startOrder } from './relay/start-order.ts';
import { BackupFolder } from './storage/backups/backup-folder.ts';
import { NightlySnapshots } from './storage/backups/nightly-snapshots.ts';
import { type DataDirectory, openDataDirectory, RELAY_DATABASE } from './storage/data-directory.ts';
import type { Database } from './storage/database.ts';
import { openOrRestore } from './storage/recovery.ts';

export interface Relay extends Startable {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** A URL that reaches it from this machine, once started. */
  readonly url: string;
  /** The separate port for WebSockets, once started. */
  readonly wsPort: number;
  /** Resolves with the error if the relay cannot start again after a restore; it then serves nothing. */
  readonly lost: Promise<unknown>;
  /** Answers a request as the HTTP API does, without a network. */
  fetch(request: Request): Promise<Response>;
}

/** Creates a relay, which does nothing before `start`. */
export function createRelay(config: Config, overrides: RelayOverrides = {}): Relay {
  const log = overrides.log ?? createLog({ level: config.logLevel, format: config.logFormat });
  const logger = overrides.logger ?? log.logger;
  const clock = overrides.clock ?? systemClock;
  // The lock on the data directory outlives a restart from a backup; everything else belongs to the home.
  const outerLifecycle = new Lifecycle(logger);
  const lifecycle = new Lifecycle(logger);
  let ports = { port: config.port, wsPort: config.wsPort };
  let parts: RelayParts | undefined;
  let restorer: Restorer | undefined;
  const started = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('The relay has not been started');
    return part;
  };
  const startParts = async (directory: DataDirectory, restorer: Restorer): Promise<void> => {
    const database = openOrRestore(directory.file(RELAY_DATABASE), logger);
    await lifecycle.start('database', { start() {}, stop: () => closeDatabase(database) });
    const backupFolder = new BackupFolder(directory.file(RELAY_DATABASE));
    await lifecycle.start(
      'nightly snapshots',
      new NightlySnapshots({ database, folder: backupFolder, clock, logger, ...NIGHTLY_BACKUP }),
    );
    const live = new LiveConfig({ ...config, ...ports });
    const problems = live.restore(new RelaySettingStore(database).load());
    for (const problem of problems) logger.warn({ problem }, 'Ignored a stored setting');
    live.follow(({ logLevel }) => {
      log.level = logLevel;
    });
    parts = build({ live, overrides, log, logger, clock, directory, database, backupFolder, restorer });
    for (const [name, part] of parts.inStartOrder) await lifecycle.start(name, part);
    // With a random free port, the relay keeps the one that clients know.
    ports = { port: parts.server.port, wsPort: parts.server.wsPort };
  };
  return {
    async start() {
      const directory = openDataDirectory(config.dataDir);
      await outerLifecycle.start('data directory', { start() {}, stop: () => directory.close() });
      const again: Restorer = new Restorer({
        ...{ path: directory.file(RELAY_DATABASE), clock, logger },
        stopParts: () => lifecycle.stop(),
        startParts: () => startParts(directory, again),
      });
      restorer = again;
      restorer.sweep();
      await startParts(directory, restorer);
    },
    async stop() {
      await restorer?.settled();
      await lifecycle.stop();
      await outerLifecycle.stop();
    },
    get lost() {
      return started(restorer).lost;
    },
    get url() {
      return started(parts).server.url;
    },
    get wsPort() {
      return started(parts).server.wsPort;
    },
    fetch: async (request) => started(parts).fetch(request),
  };
}

interface RelayParts {
  readonly server: HttpServer;
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly inStartOrder: StartOrder;
}

function build(deps: RelayDeps): RelayParts {
  const { live, logger } = deps;
  const addresses = new OwnAddresses();
  const home = buildHome(deps);
  const devices = buildDevices(deps, home);
  const outgoing = buildOutgoing(deps, addresses);
  const operations = buildOperations(deps, home, devices, outgoing, addresses);
  const api = buildApi(deps, home, outgoing, operations, addresses);
  const advertiser = buildAdvertiser(deps, devices, operations, api);
  addresses.bind(api.server, advertiser);
  const advertisement = new Switched(advertiser, () => live.current.advertise);
  live.onChange((now, before) => {
    const { operations: ours, recording } = operations.app;
    if (now.mqtt !== before.mqtt) ours.brokers.reconfigure();
    devices.configuredDevices.follow(now.manualDevices);
    advertisement
      .follow()
      .catch((error: unknown) => logger.error({ error: messageOf(error) }, 'Could not advertise the relay'));
    if (now.historyMaxMb !== before.historyMaxMb) void recording.keeper.run();
  });
  return {
    server: api.server,
    fetch: (request) => api.api.fetch(request),
    inStartOrder: startOrder({ home, devices, outgoing, operations, api, advertisement }, logger),
  };
}

function closeDatabase(database: Database): void {
  // Leaves one file instead of three, and planner statistics for the next start.
  database.pragma('optimize');
  database.close();
}
