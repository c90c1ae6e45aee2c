/** The devices: discovery, drivers, and the timers of virtual accessories and automations. */
import { loadInstanceId } from '../app/settings/instance-id.ts';
import { ConfiguredDevices } from '../drivers/discovery/configured-devices.ts';
import { MdnsDiscovery } from '../drivers/discovery/mdns-discovery.ts';
import { MulticastNetwork } from '../drivers/discovery/multicast-network.ts';
import { MdnsServiceSearch } from '../drivers/discovery/service-search.ts';
import { createHapDriver } from '../drivers/hap/create-hap-driver.ts';
import { ManualDevicesStore } from '../drivers/hap/manual-devices-store.ts';
import { PairingCopy } from '../drivers/hap/pairing/pairing-copy.ts';
import { PairingStore } from '../drivers/hap/pairing/pairing-store.ts';
import { PublishedServers } from '../drivers/hap/published-servers.ts';
import { createHapServers } from '../drivers/hap-server/create-hap-servers.ts';
import { createMatterBridges } from '../drivers/matter/create-matter-bridges.ts';
import { VirtualAccessoryDriver } from '../drivers/virtual/virtual-driver.ts';
import { WallTimers } from '../kernel/wall-timers.ts';
import type { HomeParts } from './build-home.ts';
import type { RelayDeps } from './relay-deps.ts';

const PAIRINGS_FILE = 'pairings.json';

export type DeviceParts = ReturnType<typeof buildDevices>;

export function buildDevices(deps: RelayDeps, { state, registry: sink }: HomeParts) {
  const { live, overrides, directory, database, clock, logger } = deps;
  const { host: hosts, interfaces, manualDevices: configured } = live.current;
  const multicast = new MulticastNetwork({ interfaces, clock, logger });
  const found = overrides.discovery ?? new MdnsDiscovery({ network: multicast, manual: configured, clock, logger });
  const discovery = overrides.wrapDiscovery?.(found) ?? found;
  const serviceSearch = new MdnsServiceSearch({ network: multicast, clock });
  const entered = new ManualDevicesStore(database);
  const configuredDevices = new ConfiguredDevices({ discovery, configured, entered: () => entered.list() });
  const instanceId = loadInstanceId(database);
  const { openBridge, deviceIds: ownDeviceIds } = createHapServers({
    network: multicast,
    hosts,
    instanceId,
    clock,
    logger,
  });
  const pairings = new PairingStore(database, new PairingCopy(directory.file(PAIRINGS_FILE)), logger);
  const homes = () => state.homes();
  const { pairsPublications: arePairable = false } = overrides;
  const published = new PublishedServers({ discovery, ownDeviceIds, arePairable });
  const hap = createHapDriver({ database, discovery, pairings, published, sink, clock, logger, homes });
  const timers = new WallTimers({ clock, logger });
  const virtual = new VirtualAccessoryDriver({ database, sink, clock, timers, logger });
  const openMatterBridge =
    overrides.openMatterBridge ?? createMatterBridges({ interfaces, network: multicast, clock, logger });
  const servers = { openBridge, openMatterBridge };
  return {
    multicast,
    discovery,
    serviceSearch,
    configuredDevices,
    pairings,
    hap,
    timers,
    virtual,
    ...servers,
    instanceId,
  };
}
