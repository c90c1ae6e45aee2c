/** Builds what publishes homes on brokers: who they are, and what connects with them. */
import type { HomeEvents } from '../../home/events.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Scene } from '../../home/model.ts';
import type { MqttConnector } from '../../home/mqtt-connector.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { EventBus } from '../../kernel/event-bus.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Database } from '../../storage/database.ts';
import type { Access } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { ServiceGroups } from '../groups/service-groups.ts';
import { BUILT_IN_SCENES } from '../scenes/built-in-scenes.ts';
import type { Scenes } from '../scenes/scenes.ts';
import type { VirtualAccessories } from '../virtual-accessories/virtual-accessories.ts';
import { MqttBridge } from './bridge.ts';
import type { ConfiguredBroker } from './broker.ts';
import { BrokerStore } from './broker-store.ts';
import { Brokers } from './brokers.ts';
import { discoveryMessages, homeDiscovery } from './discovery/discovery.ts';
import { RetainedTopicStore } from './retained-topic-store.ts';
import { tryOutBroker } from './try-out.ts';

export interface MqttGround {
  readonly connector: MqttConnector;
  /** The one that the configuration gives every home. */
  readonly configured: () => ConfiguredBroker | null;
  /** Whether it is the daemon itself that listens there. */
  readonly isOurselves: (host: string, port: number) => boolean;
}

interface Parts {
  readonly mqtt: MqttGround;
  readonly database: Database;
  readonly state: HomeState;
  readonly access: Access;
  readonly bus: EventBus<HomeEvents>;
  readonly serviceGroups: ServiceGroups;
  readonly scenes: Scenes;
  readonly virtuals: VirtualAccessories;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Both are started after the layout and everything in it, the brokers first. */
export function createMqtt(parts: Parts): { readonly brokers: Brokers; readonly mqttBridge: MqttBridge } {
  const { database, state, scenes, serviceGroups, mqtt } = parts;
  const { connector } = mqtt;
  const brokers = new Brokers({
    ...parts,
    store: new BrokerStore(database),
    configured: mqtt.configured,
    isOurselves: mqtt.isOurselves,
    statusOf: (id) => mqttBridge.statusOf(id),
    tryOut: (broker) => tryOutBroker({ ...parts, connector }, broker),
  });
  const mqttBridge: MqttBridge = new MqttBridge({
    ...parts,
    brokers,
    connector,
    store: new RetainedTopicStore(database),
    control: serviceGroups,
    scenesOf: (homeId) => scenesOf(homeId, state, scenes),
    discover: discoveryMessages,
    discoverHome: homeDiscovery,
  });
  return { brokers, mqttBridge };
}

/**
 * Those that people made, and the built-in ones even while they have nothing to do: what Home Assistant knows should not come and go
 * with every lamp.
 */
function scenesOf(homeId: string, state: HomeState, scenes: Scenes): readonly Pick<Scene, 'id' | 'name'>[] {
  const caller: Caller = { principal: { kind: 'system' }, requestId: homeId, depth: 0 };
  const own = state.scenes.list(homeId).filter(({ automationId }) => automationId === null);
  const builtIn = BUILT_IN_SCENES.map(({ name }) => scenes.findByName(caller, homeId, name));
  return [...new Map([...own, ...builtIn].map((scene) => [scene.id, scene])).values()];
}
