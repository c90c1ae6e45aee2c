/**
 * Home Assistant MQTT discovery (https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery): makes each thing of
 * a home a device. There is one retained message per entity, under `{prefix}/{component}/{device}/{object}/config`.
 * Entities only use topics that are published anyway. `home/vocabulary/device-kinds.ts` has the entity of each service;
 * each has its own file.
 */
import { serviceTypesNamed } from '../../../hap-spec/services.ts';
import type { Characteristic, Service } from '../../../home/model.ts';
import { ownNameOf } from '../../../home/own-name.ts';
import { DEVICE_SERVICES, type HomeAssistantEntity } from '../../../home/vocabulary/device-kinds.ts';
import { determineType } from '../../../home/vocabulary/device-types.ts';
import { VERSION } from '../../../kernel/version.ts';
import type {
  Discover,
  DiscoverHome,
  DiscoveryMessage,
  PublishedHome,
  PublishedScene,
  PublishedThing,
} from '../published-thing.ts';
import { alarmControlPanel } from './alarm-control-panel.ts';
import { heaterCooler, thermostat } from './climate.ts';
import { cover } from './cover.ts';
import { type Component, type Describe, type Entity, propertyOf, ServicePart } from './entity.ts';
import { fan } from './fan.ts';
import { humidifier } from './humidifier.ts';
import { describeLeftover } from './leftovers.ts';
import { light } from './light.ts';
import { lock } from './lock.ts';
import { switchEntity } from './switch.ts';
import { valve } from './valve.ts';
import { describeVirtual } from './virtual.ts';

const DESCRIBERS: Readonly<Record<HomeAssistantEntity, Describe>> = {
  alarm_control_panel: alarmControlPanel,
  cover,
  fan,
  heater_cooler: heaterCooler,
  humidifier,
  light,
  lock,
  switch: switchEntity,
  thermostat,
  valve,
};

/** By service. A service without one is described property by property. */
const COMPONENTS: ReadonlyMap<string, Describe> = new Map(
  DEVICE_SERVICES.flatMap(({ name, entity }) =>
    entity ? serviceTypesNamed(name).map((type) => [type, DESCRIBERS[entity]] as const) : [],
  ),
);

const ORIGIN = { name: 'hearthd', sw_version: VERSION };
const AT_LEAST_ONCE = 1;

/** The home is a device too, with a connectivity entity; its things and scenes refer to it. Published before them. */
export const homeDiscovery: DiscoverHome = (home, discoveryPrefix) => {
  const node = `homecast_${home.homeId.slice(0, 8)}`;
  const payload = {
    name: 'Connection',
    unique_id: `homecast_${home.homeId}_connection`,
    device_class: 'connectivity',
    entity_category: 'diagnostic',
    state_topic: home.homeStatusTopic,
    payload_on: 'online',
    payload_off: 'offline',
    ...commonOf(homeDevice(home)),
  };
  return [{ topic: topicOf(discoveryPrefix, 'binary_sensor', node, 'connection'), payload }];
};

export const discoveryMessages: Discover = (subject, discoveryPrefix) => {
  if (subject.kind === 'scene') return [sceneMessage(subject, discoveryPrefix)];
  const common = {
    availability: [{ topic: subject.topics.availability }, { topic: subject.homeStatusTopic }],
    availability_mode: 'all',
    ...commonOf(deviceOf(subject)),
  };
  return entitiesOf(subject).map(({ component, object, name, config }) => ({
    topic: topicOf(discoveryPrefix, component, subject.discoveryId, object),
    payload: { name, unique_id: `homecast_${subject.id}_${object}`, ...config, ...common },
  }));
};

interface NamedEntity extends Entity {
  /** `null`: the device's own name is sufficient. */
  readonly name: string | null;
}

