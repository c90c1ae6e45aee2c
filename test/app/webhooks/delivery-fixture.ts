/**
 * The deliveries alone: real queue and history on SQLite, real lanes, a clock that the test moves, and receivers that
 * answer as the test sets. What the home does is put on its bus.
 */
import { Access, NO_USERS } from '../../../src/app/access/authorize.ts';
import { Deliverer } from '../../../src/app/webhooks/deliverer.ts';
import { Deliveries } from '../../../src/app/webhooks/deliveries.ts';
import { DeliveryLog } from '../../../src/app/webhooks/delivery-log.ts';
import { DeliveryLogStore } from '../../../src/app/webhooks/delivery-log-store.ts';
import { DeliveryQueue } from '../../../src/app/webhooks/delivery-queue.ts';
import { signatureHeaders } from '../../../src/app/webhooks/signatures.ts';
import { generateSecret, type Webhook } from '../../../src/app/webhooks/webhook.ts';
import { WebhookRegistry } from '../../../src/app/webhooks/webhook-registry.ts';
import { WebhookScope } from '../../../src/app/webhooks/webhook-scope.ts';
import { WebhookStore } from '../../../src/app/webhooks/webhook-store.ts';
import { parseInput } from '../../../src/contract/parse.ts';
import { NewWebhook } from '../../../src/contract/webhooks.ts';
import { EventReports } from '../../../src/home/event-reports.ts';
import type { HomeEvents } from '../../../src/home/events.ts';
import { HomeState } from '../../../src/home/home-state.ts';
import { type HttpAnswer, type HttpRequest, HttpSendError, type HttpSender } from '../../../src/home/http-sender.ts';
import type { Clock } from '../../../src/kernel/clock.ts';
import { EventBus } from '../../../src/kernel/event-bus.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { type Logger, silentLogger } from '../../../src/kernel/logger.ts';
import { WallTimers } from '../../../src/kernel/wall-timers.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { DisposableDatabase } from '../../../src/storage/disposable-database.ts';
import { TestClock } from '../../support/test-clock.ts';

// What signs is loaded when it is first needed; on a clock that stands still that would come at any time.
await signatureHeaders([generateSecret()], { id: '', at: 0, body: '' });

/** A request as it arrived at a receiver. */
export interface Received {
  readonly at: number;
  readonly url: string;
  readonly request: HttpRequest;
  readonly delivery: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
  readonly body: any;
}

export type Receiver = (received: Received) => Partial<HttpAnswer> | number | Error | Promise<never>;

/** Answers by URL; all others accept everything. */
export class Receivers implements HttpSender {
  readonly received: Received[] = [];
  readonly #receivers = new Map<string, Receiver>();
  readonly #clock: TestClock;

  constructor(clock: TestClock) {
    this.#clock = clock;
  }

  answer(url: string, receiver: Receiver): void {
    this.#receivers.set(url, receiver);
  }

  at(url: string): readonly Received[] {
    return this.received.filter((one) => one.url === url);
  }

