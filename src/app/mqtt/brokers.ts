/**
 * Operations on the brokers of homes. The settings are also kept in memory, so that the MQTT bridge can read them at
 * any time; the bridge never changes them. Passwords are never exposed: APIs get `ShownBroker`.
 */
import {
  BrokerChanges,
  type BrokerTest,
  DEFAULT_DISCOVERY_PREFIX,
  DEFAULT_TOPIC_PREFIX,
  NewBroker,
} from '../../contract/mqtt.ts';
import { parseInput } from '../../contract/parse.ts';
import { compareNamed } from '../../home/collection.ts';
import type { Home } from '../../home/model.ts';
import { requireFreeName } from '../../home/names.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId, uuidV5 } from '../../kernel/ids.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { requireMaker } from '../access/authority.ts';
import { notFound } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import {
  type Broker,
  type BrokerSettings,
  type BrokerStatus,
  type ConfiguredBroker,
  MQTT_PORT,
  MQTTS_PORT,
} from './broker.ts';
import { clashOf, leadsElsewhere, requireApart, requireConsistent } from './broker-clashes.ts';
import type { BrokerStore } from './broker-store.ts';

/** A larger number indicates a faulty client. Each broker is a connection, and every change goes to each. */
const MAX_BROKERS_PER_HOME = 100;

/** A broker as clients see it: without the password, only whether it has one. */
export type ShownBroker = Omit<Broker, 'password'> & { readonly hasPassword: boolean } & BrokerStatus;

/** The home the broker is expected in, if any; an id in another home is not found. */
type ExpectedHome = string | null | undefined;

interface BrokersDeps extends AppDeps<'state' | 'access' | 'makers' | 'bus' | 'clock'> {
  readonly store: BrokerStore;
  /** The broker that the configuration adds to every home. */
  readonly configured: () => ConfiguredBroker | null;
  /** Whether the address is one the daemon itself listens on. */
  isOurselves(host: string, port: number): boolean;
  /** Connection status, from the MQTT bridge. */
  statusOf(brokerId: string): BrokerStatus;
  /** Connects to a broker briefly. */
  tryOut(broker: Broker): Promise<BrokerTest>;
}

export class Brokers implements Startable {
  readonly #deps: BrokersDeps;
  readonly #stored = new Map<string, Broker>();
  /** By home. Cached, so that the same settings are the same object. */
  readonly #configured = new Map<string, Broker>();
  readonly #disabledHomes = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #unsubscribe: () => void = () => {};

