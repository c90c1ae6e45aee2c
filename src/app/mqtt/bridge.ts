/**
 * Publishes homes on MQTT brokers: each event of a home goes to every broker that its admins configured, and messages
 * from a broker become commands. There is one link per broker. This class creates and ends links and passes bus events
 * to them.
 *
 * Nothing waits for a broker: a slow or unreachable one delays neither the home nor another link. Home Assistant
 * discovery is in `discovery/`; the list of brokers is in `brokers.ts`.
 */
import type { HomeDeps } from '../../home/home-deps.ts';
import type { Scene } from '../../home/model.ts';
import type { MqttConnector } from '../../home/mqtt-connector.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { LogThrottle } from '../../kernel/logger.ts';
import type { Broker, BrokerStatus } from './broker.ts';
import { BrokerLink } from './broker-link.ts';
import { type CommandCounts, type CommandDeps, Commands } from './commands.ts';
import { HomePublisher } from './home-publisher.ts';
import type { PublishCounts } from './publish-queue.ts';
import type { Discover, DiscoverHome } from './published-thing.ts';
import type { RetainedTopicStore } from './retained-topic-store.ts';
import { RetainedTopics } from './retained-topics.ts';

export interface BrokerSource {
  /** The brokers to publish on now. A broker whose settings have not changed is the same object as before. */
  active(): readonly Broker[];
  /** @returns the unsubscribe function */
  onChange(listener: () => void): () => void;
}