  async send(request: HttpRequest): Promise<HttpAnswer> {
    const { url, headers, body = '' } = request;
    const received = {
      at: this.#clock.now(),
      url,
      request,
      delivery: headers['X-Homecast-Delivery'] ?? '',
      body: JSON.parse(body),
    };
    this.received.push(received);
    const aborted = new Promise<never>((_, reject) => {
      request.signal?.addEventListener('abort', () => reject(new HttpSendError('cancelled', 'It was cancelled')));
    });
    const answer = await Promise.race([this.#receivers.get(url)?.(received) ?? 204, aborted]);
    if (answer instanceof Error) throw answer;
    const parts = typeof answer === 'number' ? { status: answer } : answer;
    return { status: 200, statusText: '', headers: {}, body: '', ...parts };
  }
}

export interface FixtureOptions {
  /** A file, to open the same home again. */
  readonly path?: string;
  readonly clock?: TestClock;
  readonly receivers?: Receivers;
  readonly logger?: Logger;
  readonly random?: () => number;
}

export type DeliveryFixture = ReturnType<typeof openDeliveryFixture>;

/** Opens it and starts the deliverer. `close` stops it as the daemon would; `kill` is as good as SIGKILL. */
export function openDeliveryFixture(options: FixtureOptions = {}) {
  const testClock = options.clock ?? new TestClock();
  const receivers = options.receivers ?? new Receivers(testClock);
  let isAlive = true;
  /** A process that was killed has no timers left. */
  const clock: Clock = {
    now: () => testClock.now(),
    monotonic: () => testClock.monotonic(),
    after: (ms, callback) => testClock.after(ms, () => isAlive && callback()),
  };
  const logger = options.logger ?? silentLogger;
  const database = openDatabase(options.path ?? ':memory:');
  const historyPath = options.path === undefined ? ':memory:' : `${options.path}.history`;
  const historyDatabase = new DisposableDatabase({ path: historyPath, clock, logger });
  historyDatabase.start();
  const bus = new EventBus<HomeEvents>();
  const state = new HomeState(bus, clock);
  const reports = new EventReports({ bus, state });
  const timers = new WallTimers({ clock, logger });
  const registry = new WebhookRegistry({ store: new WebhookStore(database), bus });
  const scope = new WebhookScope({
    state,
    access: new Access(NO_USERS),
    collections: { find: () => undefined },
  });
  const queue = new DeliveryQueue(database);
  const log = new DeliveryLog({ store: new DeliveryLogStore(historyDatabase), clock, logger });
  const notices: string[] = [];
  const notifier = {
    async notify({ message }: { readonly message: string }) {
      notices.push(message);
      return { notificationId: null, delivered: true, channels: [], rateLimited: false, reason: null };
    },
  };
  const parts = { reports, bus, registry, scope, queue, log, http: receivers, notifier, timers, clock, logger };
  const deliverer = new Deliverer({ ...parts, random: options.random ?? (() => 0.5) });
  const deliveries = new Deliveries({ deliverer, queue, log, registry, http: receivers, clock });
  deliverer.start();

  function update(id: string, changes: Partial<Webhook>): Webhook {
    const changed = registry.update(id, changes) as Webhook;
    deliveries.changed(changed);
    return changed;
  }

  return {
    ...{
      clock: testClock,
      receivers,
      database,
      historyDatabase,
      bus,
      timers,
      registry,
      queue,
      log,
      deliverer,
      deliveries,
      notices,
    },
    /** A webhook of the CLI that receives everything, at a URL of its own. */
    add(changes: Partial<Webhook> = {}): Webhook {
      const id = newId();
      const webhook: Webhook = {
        id,
        ...parseInput(NewWebhook, { name: 'Hook', url: `http://receiver.example/${id}`, rateLimitPerMinute: null }),
        secret: generateSecret(),
        previousSecret: null,
        previousSecretUntil: null,
        status: 'active',
        consecutiveFailures: 0,
        droppedCount: 0,
        lastTriggeredAt: null,
        lastSuccessAt: null,
        lastFailureAt: null,
        lastFailureReason: null,
        ownerId: null,
        createdAt: clock.now(),
        ...changes,
      };
      registry.insert(webhook);
      deliveries.changed(webhook);
      return webhook;
    },
    update,
    delete(id: string): void {
      registry.delete(id);
      deliveries.changed({ id });
    },
    /** Something happens in the home; `name` distinguishes it from the others. */
    happen(...names: string[]): void {
      for (const name of names) {
        bus.emit('scene.executed', { homeId: newId(), sceneId: newId(), name, success: true, at: clock.now() });
      }
    },
    /** Lets time pass in small steps until it is so; not for more than a minute. */
    async until(isSo: () => boolean): Promise<void> {
      for (let step = 0; !isSo(); step++) {
        if (step === 2_000) throw new Error(`Waited in vain for ${isSo}`);
        await testClock.advance(30);
      }
    },
    /** What arrived at a webhook's URL, by the names of what happened. */
    arrived: ({ url }: Webhook): readonly string[] => receivers.at(url).map(({ body }) => body.data.sceneName),
    async close(): Promise<void> {
      await deliverer.stop();
      historyDatabase.stop();
      database.close();
    },
    kill(): void {
      isAlive = false;
      database.close();
      historyDatabase.stop();
    },
  };
}
