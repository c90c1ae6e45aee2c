/**
 * Presents events in the format of the WebSocket (wire-facts §11.1): flat messages, not wrapped in a payload, with HAP
 * values. Each is created once, as bytes, for all clients.
 *
 * The value of a service group follows from its members. When a member changes it, the group's update comes before the
 * member's own. This class stores each group's last published value, so `of` must get every event in order, as readers
 * read them.
 */
import { asAccessory, membersOf } from '../../../home/group-accessory.ts';
import { memberCharacteristic } from '../../../home/group-service.ts';
import type { HomeState } from '../../../home/home-state.ts';
import type { CharacteristicValue, ServiceGroup } from '../../../home/model.ts';
import { characteristicName } from '../../../home/vocabulary/hap-names.ts';
import { presentValue } from '../../../home/vocabulary/values.ts';
import type { LiveEvent, LiveEventType } from '../live-event.ts';
import { textFrame } from './text-frame.ts';

/** Frames; `undefined` if there is nothing to send. */
export interface Broadcast {
  /** For subscribers of the whole home. */
  readonly ofHome: Buffer | undefined;
  /** For subscribers of only the room or accessory: without updates of its groups. */
  readonly ofPart: Buffer | undefined;
}

type WireMessage = Readonly<Record<string, unknown>> & { readonly type: string };

/** The events that these clients know; `/events` has the others. */
const MESSAGES: { readonly [T in LiveEventType]?: (event: LiveEvent) => WireMessage } = {
  'state.changed': ({ accessoryId, homeId, data: { characteristicType, value } }) => ({
    ...{ type: 'characteristic_update', accessoryId, homeId, characteristicType, value },
  }),
  'accessory.reachability_changed': ({ accessoryId, data: { isReachable } }) => ({
    ...{ type: 'reachability_update', accessoryId, isReachable },
  }),
  'home.connection_changed': ({ homeId, data: { connected } }) => ({
    ...{ type: 'relay_status_update', homeId, connected },
  }),
  'settings.changed': () => ({ type: 'settings_updated' }),
};

const NOTHING: Broadcast = { ofHome: undefined, ofPart: undefined };

export class Broadcasts {
  readonly #state: HomeState;
  readonly #made = new WeakMap<LiveEvent, Broadcast>();
  /** The last published value of each group, by group and characteristic. */
  readonly #sent = new Map<string, CharacteristicValue>();

  constructor(state: HomeState) {
    this.#state = state;
  }

  of(event: LiveEvent): Broadcast {
    const known = this.#made.get(event);
    if (known) return known;
    const made = this.#make(event);
    this.#made.set(event, made);
    return made;
  }

  /** Resets the groups' values after a time without readers, in which they became stale. */
  forget(): void {
    this.#sent.clear();
  }

  #make(event: LiveEvent): Broadcast {
    const message = MESSAGES[event.type]?.(event);
    if (!message) return NOTHING;
    const own = textFrame(JSON.stringify(message));
    const groups = event.type === 'state.changed' ? this.#groupUpdates(event) : [];
    if (groups.length === 0) return { ofHome: own, ofPart: own };
    return { ofHome: Buffer.concat([...groups.map((update) => textFrame(JSON.stringify(update))), own]), ofPart: own };
  }

  #groupUpdates({ homeId, accessoryId, data }: LiveEvent): readonly WireMessage[] {
    const name = data.characteristicType;
    if (homeId === null || accessoryId === null || typeof name !== 'string') return [];
    return this.#state.serviceGroups
      .list(homeId)
      .filter(({ members }) => members.some((member) => member.accessoryId === accessoryId))
      .flatMap((group) => this.#groupUpdate(group, name) ?? []);
  }

  #groupUpdate(group: ServiceGroup, name: string): WireMessage | undefined {
    const [service] = asAccessory(group, this.#state)?.services ?? [];
    const characteristic = service?.characteristics.find(({ type }) => characteristicName(type) === name);
    if (!characteristic) return undefined;
    const value = presentValue(characteristic);
    const key = `${group.id} ${name}`;
    if (this.#sent.has(key) && this.#sent.get(key) === value) return undefined;
    this.#sent.set(key, value);
    const { id: groupId, homeId } = group;
    const affectedCount = membersOf(group, this.#state).filter((member) => {
      const own = memberCharacteristic(member.service, characteristic.type);
      return own !== undefined && presentValue(own) === value;
    }).length;
    return { type: 'service_group_update', groupId, homeId, characteristicType: name, value, affectedCount };
  }
}

/** For subscribers of a share that holds only some services of an accessory: `value` is theirs. */
export function partialUpdate({ accessoryId, homeId, data }: LiveEvent, value: CharacteristicValue): Buffer {
  const { characteristicType } = data;
  return textFrame(JSON.stringify({ type: 'characteristic_update', accessoryId, homeId, characteristicType, value }));
}
