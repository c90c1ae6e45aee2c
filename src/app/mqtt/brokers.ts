/**
 * The brokers that homes are published on, as operations. What is kept is in memory as well, so that the part that connects can
 * read it at any time; it never changes anything here. Nobody is ever shown a password: faces get `ShownBroker`.
 */
import { compareNamed } from '../../home/collection.ts';
import type { HomeEvents } from '../../home/events.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Home } from '../../home/model.ts';
import { requireFreeName } from '../../home/names.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import { newId, uuidV5 } from '../../kernel/ids.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { type Access, notFound } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import {
  type Broker,
  type BrokerStatus,
  type ConfiguredBroker,
  DEFAULT_DISCOVERY_PREFIX,
  DEFAULT_TOPIC_PREFIX,
} from './broker.ts';
import { type BrokerInput, type BrokerSettings, parseBroker } from './broker-input.ts';
import type { BrokerStore } from './broker-store.ts';

/** More is a program that has lost its way: each is a connection, and every change goes to each. */
const MAX_BROKERS_PER_HOME = 100;

/** A broker as people see it: that it has a password, never which. */
export type ShownBroker = Omit<Broker, 'password'> & { readonly hasPassword: boolean } & BrokerStatus;

/** What came of trying a broker out. */
export interface BrokerTest {
  readonly success: boolean;
  /** One sentence for people. */
  readonly error: string | null;
  readonly responseTimeMs: number | null;
}

/** Where a broker is expected, if anywhere: in another home there is none of its id. */
type ExpectedHome = string | null | undefined;

interface BrokersParts {
  readonly store: BrokerStore;
  readonly state: HomeState;
  readonly access: Access;
  readonly bus: EventBus<HomeEvents>;
  readonly clock: Clock;
  /** The one that the configuration gives every home. */
  readonly configured: () => ConfiguredBroker | null;
  /** Whether it is the daemon itself that listens there. */
  isOurselves(host: string, port: number): boolean;
  /** How the connections fare, of whoever keeps them. */
  statusOf(brokerId: string): BrokerStatus;
  /** Connects with a broker for a moment. */
  tryOut(broker: Broker): Promise<BrokerTest>;
}

export class Brokers implements Startable {
  readonly #parts: BrokersParts;
  readonly #stored = new Map<string, Broker>();
  /** By home. Remembered, so that the same settings are the same object. */
  readonly #configured = new Map<string, Broker>();
  readonly #disabledHomes = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #unsubscribe: () => void = () => {};

  constructor(parts: BrokersParts) {
    this.#parts = parts;
  }

  /** After the layout, before anybody asks or connects. */
  start(): void {
    const { store, bus } = this.#parts;
    for (const broker of store.load()) this.#stored.set(broker.id, broker);
    for (const homeId of store.loadDisabledHomes()) this.#disabledHomes.add(homeId);
    this.#unsubscribe = bus.on('layout.changed', ({ homeId }) => this.#homeChanged(homeId));
  }

  stop(): void {
    this.#unsubscribe();
    this.#stored.clear();
    this.#configured.clear();
    this.#disabledHomes.clear();
  }

  // — for the part that connects —

