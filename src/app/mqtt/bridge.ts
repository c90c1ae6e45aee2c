/**
 * Homes on MQTT brokers: what happens in a home is published on every broker that its admins connected it with, and what is sent there
 * becomes commands. One link a broker; this is what makes links, ends them, and passes on to them what the bus says.
 *
 * Nothing waits for a broker: a link that is slow or away holds up neither the home nor another link. What Home Assistant is told is
 * `discovery/`'s, which brokers there are is `brokers.ts`'s.
 */
import type { HomeEvents } from '../../home/events.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Scene } from '../../home/model.ts';
import type { MqttConnector } from '../../home/mqtt-connector.ts';
import type { Clock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { type Logger, LogThrottle } from '../../kernel/logger.ts';
import type { Broker, BrokerStatus } from './broker.ts';
import { BrokerLink } from './broker-link.ts';
import { type CommandCounts, type CommandParts, Commands } from './commands.ts';
import { HomePublisher } from './home-publisher.ts';
import type { OutboxCounts } from './outbox.ts';
import type { Discover, DiscoverHome } from './published-thing.ts';
import type { RetainedTopicStore } from './retained-topic-store.ts';
import { RetainedTopics } from './retained-topics.ts';

export interface BrokerSource {
  /** Those that a home is to be published on now. One whose settings have not changed is the same object as before. */
  active(): readonly Broker[];
  /** @returns what ends it */
  onChange(listener: () => void): () => void;
}

export interface MqttBridgeParts extends Pick<CommandParts, 'control' | 'virtuals' | 'scenes'> {
  readonly brokers: BrokerSource;
  readonly connector: MqttConnector;
  readonly store: RetainedTopicStore;
  readonly state: HomeState;
  readonly bus: EventBus<HomeEvents>;
  /** The scenes of a home that are published. */
  scenesOf(homeId: string): readonly Pick<Scene, 'id' | 'name'>[];
  readonly discover: Discover;
  readonly discoverHome: DiscoverHome;
  readonly clock: Clock;
  readonly logger: Logger;
  /** From 0 to 1; the machine's if left out. */
  readonly random?: () => number;
}

/** What has happened since the start. */
type Counts = OutboxCounts & CommandCounts;

/** Of one broker. */
export interface BrokerFigures {
  readonly status: BrokerStatus['status'];
  /** Messages that the broker has confirmed. */
  readonly published: number;
  /** Messages on topics for commands. */
  readonly received: number;
  /** Messages and commands left out, because there were too many. */
  readonly dropped: number;
  /** Things that wait to be published. */
  readonly pending: number;
}

const DISABLED: BrokerStatus = { status: 'disabled', error: null, fault: null, connectedAt: null };
const CONNECTING: BrokerStatus = { status: 'connecting', error: null, fault: null, connectedAt: null };

export class MqttBridge implements Startable {
  readonly #parts: MqttBridgeParts;
  readonly #throttle: LogThrottle;
  readonly #links = new Map<string, BrokerLink>();
  /** Links that are taking their leave, by broker: the next one for the same broker waits for them. */
  readonly #leaving = new Map<string, BrokerLink>();
  readonly #counts = new Map<string, Counts>();
  #subscriptions: (() => void)[] = [];
  #isRunning = false;

  constructor(parts: MqttBridgeParts) {
    this.#parts = parts;
    this.#throttle = new LogThrottle(parts.clock);
  }

  /** After the brokers are known. Returns at once: connections come about when they can. */
  start(): void {
    const { bus, brokers } = this.#parts;
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

  /** Takes leave of every broker, within two seconds. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    for (const unsubscribe of this.#subscriptions.splice(0)) unsubscribe();
    const links = [...this.#links.values(), ...this.#leaving.values()];
    this.#links.clear();
    await Promise.all(links.map((link) => link.stop({ clear: false })));
  }

  /** For those that have authorized the home. */
  statusOf(brokerId: string): BrokerStatus {
    return this.#links.get(brokerId)?.status ?? (this.#leaving.has(brokerId) ? CONNECTING : DISABLED);
  }

  /** What has happened with every broker that there was since the start. */
  statsByBroker(): ReadonlyMap<string, BrokerFigures> {
    return new Map(
      [...this.#counts].map(([id, { published, dropped, received, refused }]) => {
        const pending = this.#links.get(id)?.publisher.pending ?? 0;
        return [id, { status: this.statusOf(id).status, published, received, dropped: dropped + refused, pending }];
      }),
    );
  }

  stats() {
    const all = [...this.statsByBroker().values()];
    const sum = (of: (figures: BrokerFigures) => number): number => all.reduce((total, one) => total + of(one), 0);
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

  /** A home that comes or goes may give another one another slug. */
  #layoutChanged(homeId: string): void {
    for (const link of this.#links.values()) {
      if (link.broker.homeId === homeId || link.isMisplaced) link.layoutChanged();
    }
  }

  *#linksOf(homeId: string): Iterable<BrokerLink> {
    for (const link of this.#links.values()) if (link.broker.homeId === homeId) yield link;
  }

  /** Makes the links what the brokers are. */
  #reconcile(): void {
    if (!this.#isRunning) return;
    const wanted = new Map(this.#parts.brokers.active().map((broker) => [broker.id, broker]));
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

  /** @param next what takes its place, if anything does. */
  #retire(id: string, link: BrokerLink, next: Broker | undefined): void {
    this.#links.delete(id);
    this.#leaving.set(id, link);
    // On the same server the next link finds what was retained, and takes back what is too much.
    const clear = !next || next.host !== link.broker.host || next.port !== link.broker.port;
    link
      .stop({ clear })
      .catch((error: unknown) => this.#parts.logger.error({ error: messageOf(error) }, 'A broker was left untidily'))
      .finally(() => {
        this.#leaving.delete(id);
        this.#reconcile();
      });
  }

  #makeLink(broker: Broker): BrokerLink {
    const { connector, store, clock, logger } = this.#parts;
    const throttle = this.#throttle;
    const counts = this.#countsOf(broker.id);
    const retained = new RetainedTopics({ brokerId: broker.id, store, logger, throttle });
    retained.load();
    const publisher = new HomePublisher({ ...this.#parts, broker, retained, throttle });
    const commands = new Commands(
      {
        ...this.#parts,
        broker,
        throttle,
        inventory: () => publisher.inventory,
        tell: (topic, sentence) => link.tell(topic, sentence),
        settled: (subject) => publisher.republish(subject),
      },
      counts,
    );
    const random = this.#parts.random ?? Math.random;
    const onStatus = (): void => this.#parts.bus.emit('brokers.changed', { homeId: broker.homeId });
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
      this.#parts.store.forgetAbsent(this.#parts.brokers.active().map(({ id }) => id));
    } catch (error) {
      this.#parts.logger.warn({ error: messageOf(error) }, 'Topics of brokers that are gone could not be forgotten');
    }
  }
}

/** Whether one link serves both: a name is for people only. */
function isSame(one: Broker, other: Broker): boolean {
  const fields = ['host', 'port', 'username', 'password', 'useTls', 'ca', 'topicPrefix', 'haDiscovery'] as const;
  return fields.every((field) => one[field] === other[field]) && one.haDiscoveryPrefix === other.haDiscoveryPrefix;
}
