/** Creates the MQTT feature: the brokers and the bridge that connects to them. */
import type { MqttConnector } from '../../home/mqtt-connector.ts';
import type { ServiceSearch } from '../../home/service-search.ts';
import type { Database } from '../../storage/database.ts';
import type { AppDeps } from '../access/app-deps.ts';
import type { ServiceGroups } from '../groups/service-groups.ts';
import type { Scenes } from '../scenes/scenes.ts';
import type { VirtualAccessories } from '../virtual-accessories/virtual-accessories.ts';
import { MqttBridge } from './bridge.ts';
import type { ConfiguredBroker } from './broker.ts';
import { BrokerSearch } from './broker-search.ts';
import { BrokerStore } from './broker-store.ts';
import { Brokers } from './brokers.ts';
import { discoveryMessages, homeDiscovery } from './discovery/discovery.ts';
import { RetainedTopicStore } from './retained-topic-store.ts';
import { tryOutBroker } from './try-out.ts';

export interface MqttDeps {
  readonly connector: MqttConnector;
  /** The broker that the configuration adds to every home. */
  readonly configured: () => ConfiguredBroker | null;
  /** Whether the address is one the daemon itself listens on. */
  readonly isOurselves: (host: string, port: number) => boolean;
  /** Brokers that announce themselves on the network. */
  readonly services: ServiceSearch;
}

interface Deps extends AppDeps<'state' | 'access' | 'makers' | 'bus' | 'clock' | 'logger'> {
  readonly mqtt: MqttDeps;
  readonly database: Database;
  readonly serviceGroups: ServiceGroups;
  readonly scenes: Scenes;
  readonly virtuals: VirtualAccessories;
}

/** Start both after the layout and everything in it, the brokers first. */
export function createMqtt(deps: Deps): {
  readonly brokers: Brokers;
  readonly brokerSearch: BrokerSearch;
  readonly mqttBridge: MqttBridge;
} {
  const { database, scenes, serviceGroups, mqtt } = deps;
  const { connector } = mqtt;
  const brokers = new Brokers({
    ...deps,
    store: new BrokerStore(database),
    configured: mqtt.configured,
    isOurselves: mqtt.isOurselves,
    statusOf: (id) => mqttBridge.statusOf(id),
    tryOut: (broker) => tryOutBroker({ ...deps, connector }, broker),
  });
  const mqttBridge: MqttBridge = new MqttBridge({
    ...deps,
    brokers,
    connector,
    store: new RetainedTopicStore(database),
    control: serviceGroups,
    scenesOf: (homeId) => scenes.alwaysIn(homeId),
    discover: discoveryMessages,
    discoverHome: homeDiscovery,
  });
  const brokerSearch = new BrokerSearch({ ...deps, services: mqtt.services, brokers });
  return { brokers, brokerSearch, mqttBridge };
}
