/** The health of the paired devices, and which of them need attention. */
import { graphql, type ResultOf } from '../../../api/graphql.ts';

export const DevicesQuery = graphql(`
  query PairedDevices {
    pairings {
      deviceId
      name
      model
      manufacturer
      serialNumber
      firmware
      status
      statusDetail
      since
      lastSeenAt
      address
      reconnects
      latencyMs
      notifications
      polls
      lastError
      lastErrorAt
      lastErrorReason
      accessoryCount
      accessories {
        id
        name
        isReachable
      }
    }
  }
`);

export type Device = NonNullable<NonNullable<ResultOf<typeof DevicesQuery>['pairings']>[number]>;

/** Worst first. */
const ORDER = ['pairing_lost', 'pairing_incomplete', 'offline', 'connecting', 'paused', 'connected'];

/**
 * A device that has just hung up counts as reachable for some seconds, because most come back. Until then it is shown
 * as connecting, so that this page and its tile agree.
 */
export function shownStatus({ status, accessories }: Pick<Device, 'status' | 'accessories'>): string {
  return status === 'offline' && accessories.some(({ isReachable }) => isReachable) ? 'connecting' : status;
}

export function hasTrouble({ status, accessories }: Pick<Device, 'status' | 'accessories'>): boolean {
  return (status !== 'connected' && status !== 'paused') || accessories.some(({ isReachable }) => !isReachable);
}

/** The title of a device: the custom name of its only accessory, else its own name. */
export function titleOf({ name, accessories }: Pick<Device, 'name' | 'accessories'>): string {
  const [only] = accessories;
  return accessories.length === 1 && only ? only.name : name;
}

interface Wanted {
  readonly search: string;
  readonly onlyTrouble: boolean;
  readonly compare: (a: string, b: string) => number;
}

/** The devices that match, those that need attention first. */
export function listDevices(devices: readonly Device[], { search, onlyTrouble, compare }: Wanted): readonly Device[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = (device: Device): number =>
    hasTrouble(device) && device.status === 'connected' ? ORDER.indexOf('connecting') : ORDER.indexOf(device.status);
  return devices
    .filter((device) => {
      const { name, model, manufacturer, accessories } = device;
      const text = [name, model, manufacturer, ...accessories.map((each) => each.name)].join('\n').toLowerCase();
      return (!onlyTrouble || hasTrouble(device)) && words.every((word) => text.includes(word));
    })
    .sort((a, b) => rank(a) - rank(b) || compare(titleOf(a), titleOf(b)));
}
