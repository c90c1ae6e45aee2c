/** What the parts of a relay are built from. */
import type { LiveRingLimits } from '../api/live/live-ring.ts';
import type { Restorer } from '../app/backup/restorer.ts';
import type { LiveConfig } from '../config/live-config.ts';
import type { Discovery } from '../drivers/discovery/discovery.ts';
import type { HomeDeps } from '../home/home-deps.ts';
import type { OpenMatterBridge } from '../home/matter-port.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log, Logger } from '../kernel/logger.ts';
import type { BackupFolder } from '../storage/backups/backup-folder.ts';
import type { DataDirectory } from '../storage/data-directory.ts';
import type { Database } from '../storage/database.ts';

/** Replacements of modules for tests. */
export interface RelayOverrides {
  readonly clock?: Clock;
  /**
   * Replaces the log that writes to stdout; `logger` replaces only the output and keeps the log's level and last lines.
   */
  readonly log?: Log;
  readonly logger?: Logger;
  readonly discovery?: Discovery;
  /** Puts something between the relay and its discovery. */
  readonly wrapDiscovery?: (discovery: Discovery) => Discovery;
  readonly pagesDirectory?: string;
  readonly openMatterBridge?: OpenMatterBridge;
  /** Lets the relay pair bridges that a relay publishes, also its own. */
  readonly pairsPublications?: boolean;
  /** Buffer limits for streams that are slow or reconnect. */
  readonly liveLimits?: Partial<LiveRingLimits>;
}

export interface RelayDeps extends HomeDeps<'clock' | 'logger'> {
  readonly live: LiveConfig;
  readonly overrides: RelayOverrides;
  readonly log: Log;
  readonly directory: DataDirectory;
  readonly database: Database;
  readonly backupFolder: BackupFolder;
  readonly restorer: Restorer;
}
