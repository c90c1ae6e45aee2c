/** The health of the paired devices, and which of them need attention. */
import { graphql, type ResultOf } from '../../../api/graphql.ts';
import { BRIDGE } from '../../../devices/kinds/other.ts';
import { anyFlag, numberOf } from '../../../devices/reading.ts';
import type { HomeAccessory } from '../../../home/home-document.ts';

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

/** A device with what the displayed home knows of its accessories; nothing of a device of another home. */
export interface DeviceEntry {
  readonly device: Device;
  /** Those that the home has, the device's own accessory before a bridge's children. */
  readonly accessories: readonly HomeAccessory[];
  /** The lowest charge of its batteries, in percent; `undefined` without a battery. */
  readonly battery: number | undefined;
  readonly isBatteryLow: boolean;
}

export function entryOf(device: Device, find: (accessoryId: string) => HomeAccessory | undefined): DeviceEntry {
  const accessories = device.accessories
    .flatMap(({ id }) => find(id) ?? [])
    .toSorted((a, b) => Number(b.category === BRIDGE) - Number(a.category === BRIDGE));
  const charges = accessories.flatMap((accessory) =>
    accessory.services.flatMap((service) => numberOf(service, 'battery_level') ?? []),
  );
  const isBatteryLow = accessories.some((accessory) => anyFlag(accessory, 'status_low_battery'));
  return { device, accessories, battery: charges.length > 0 ? Math.min(...charges) : undefined, isBatteryLow };
}

/** By what the list is sorted, worst first; `name` apart. */
export const DEVICE_ORDERS = ['trouble', 'name', 'battery', 'lastSeen', 'reconnects', 'latency'] as const;
export type DeviceOrder = (typeof DEVICE_ORDERS)[number];

interface Wanted {
  readonly search: string;
  readonly onlyTrouble: boolean;
  readonly order: DeviceOrder;
  readonly compare: (a: string, b: string) => number;
}

/** How bad each is, higher first. */
const BADNESS: Readonly<Record<DeviceOrder, (entry: DeviceEntry) => number>> = {
  trouble: ({ device, isBatteryLow }) => 2 * (ORDER.length - rankOf(device)) + Number(isBatteryLow),
  name: () => 0,
  battery: ({ battery, isBatteryLow }) => (isBatteryLow ? 1_000 : 0) - (battery ?? 101),
  lastSeen: ({ device: { lastSeenAt } }) => -(lastSeenAt ? Date.parse(lastSeenAt) : 0),
  reconnects: ({ device }) => device.reconnects,
  latency: ({ device }) => device.latencyMs ?? -1,
};

/** The devices that match, in the order wanted. */
export function listDevices(entries: readonly DeviceEntry[], wanted: Wanted): readonly DeviceEntry[] {
  const { search, onlyTrouble, order, compare } = wanted;
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const badness = BADNESS[order];
  return entries
    .filter(({ device }) => {
      const { name, model, manufacturer, address, accessories } = device;
      const names = accessories.map((each) => each.name);
      const text = [name, model, manufacturer, address, ...names].join('\n').toLowerCase();
      return (!onlyTrouble || hasTrouble(device)) && words.every((word) => text.includes(word));
    })
    .sort((a, b) => badness(b) - badness(a) || compare(titleOf(a.device), titleOf(b.device)));
}

function rankOf(device: Device): number {
  const isPartlySilent = hasTrouble(device) && device.status === 'connected';
  return ORDER.indexOf(isPartlySilent ? 'connecting' : device.status);
}