  /** Every broker that a home is to be published on now. One whose settings have not changed is the same object as before. */
  active(): readonly Broker[] {
    return this.#parts.state
      .homes()
      .filter(({ id }) => !this.#disabledHomes.has(id))
      .flatMap((home) => this.#brokersOf(home))
      .filter(({ enabled }) => enabled);
  }

  /** Called whenever `active` may have changed. @returns what ends it */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The configuration gives the homes another broker, or none any more. */
  reconfigure(): void {
    this.#configured.clear();
    for (const { id } of this.#parts.state.homes()) this.#changed(id);
  }

  /** Whether the home is published on any broker. For those that have authorized the home. */
  isPublished(homeId: string): boolean {
    return this.active().some((broker) => broker.homeId === homeId);
  }

  // — operations —

  /** The brokers of a home with their passwords left out, by name. For its admins. @throws `home_not_found` · `insufficient_permissions` */
  list(caller: Caller, homeId: string): readonly ShownBroker[] {
    return this.#brokersOf(this.#authorizedHome(caller, homeId)).map((broker) => this.#show(broker));
  }

  /** For admins of its home. @throws `broker_not_found` · `insufficient_permissions` */
  get(caller: Caller, id: string, homeId?: ExpectedHome): ShownBroker {
    return this.#show(this.#authorized(caller, id, homeId));
  }

  /** Whether the home may be published on its brokers. For its admins. @throws `home_not_found` · `insufficient_permissions` */
  isEnabled(caller: Caller, homeId: string): boolean {
    return !this.#disabledHomes.has(this.#authorizedHome(caller, homeId).id);
  }

  /** Takes a home off all its brokers, or puts it back. For its admins. @throws `home_not_found` · `insufficient_permissions` */
  setEnabled(caller: Caller, homeId: string, enabled: boolean): void {
    const { id } = this.#authorizedHome(caller, homeId);
    if (this.#disabledHomes.has(id) === !enabled) return;
    this.#parts.store.setHomeEnabled(id, enabled);
    if (enabled) this.#disabledHomes.delete(id);
    else this.#disabledHomes.add(id);
    this.#changed(id);
  }

  /**
   * Adds a broker; it is connected with at once. For admins of the home.
   * @throws `home_not_found` · `insufficient_permissions` · `invalid_request` without name or host · `invalid_value` naming the
   *         field · `conflict` the name is taken, another broker has the same address and topics, or there are too many
   */
  add(caller: Caller, homeId: string, input: BrokerInput): ShownBroker {
    const home = this.#authorizedHome(caller, homeId);
    const settings = this.#parse(input);
    const others = this.#storedIn(home.id);
    if (others.length >= MAX_BROKERS_PER_HOME) {
      throw new HearthError('conflict', `A home has at most ${MAX_BROKERS_PER_HOME} brokers. Remove one first.`, {
        reason: 'limit_reached',
      });
    }
    const createdAt = this.#parts.clock.now();
    const broker: Broker = { id: newId(), homeId: home.id, ...settings, createdAt, isConfigured: false };
    return this.#save(broker);
  }

  /**
   * Changes a broker; what is left out stays. For admins of its home. A password goes to nobody whom it was not given for: with
   * another address, other certificates or without TLS it must be given again.
   * @throws `broker_not_found` · `insufficient_permissions` · `invalid_value` naming the field · `invalid_request` the password is
   *         missing · `conflict` as `add`, or it stands in the configuration
   */
  update(caller: Caller, id: string, input: BrokerInput, homeId?: ExpectedHome): ShownBroker {
    const broker = this.#changeable(caller, id, homeId);
    const changed: Broker = { ...broker, ...this.#parse(input, broker) };
    if (input.password === undefined && broker.password !== null && leadsElsewhere(broker, changed)) {
      throw new HearthError(
        'invalid_request',
        'Give the password again: it would go somewhere else than it was given for.',
        { reason: 'password_again', field: 'password' },
      );
    }
    return this.#save(changed);
  }

  /** Takes the home off a broker for good. For its admins. @throws `broker_not_found` · `insufficient_permissions` · `conflict` it stands in the configuration */
  remove(caller: Caller, id: string, homeId?: ExpectedHome): void {
    const broker = this.#changeable(caller, id, homeId);
    this.#parts.store.delete(broker.id);
    this.#stored.delete(broker.id);
    this.#changed(broker.homeId);
  }

  /**
   * Connects with a broker for a moment, beside the connection that there may be, and says what came of it. For admins of its home.
   * @throws `broker_not_found` · `insufficient_permissions`
   */
  async test(caller: Caller, id: string, homeId?: ExpectedHome): Promise<BrokerTest> {
    return this.#parts.tryOut(this.#authorized(caller, id, homeId));
  }

  /** Anything in the house may be a broker, loopback too: many run on the same computer. The daemon itself would only hang up. */
  #parse(input: BrokerInput, before?: BrokerSettings): BrokerSettings {
    const settings = parseBroker(input, before);
    if (!this.#parts.isOurselves(settings.host, settings.port)) return settings;
    throw new HearthError(
      'invalid_value',
      'Invalid value for port: give that of the broker. On this one hearthd itself listens.',
      { reason: 'own_port', field: 'port' },
    );
  }

  #save(broker: Broker): ShownBroker {
    const others = this.#storedIn(broker.homeId);
    requireFreeName(broker.name, 'broker', others, broker.id);
    requireApart(broker, others);
    this.#parts.store.save(broker);
    this.#stored.set(broker.id, broker);
    this.#changed(broker.homeId);
    return this.#show(broker);
  }

  #show({ password, ...broker }: Broker): ShownBroker {
    const isWanted = broker.enabled && !this.#disabledHomes.has(broker.homeId);
    const status: BrokerStatus = isWanted
      ? this.#parts.statusOf(broker.id)
      : { status: 'disabled', error: null, fault: null, connectedAt: null };
    return { ...broker, hasPassword: password !== null, ...status };
  }

  #brokersOf(home: Home): readonly Broker[] {
    const stored = this.#storedIn(home.id);
    const configured = this.#configuredOf(home);
    // What somebody added by hand for the same broker counts: both would publish the same topics.
    const isWanted = configured && !stored.some((broker) => clashOf(configured, broker) !== undefined);
    return isWanted ? [configured, ...stored] : stored;
  }

  #storedIn(homeId: string): readonly Broker[] {
    return [...this.#stored.values()].filter((broker) => broker.homeId === homeId).sort(compareNamed);
  }

  #configuredOf({ id: homeId, name, createdAt }: Home): Broker | undefined {
    const configured = this.#parts.configured();
    if (!configured) return undefined;
    const known = this.#configured.get(homeId);
    if (known?.name === name) return known;
    const broker: Broker = {
      ...configured,
      id: uuidV5(homeId, 'mqtt_url'),
      homeId,
      name,
      topicPrefix: DEFAULT_TOPIC_PREFIX,
      haDiscovery: true,
      haDiscoveryPrefix: DEFAULT_DISCOVERY_PREFIX,
      enabled: true,
      createdAt,
      isConfigured: true,
    };
    this.#configured.set(homeId, broker);
    return broker;
  }

  /** Its name is that of its configured broker; with a home that is gone, its brokers are. */
  #homeChanged(homeId: string): void {
    if (!this.#parts.state.home(homeId)) {
      for (const { id } of this.#storedIn(homeId)) this.#stored.delete(id);
      this.#configured.delete(homeId);
      this.#disabledHomes.delete(homeId);
    }
    this.#announce();
  }

  #changed(homeId: string): void {
    this.#announce();
    this.#parts.bus.emit('brokers.changed', { homeId });
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }

