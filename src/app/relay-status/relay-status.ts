/**
 * The status of the relay, as an operation: the process, its computer, the network, and the size of its data.
 * Everything is looked up on request; no device and no other computer is contacted. Metrics for long-term monitoring
 * are in `app/metrics`.
 */
import { availableParallelism, freemem, loadavg, totalmem } from 'node:os';
import { parseInput } from '../../contract/parse.ts';
import { RelayLoadQuery, type RelayWarning } from '../../contract/relay.ts';
import type { PairingDriver } from '../../home/pairing-driver.ts';
import type { Database } from '../../storage/database.ts';
import { diskOf, setAsideIn } from '../../storage/directory-state.ts';
import type { DisposableDatabase } from '../../storage/disposable-database.ts';
import type { AppDeps } from '../access/app-deps.ts';
import type { Caller } from '../access/caller.ts';
import type { DelivererStats } from '../webhooks/deliverer.ts';
import { bytesOf, type LoadHistory, type RelayLoadReport } from './load-history.ts';
import type { RelayOperationDeps } from './relay-deps.ts';
import type { RelayReport } from './relay-report.ts';
import { warningsOf } from './relay-warnings.ts';

export interface RelayStatusReport extends RelayReport {
  /** Most urgent first. */
  readonly warnings: readonly RelayWarning[];
}

interface Deps extends AppDeps<'state' | 'access' | 'clock'> {
  readonly relay: RelayOperationDeps;
  readonly drivers: { readonly hap: Pick<PairingDriver, 'listPaired' | 'listDiscovered'> };
  readonly engine: { readonly size: number; readonly underWay: number };
  readonly updateCheck: { readonly newVersion: string | null; readonly askedAt: number | null };
  readonly deliverer: { stats(): DelivererStats };
  readonly database: Database;
  readonly historyDatabase: DisposableDatabase;
  readonly loadHistory: Pick<LoadHistory, 'recent' | 'lastDays'>;
}

export class RelayOverview {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Requires an admin of any home: the report aggregates all homes and names none.
   * @returns times in milliseconds since the epoch, sizes in bytes.
   * @throws `insufficient_permissions`
   */
  async read(caller: Caller): Promise<RelayStatusReport> {
    const { access, relay, updateCheck, clock, loadHistory } = this.#deps;
    access.authorizeAny(caller, 'manage');
    const facts = relay.facts();
    const report: RelayReport = {
      ...facts,
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      pid: process.pid,
      newVersion: updateCheck.newVersion,
      updatesAskedAt: updateCheck.askedAt,
      now: clock.now(),
      timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
      memory: { process: process.memoryUsage.rss(), free: freemem(), total: totalmem() },
      load: loadavg(),
      processors: availableParallelism(),
      disk: await diskOf(facts.dataDirectory),
      databases: this.#databases(),
      setAside: await setAsideIn(facts.dataDirectory),
      counts: this.#counts(),
      lastDay: loadHistory.recent(),
    };
    return { ...report, warnings: warningsOf(report) };
  }

  /**
   * How busy it was, and when it started. Requires an admin of any home, as its status.
   * @param query `days` 1–7, 1 if left out.
   * @throws `insufficient_permissions` · `invalid_value`
   */
  readLoad(caller: Caller, query: RelayLoadQuery = {}): RelayLoadReport {
    const { access, loadHistory } = this.#deps;
    access.authorizeAny(caller, 'manage');
    return loadHistory.lastDays(parseInput(RelayLoadQuery, query).days);
  }

  #databases(): RelayReport['databases'] {
    const { database, historyDatabase } = this.#deps;
    return [
      { name: 'relay', bytes: bytesOf(() => database) },
      { name: 'history', bytes: bytesOf(() => historyDatabase.current) },
    ];
  }

  #counts(): RelayReport['counts'] {
    const { state, drivers, engine, deliverer } = this.#deps;
    const accessories = state.accessories();
    const paired = drivers.hap.listPaired();
    return {
      homes: state.homes().length,
      accessories: accessories.length,
      unreachableAccessories: accessories.filter(({ reachable }) => !reachable).length,
      pairedDevices: paired.length,
      connectedDevices: paired.filter(({ status }) => status === 'connected').length,
      offlineDevices: paired.filter(({ status }) => status === 'offline').length,
      pairingsLost: paired.filter(({ status }) => status === 'pairing_lost').length,
      seenByMulticast: drivers.hap.listDiscovered().filter(({ via }) => via === 'mdns').length,
      automations: engine.size,
      automationRunsUnderWay: engine.underWay,
      webhookDeliveriesWaiting: deliverer.stats().queued,
    };
  }
}
