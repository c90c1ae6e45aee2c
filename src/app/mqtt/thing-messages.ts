/** Retained messages of one accessory, group or scene. The same home gives the same bytes. */
import { asAccessory, membersOf } from '../../home/group-accessory.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory, CharacteristicValue } from '../../home/model.ts';
import { bindingsOf } from '../../home/vocabulary/bindings.ts';
import type { Broker } from './broker.ts';
import type { PublishedInventory } from './inventory.ts';
import type { Discover, DiscoverHome, DiscoveryMessage, PublishedSubject, PublishedThing } from './published-thing.ts';
import { publishedValue } from './published-value.ts';

export interface RetainedMessage {
  readonly topic: string;
  readonly payload: string;
}

export const ONLINE = 'online';
export const OFFLINE = 'offline';

/** Messages that change with the state: state and availability. None for a scene or a deleted thing. */
export function liveMessages(subject: PublishedSubject, state: HomeState): readonly RetainedMessage[] {
  if (subject.kind === 'scene') return [];
  const accessory = accessoryNow(subject, state);
  if (!accessory) return [];
  const { topics } = subject;
  const isOnline = accessory.reachable && accessory.vanishedAt === null;
  return [
    { topic: topics.state, payload: JSON.stringify(stateOf(accessory)) },
    { topic: topics.availability, payload: isOnline ? ONLINE : OFFLINE },
  ];
}

/** Messages that change only with the layout: members of groups, and Home Assistant discovery. */
export function layoutMessages(
  subject: PublishedSubject,
  {
    state,
    inventory,
    broker,
    discover,
  }: { state: HomeState; inventory: PublishedInventory; broker: Broker; discover: Discover },
): readonly RetainedMessage[] {
  const discovery = broker.haDiscovery ? discover(subject, broker.haDiscoveryPrefix) : [];
  const messages = discovery.map(asJson);
  if (subject.kind !== 'group' || subject.topics.members === null) return messages;
  const members = JSON.stringify(membersOfGroup(subject.id, state, inventory));
  return [{ topic: subject.topics.members, payload: members }, ...messages];
}

/** Whether the home can be commanded, and its Home Assistant discovery. */
export function homeMessages(
  { home }: PublishedInventory,
  {
    state,
    broker,
    discoverHome,
  }: { readonly state: HomeState; readonly broker: Broker; readonly discoverHome: DiscoverHome },
): readonly RetainedMessage[] {
  const status = { topic: home.homeStatusTopic, payload: state.isConnected(home.homeId) ? ONLINE : OFFLINE };
  return [status, ...(broker.haDiscovery ? discoverHome(home, broker.haDiscoveryPrefix).map(asJson) : [])];
}

function asJson({ topic, payload }: DiscoveryMessage): RetainedMessage {
  return { topic, payload: JSON.stringify(payload) };
}

/** Every property with a value (see `publishedValue`), in the accessory's order. */
function stateOf({ services }: Accessory): Record<string, CharacteristicValue> {
  const properties: Record<string, CharacteristicValue> = {};
  for (const binding of bindingsOf(services).list) {
    const value = publishedValue(binding);
    if (value !== null) properties[binding.property] = value;
  }
  return properties;
}

/** The current accessory: a group's is computed on demand. */
function accessoryNow({ kind, id }: PublishedThing, state: HomeState): Accessory | undefined {
  if (kind === 'accessory') return state.accessory(id);
  const group = state.serviceGroups.find(id);
  return group && asAccessory(group, state);
}

function membersOfGroup(id: string, state: HomeState, { subjects }: PublishedInventory) {
  const group = state.serviceGroups.find(id);
  const ids = new Set((group ? membersOf(group, state) : []).map(({ accessory }) => accessory.id));
  return [...ids].flatMap((memberId) => {
    const member = subjects.get(memberId);
    return member && member.kind !== 'scene' ? [{ id: memberId, name: member.name, topic: member.topics.state }] : [];
  });
}