  #authorizedHome(caller: Caller, id: string): Home {
    return this.#parts.access.authorizeHome(caller, 'manage', this.#parts.state.home(id));
  }

  #authorized(caller: Caller, id: string, homeId: ExpectedHome): Broker {
    const wanted = id.toLowerCase();
    const all = this.#parts.state.homes().flatMap((home) => this.#brokersOf(home));
    const broker = all.find((one) => one.id === wanted);
    const isElsewhere = typeof homeId === 'string' && homeId.toLowerCase() !== broker?.homeId;
    if (!broker || isElsewhere) throw notFound('broker_not_found');
    return this.#parts.access.authorizeIn(caller, 'manage', broker, 'broker_not_found');
  }

  #changeable(caller: Caller, id: string, homeId: ExpectedHome): Broker {
    const broker = this.#authorized(caller, id, homeId);
    if (!broker.isConfigured) return broker;
    throw new HearthError('conflict', 'This broker stands in the configuration: change the setting mqtt_url.', {
      reason: 'set_elsewhere',
    });
  }
}

/** Whether a password given for the one would reach somebody else through the other, or others on the way. */
function leadsElsewhere(before: BrokerSettings, after: BrokerSettings): boolean {
  const isLessSafe = before.useTls && !after.useTls;
  return before.host !== after.host || before.port !== after.port || before.ca !== after.ca || isLessSafe;
}

function requireApart(broker: Broker, others: readonly Broker[]): void {
  for (const other of others.filter(({ id }) => id !== broker.id)) {
    const clash = clashOf(broker, other);
    if (clash)
      throw new HearthError('conflict', `${clash} on ${other.name}.`, { reason: 'broker_twice', field: 'host' });
  }
}

/** What both would do, each undoing the work of the other. */
function clashOf(one: Broker, other: Broker): string | undefined {
  if (one.host !== other.host || one.port !== other.port) return undefined;
  if (one.topicPrefix === other.topicPrefix) return `The home is published under ${one.topicPrefix} already`;
  const tellsTwice = one.haDiscovery && other.haDiscovery && one.haDiscoveryPrefix === other.haDiscoveryPrefix;
  return tellsTwice ? `Home Assistant is told of the home under ${one.haDiscoveryPrefix} already` : undefined;
}
