/** Builds the services for webhooks: management and delivery. Contains no rules of its own. */
import type { EventReports } from '../../home/event-reports.ts';
import type { HttpJudge, HttpSender } from '../../home/http-sender.ts';
import type { Database } from '../../storage/database.ts';
import type { DisposableDatabase } from '../../storage/disposable-database.ts';
import type { Developers } from '../access/access-tokens.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { CollectionStore } from '../groups/collection-store.ts';
import type { Collections } from '../groups/collections.ts';
import type { Notifier } from '../notifications/notifier.ts';
import { Deliverer } from './deliverer.ts';
import { Deliveries } from './deliveries.ts';
import { DeliveryLog } from './delivery-log.ts';
import { DeliveryLogStore } from './delivery-log-store.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import { WebhookRegistry } from './webhook-registry.ts';
import { WebhookScope } from './webhook-scope.ts';
import { WebhookStore } from './webhook-store.ts';
import { Webhooks } from './webhooks.ts';

interface Deps extends AppDeps<'state' | 'access' | 'makers' | 'bus' | 'clock' | 'timers' | 'logger'> {
  readonly database: Database;
  readonly historyDatabase: DisposableDatabase;
  readonly reports: EventReports;
  readonly developers: Developers;
  readonly collections: Collections;
  readonly notifier: Notifier;
  readonly http: HttpSender & HttpJudge;
}

export function createWebhooks(deps: Deps) {
  const { database, historyDatabase, bus, clock, http } = deps;
  const registry = new WebhookRegistry({ store: new WebhookStore(database), bus });
  const scope = new WebhookScope({ ...deps, collections: new CollectionStore(database) });
  const queue = new DeliveryQueue(database);
  const log = new DeliveryLog({ ...deps, store: new DeliveryLogStore(historyDatabase) });
  const deliverer = new Deliverer({ ...deps, registry, scope, queue, log });
  const deliveries = new Deliveries({ ...deps, deliverer, queue, log, registry });
  return {
    operations: { webhooks: new Webhooks({ ...deps, registry, deliveries, judge: (url) => http.judge(url) }) },
    /** Start it after the history's database and the HTTP sender. */
    deliverer,
    /** Secrets from before a rotation, for `AccessUpkeep`. */
    oldSecrets: { noteExpired: () => registry.forgetOldSecrets(clock.now()) },
    /** Called every night. */
    async prune(): Promise<void> {
      registry.forgetOldSecrets(clock.now());
      await log.prune();
    },
  };
}