function entitiesOf(thing: PublishedThing): readonly NamedEntity[] {
  const main = thing.accessory.services.length > 0 ? determineType(thing.accessory.services)?.service : undefined;
  const used = new Set<Characteristic>();
  const found = [...new Set(thing.properties.map(({ service }) => service))].flatMap((service) =>
    describeService(thing, service, used).map((entity) => ({ entity, service })),
  );
  const leftovers = thing.properties.flatMap((binding) => {
    if (used.has(binding.characteristic)) return [];
    const entity = describeLeftover(thing, propertyOf(thing, binding));
    if (!entity) return [];
    used.add(binding.characteristic);
    return [{ entity, service: binding.service }];
  });
  const all = [...found, ...leftovers];
  const mainEntity = (all.find(({ service }) => service === main) ?? all[0])?.entity;
  const names = new NamesInUse(thing, mainEntity);
  return all.map(({ entity, service }) => ({ ...entity, name: names.nameOf(entity, service) }));
}

function describeService(thing: PublishedThing, service: Service, used: Set<Characteristic>): readonly Entity[] {
  const { virtual } = thing.accessory;
  const ownUse = new Set<Characteristic>();
  const part = new ServicePart(thing, service, ownUse);
  const entities = virtual
    ? describeVirtual(part, virtual)
    : [COMPONENTS.get(service.type)?.(part)].filter((one) => one !== undefined);
  // If a component describes no entity, its properties stay available to others.
  if (entities.length > 0) for (const characteristic of ownUse) used.add(characteristic);
  return entities;
}

/** Unique entity names of one device: the services' own names if they have any, otherwise the entity's label. */
class NamesInUse {
  readonly #thing: PublishedThing;
  readonly #main: Entity | undefined;
  readonly #taken = new Map<string, number>();

  constructor(thing: PublishedThing, main: Entity | undefined) {
    this.#thing = thing;
    this.#main = main;
  }

  nameOf(entity: Entity, service: Service): string | null {
    const own = ownNameOf(service) ?? undefined;
    const isNamed = own !== undefined && own !== this.#thing.name && this.#hasSiblings(service);
    if (entity === this.#main && !isNamed) return null;
    const wanted = isNamed && COMPONENTS.has(service.type) ? own : entity.label;
    const count = (this.#taken.get(wanted) ?? 0) + 1;
    this.#taken.set(wanted, count);
    return count === 1 ? wanted : `${wanted} ${count}`;
  }

  /** A power strip has several outlets: each uses its own name. */
  #hasSiblings({ type }: Service): boolean {
    return this.#thing.accessory.services.filter((service) => service.type === type).length > 1;
  }
}

function sceneMessage(scene: PublishedScene, discoveryPrefix: string): DiscoveryMessage {
  return {
    topic: topicOf(discoveryPrefix, 'scene', scene.discoveryId, 'scene'),
    payload: {
      name: scene.name,
      unique_id: `homecast_${scene.id}_scene`,
      command_topic: scene.topics.execute,
      payload_on: 'ON',
      availability: [{ topic: scene.homeStatusTopic }],
      ...commonOf(homeDevice(scene)),
    },
  };
}

function deviceOf({ id, homeId, name, roomName, device }: PublishedThing): object {
  const facts = {
    manufacturer: device.manufacturer,
    model: device.model,
    serial_number: device.serialNumber,
    sw_version: device.firmwareRevision,
    hw_version: device.hardwareRevision,
    suggested_area: roomName,
  };
  const known = Object.entries(facts).filter(([, value]) => value !== null && value.trim() !== '');
  return { identifiers: [`homecast_${id}`], name, ...Object.fromEntries(known), via_device: `homecast_${homeId}` };
}

function homeDevice({ homeId, homeName }: Pick<PublishedHome, 'homeId' | 'homeName'>): object {
  return { identifiers: [`homecast_${homeId}`], name: homeName, manufacturer: ORIGIN.name, sw_version: VERSION };
}

function commonOf(device: object): object {
  return { qos: AT_LEAST_ONCE, device, origin: ORIGIN };
}

function topicOf(prefix: string, component: Component, node: string, object: string): string {
  return `${prefix}/${component}/${node}/${object}/config`;
}