export interface MqttBridgeDeps
  extends Pick<CommandDeps, 'control' | 'virtuals' | 'scenes'>,
    HomeDeps<'state' | 'bus' | 'clock' | 'logger'> {
  readonly brokers: BrokerSource;
  readonly connector: MqttConnector;
  readonly store: RetainedTopicStore;
  /** The published scenes of a home. */
  scenesOf(homeId: string): readonly Pick<Scene, 'id' | 'name'>[];
  readonly discover: Discover;
  readonly discoverHome: DiscoverHome;
  /** From 0 to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

/** Counters since the start. */
type Counts = PublishCounts & CommandCounts;

/** Metrics of one broker. */
export interface BrokerMetrics {
  readonly status: BrokerStatus['status'];
  /** Messages confirmed by the broker. */
  readonly published: number;
  /** Messages received on command topics. */
  readonly received: number;
  /** Messages and commands dropped because there were too many. */
  readonly dropped: number;
  /** Things waiting to be published. */
  readonly pending: number;
}

const DISABLED: BrokerStatus = { status: 'disabled', error: null, fault: null, connectedAt: null };
const CONNECTING: BrokerStatus = { status: 'connecting', error: null, fault: null, connectedAt: null };

export class MqttBridge implements Startable {
  readonly #deps: MqttBridgeDeps;
  readonly #throttle: LogThrottle;
  readonly #links = new Map<string, BrokerLink>();
  /** Links that are closing, by broker; the next link for the same broker waits for them. */
  readonly #leaving = new Map<string, BrokerLink>();
  readonly #counts = new Map<string, Counts>();
  #subscriptions: (() => void)[] = [];
  #isRunning = false;

  constructor(deps: MqttBridgeDeps) {
    this.#deps = deps;
    this.#throttle = new LogThrottle(deps.clock);
  }

  /** Call after the brokers are loaded. Returns at once and connects in the background. */
  start(): void {
    const { bus, brokers } = this.#deps;
    this.#isRunning = true;
    this.#subscriptions = [
      bus.on('state.changed', ({ homeId, accessoryId }) => this.#accessoryChanged(homeId, accessoryId)),
      bus.on('accessory.reachability_changed', ({ homeId, accessoryId }) =>
        this.#accessoryChanged(homeId, accessoryId),
      ),
      bus.on('button.pressed', ({ homeId, accessoryId, iid, value }) => {
        for (const { publisher } of this.#linksOf(homeId)) publisher.pressed(accessoryId, iid, value);
      }),
      bus.on('layout.changed', ({ homeId }) => this.#layoutChanged(homeId)),
      bus.on('home.connection_changed', ({ homeId }) => {
        for (const { publisher } of this.#linksOf(homeId)) publisher.publishStatus();
      }),
      brokers.onChange(() => this.#reconcile()),
    ];
    this.#forgetAbsent();
    this.#reconcile();
  }

  /** Closes all links within two seconds. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    for (const unsubscribe of this.#subscriptions.splice(0)) unsubscribe();
    const links = [...this.#links.values(), ...this.#leaving.values()];
    this.#links.clear();
    await Promise.all(links.map((link) => link.stop({ clear: false })));
  }

  /** The caller must already be authorized for the home. */
  statusOf(brokerId: string): BrokerStatus {
    return this.#links.get(brokerId)?.status ?? (this.#leaving.has(brokerId) ? CONNECTING : DISABLED);
  }

  /** Metrics of every broker since the start. */
  statsByBroker(): ReadonlyMap<string, BrokerMetrics> {
    return new Map(
      [...this.#counts].map(([id, { published, dropped, received, refused }]) => {
        const pending = this.#links.get(id)?.publisher.pending ?? 0;
        return [id, { status: this.statusOf(id).status, published, received, dropped: dropped + refused, pending }];
      }),
    );
  }

  stats() {
    const all = [...this.statsByBroker().values()];
    const sum = (of: (metrics: BrokerMetrics) => number): number => all.reduce((total, one) => total + of(one), 0);
    return {
      configured: this.#links.size,
      connected: all.filter(({ status }) => status === 'connected').length,
      dirty: sum(({ pending }) => pending),
      published: sum(({ published }) => published),
      commands: sum(({ received }) => received),
      dropped: sum(({ dropped }) => dropped),
    };
  }

  #accessoryChanged(homeId: string, accessoryId: string): void {
    for (const { publisher } of this.#linksOf(homeId)) publisher.accessoryChanged(accessoryId);
  }

  /** Adding or removing a home may change the slug of another. */
  #layoutChanged(homeId: string): void {
    for (const link of this.#links.values()) {
      if (link.broker.homeId === homeId || link.isMisplaced) link.layoutChanged();
    }
  }

  *#linksOf(homeId: string): Iterable<BrokerLink> {
    for (const link of this.#links.values()) if (link.broker.homeId === homeId) yield link;
  }

  /** Creates and ends links so that they match the brokers. */
  #reconcile(): void {
    if (!this.#isRunning) return;
    const wanted = new Map(this.#deps.brokers.active().map((broker) => [broker.id, broker]));
    for (const [id, link] of [...this.#links]) {
      const broker = wanted.get(id);
      if (!broker || !isSame(link.broker, broker)) this.#retire(id, link, broker);
    }
    for (const [id, broker] of wanted) {
      if (this.#links.has(id) || this.#leaving.has(id)) continue;
      const link = this.#makeLink(broker);
      this.#links.set(id, link);
      link.start();
    }
  }

  /** @param next the broker that replaces it, if any. */
  #retire(id: string, link: BrokerLink, next: Broker | undefined): void {
    this.#links.delete(id);
    this.#leaving.set(id, link);
    // On the same server the next link finds the retained messages and clears those that are obsolete.
    const clear = !next || next.host !== link.broker.host || next.port !== link.broker.port;
    link
      .stop({ clear })
      .catch((error: unknown) =>
        this.#deps.logger.error({ error: messageOf(error) }, 'Could not disconnect cleanly from an MQTT broker'),
      )
      .finally(() => {
        this.#leaving.delete(id);
        this.#reconcile();
      });
  }

  #makeLink(broker: Broker): BrokerLink {
    const { connector, store, clock, logger } = this.#deps;
    const throttle = this.#throttle;
    const counts = this.#countsOf(broker.id);
    const retained = new RetainedTopics({ brokerId: broker.id, store, logger, throttle });
    retained.load();
    const publisher = new HomePublisher({ ...this.#deps, broker, retained, throttle });
    const commands = new Commands(
      {
        ...this.#deps,
        broker,
        throttle,
        inventory: () => publisher.inventory,
        reportError: (topic, sentence) => link.reportError(topic, sentence),
        settled: (subject) => publisher.republish(subject),
      },
      counts,
    );
    const random = this.#deps.random ?? Math.random;
    const onStatus = (): void => this.#deps.bus.emit('brokers.changed', { homeId: broker.homeId });
    const parts = { broker, connector, publisher, commands, counts, clock, logger, throttle, random, onStatus };
    const link = new BrokerLink(parts);
    return link;
  }

  #countsOf(brokerId: string): Counts {
    const counts = this.#counts.get(brokerId) ?? { published: 0, dropped: 0, received: 0, refused: 0 };
    this.#counts.set(brokerId, counts);
    return counts;
  }

  #forgetAbsent(): void {
    try {
      this.#deps.store.forgetAbsent(this.#deps.brokers.active().map(({ id }) => id));
    } catch (error) {
      this.#deps.logger.warn({ error: messageOf(error) }, 'Could not delete the stored topics of removed MQTT brokers');
    }
  }
}

/** Whether one link can serve both: the name is only for display. */
function isSame(one: Broker, other: Broker): boolean {
  const fields = ['host', 'port', 'username', 'password', 'useTls', 'ca', 'topicPrefix', 'haDiscovery'] as const;
  return fields.every((field) => one[field] === other[field]) && one.haDiscoveryPrefix === other.haDiscoveryPrefix;
}