  constructor(deps: BrokersDeps) {
    this.#deps = deps;
    deps.makers.register('mqtt_broker', { find: (id) => this.#stored.get(id), end: (id) => this.#remove(id) });
    deps.makers.onChange(() => this.#announce());
  }

  /** Call after the layout is loaded and before any request or connection. */
  start(): void {
    const { store, bus } = this.#deps;
    for (const broker of store.load()) this.#stored.set(broker.id, broker);
    for (const homeId of store.loadDisabledHomes()) this.#disabledHomes.add(homeId);
    const unsubscribe = [
      bus.on('layout.changed', ({ homeId }) => this.#homeChanged(homeId)),
      // An app's broker is active as long as its user manages the home.
      bus.on('members.changed', () => this.#announce()),
    ];
    this.#unsubscribe = () => {
      for (const end of unsubscribe) end();
    };
  }

  stop(): void {
    this.#unsubscribe();
    this.#stored.clear();
    this.#configured.clear();
    this.#disabledHomes.clear();
  }

  // — for the MQTT bridge —

  /** Every broker to publish on now. A broker whose settings have not changed is the same object as before. */
  active(): readonly Broker[] {
    return this.#deps.state
      .homes()
      .filter(({ id }) => !this.#disabledHomes.has(id))
      .flatMap((home) => this.#brokersOf(home))
      .filter((broker) => broker.enabled && this.#stands(broker));
  }

  /** Called whenever `active` may have changed. @returns the unsubscribe function */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Applies a changed broker of the configuration, or its removal. */
  reconfigure(): void {
    this.#configured.clear();
    for (const { id } of this.#deps.state.homes()) this.#changed(id);
  }

  /** Whether the home is published on any broker. The caller must already be authorized for the home. */
  isPublished(homeId: string): boolean {
    return this.active().some((broker) => broker.homeId === homeId);
  }

  // — operations —

  /**
   * The brokers of a home without their passwords, by name. Requires an admin of the home.
   * @throws `home_not_found` · `insufficient_permissions`
   */
  list(caller: Caller, homeId: string): readonly ShownBroker[] {
    return this.#brokersOf(this.#authorizedHome(caller, homeId)).map((broker) => this.#show(broker));
  }

  /** Requires an admin of its home. @throws `broker_not_found` · `insufficient_permissions` */
  get(caller: Caller, id: string, homeId?: ExpectedHome): ShownBroker {
    return this.#show(this.#authorized(caller, id, homeId));
  }

  /** The name of a broker. Checks no permission. */
  nameOf(id: string): string | undefined {
    const all = this.#deps.state.homes().flatMap((home) => this.#brokersOf(home));
    return all.find((one) => one.id === id)?.name;
  }

  /**
   * Whether publishing is enabled for the home. Requires an admin.
   * @throws `home_not_found` · `insufficient_permissions`
   */
  isEnabled(caller: Caller, homeId: string): boolean {
    return !this.#disabledHomes.has(this.#authorizedHome(caller, homeId).id);
  }

  /**
   * Enables or disables publishing for the home. Requires an admin.
   * @throws `home_not_found` · `insufficient_permissions`
   */
  setEnabled(caller: Caller, homeId: string, enabled: boolean): void {
    const { id } = this.#authorizedHome(caller, homeId);
    if (this.#disabledHomes.has(id) === !enabled) return;
    this.#deps.store.setHomeEnabled(id, enabled);
    if (enabled) this.#disabledHomes.delete(id);
    else this.#disabledHomes.add(id);
    this.#changed(id);
  }

  /**
   * Adds a broker and connects to it at once. Requires an admin of the home.
   * @throws `home_not_found` · `insufficient_permissions` · `invalid_value` naming the field · `conflict` the name is
   *         taken, another broker has the same address and topics, or there are too many
   */
  add(caller: Caller, homeId: string, input: NewBroker): ShownBroker {
    const home = this.#authorizedHome(caller, homeId);
    const { port, ...choices } = parseInput(NewBroker, input);
    const settings = this.#checked({ ...choices, port: port ?? (choices.useTls ? MQTTS_PORT : MQTT_PORT) });
    const others = this.#storedIn(home.id);
    if (others.length >= MAX_BROKERS_PER_HOME) {
      throw new HearthError('conflict', `A home has at most ${MAX_BROKERS_PER_HOME} brokers. Remove one first.`, {
        reason: 'limit_reached',
      });
    }
    const createdAt = this.#deps.clock.now();
    requireMaker(caller, 'mqtt_broker');
    const broker: Broker = { id: newId(), homeId: home.id, ...settings, createdAt, isConfigured: false };
    return this.#save(caller, broker);
  }

  /**
   * Changes a broker; omitted fields stay. Requires an admin of its home. A stored password is only sent where it was
   * meant to go: a changed address, changed certificates or turning TLS off requires the password again.
   * @throws `broker_not_found` · `insufficient_permissions` · `invalid_value` naming the field · `invalid_request` the
   *         password is missing · `conflict` as `add`, or the configuration defines it
   */
  update(caller: Caller, id: string, input: BrokerChanges, homeId?: ExpectedHome): ShownBroker {
    const broker = this.#changeable(caller, id, homeId);
    requireMaker(caller, 'mqtt_broker');
    this.#deps.makers.requireMayChange(caller, 'mqtt_broker', broker.id);
    const changed = this.#checked({ ...broker, ...parseInput(BrokerChanges, input) });
    if (input.password === undefined && broker.password !== null && leadsElsewhere(broker, changed)) {
      throw new HearthError(
        'invalid_request',
        'Give the password again: it would go somewhere else than it was given for.',
        { reason: 'password_again', field: 'password' },
      );
    }
    return this.#save(caller, changed);
  }

  /**
   * Removes a broker permanently. Requires an admin of its home.
   * @throws `broker_not_found` · `insufficient_permissions` · `conflict` the configuration defines it
   */
  remove(caller: Caller, id: string, homeId?: ExpectedHome): void {
    const broker = this.#changeable(caller, id, homeId);
    this.#remove(broker.id);
    this.#deps.makers.forget('mqtt_broker', broker.id);
  }

  /**
   * Tests a broker over a separate, short connection and returns the result. Requires an admin of its home.
   * @throws `broker_not_found` · `insufficient_permissions`
   */
  async test(caller: Caller, id: string, homeId?: ExpectedHome): Promise<BrokerTest> {
    return this.#deps.tryOut(this.#authorized(caller, id, homeId));
  }

  /**
   * Any host in the local network may be a broker, including loopback, because many brokers run on the same computer.
   * The daemon itself is rejected,
   * because it would only close the connection.
   */
  #checked<T extends BrokerSettings>(settings: T): T {
    requireConsistent(settings);
    if (!this.#deps.isOurselves(settings.host, settings.port)) return settings;
    throw new HearthError(
      'invalid_value',
      'Invalid value for port: give that of the broker. On this one hearthd itself listens.',
      { reason: 'own_port', field: 'port' },
    );
  }

  #remove(id: string): void {
    const broker = this.#stored.get(id);
    if (!broker) return;
    this.#deps.store.delete(id);
    this.#stored.delete(id);
    this.#changed(broker.homeId);
  }

  #stands({ id, homeId, isConfigured }: Pick<Broker, 'id' | 'homeId' | 'isConfigured'>): boolean {
    return isConfigured || this.#deps.makers.stands('mqtt_broker', id, homeId);
  }

  #save(caller: Caller, broker: Broker): ShownBroker {
    const others = this.#storedIn(broker.homeId);
    requireFreeName(broker.name, 'broker', others, broker.id);
    requireApart(broker, others);
    this.#deps.store.transaction(() => {
      this.#deps.store.save(broker);
      this.#deps.makers.record(caller, 'mqtt_broker', broker.id);
    });
    this.#stored.set(broker.id, broker);
    this.#changed(broker.homeId);
    return this.#show(broker);
  }

  #show({ password, ...broker }: Broker): ShownBroker {
    const isWanted = broker.enabled && !this.#disabledHomes.has(broker.homeId) && this.#stands(broker);
    const status: BrokerStatus = isWanted
      ? this.#deps.statusOf(broker.id)
      : { status: 'disabled', error: null, fault: null, connectedAt: null };
    return { ...broker, hasPassword: password !== null, ...status };
  }

  #brokersOf(home: Home): readonly Broker[] {
    const stored = this.#storedIn(home.id);
    const configured = this.#configuredOf(home);
    // A broker that a user added for the same server takes precedence: both would publish the same topics.
    const isWanted = configured && !stored.some((broker) => clashOf(configured, broker) !== undefined);
    return isWanted ? [configured, ...stored] : stored;
  }

  #storedIn(homeId: string): readonly Broker[] {
    return [...this.#stored.values()].filter((broker) => broker.homeId === homeId).sort(compareNamed);
  }

  #configuredOf({ id: homeId, name, createdAt }: Home): Broker | undefined {
    const configured = this.#deps.configured();
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

  /** The configured broker has the home's name. Deleting a home deletes its brokers. */
  #homeChanged(homeId: string): void {
    if (!this.#deps.state.home(homeId)) {
      for (const { id } of this.#storedIn(homeId)) this.#stored.delete(id);
      this.#configured.delete(homeId);
      this.#disabledHomes.delete(homeId);
    }
    this.#announce();
  }

  #changed(homeId: string): void {
    this.#announce();
    this.#deps.bus.emit('brokers.changed', { homeId });
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }

  #authorizedHome(caller: Caller, id: string): Home {
    return this.#deps.access.authorizeHome(caller, 'manage', this.#deps.state.home(id));
  }

  #authorized(caller: Caller, id: string, homeId: ExpectedHome): Broker {
    const wanted = id.toLowerCase();
    const all = this.#deps.state.homes().flatMap((home) => this.#brokersOf(home));
    const broker = all.find((one) => one.id === wanted);
    const isElsewhere = typeof homeId === 'string' && homeId.toLowerCase() !== broker?.homeId;
    if (!broker || isElsewhere) throw notFound('broker_not_found');
    return this.#deps.access.authorizeIn(caller, 'manage', broker, 'broker_not_found');
  }

  #changeable(caller: Caller, id: string, homeId: ExpectedHome): Broker {
    const broker = this.#authorized(caller, id, homeId);
    if (!broker.isConfigured) return broker;
    throw new HearthError('conflict', 'This broker stands in the configuration: change the setting mqtt_url.', {
      reason: 'set_elsewhere',
    });
  }
}
