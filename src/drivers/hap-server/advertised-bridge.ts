/** A HAP server as `_hap._tcp` (HAP specification, table 6-7): pure. */
import { createHash } from 'node:crypto';
import type { BridgeIdentity } from '../../home/publication-port.ts';
import { type AdvertisedService, instanceNames, serviceRecords, txtStrings } from '../discovery/advertised-records.ts';

export interface AdvertisedBridge {
  readonly identity: BridgeIdentity;
  readonly port: number;
  readonly configNumber: number;
  readonly isPaired: boolean;
  /** Of the relay: eight hex digits. */
  readonly instanceId: string;
}

const TYPES = ['_hap._tcp.local'];
const PROTOCOL_VERSION = '1.1';
/** `sf` bit 0: not paired. */
const UNPAIRED = 1;
/** Bytes of the hash in `sh`. */
const SETUP_HASH_BYTES = 4;

export function advertisedBridge(bridge: AdvertisedBridge): AdvertisedService {
  const { identity, port } = bridge;
  const host = `hearthd-${identity.deviceId.replaceAll(':', '')}`;
  return {
    what: 'bridge',
    names: (attempt, hostAttempt) => ({
      ...instanceNames(identity.name, TYPES, attempt),
      host: hostAttempt === 1 ? `${host}.local` : `${host}-${hostAttempt}.local`,
    }),
    records: (names, addresses) => serviceRecords({ types: TYPES, port, strings: txtOf(bridge) }, names, addresses),
  };
}

/** In HAP-NodeJS's order. `hd` is our own key: other relays of ours hide what they find it in. */
function txtOf({ identity, configNumber, isPaired, instanceId }: AdvertisedBridge): readonly Buffer[] {
  const { deviceId, model, category } = identity;
  return txtStrings([
    `c#=${configNumber}`,
    'ff=0',
    `id=${deviceId}`,
    `md=${model}`,
    `pv=${PROTOCOL_VERSION}`,
    's#=1',
    `sf=${isPaired ? 0 : UNPAIRED}`,
    `ci=${category}`,
    `sh=${setupHash(identity)}`,
    `hd=${instanceId}`,
  ]);
}

/** By it, a scanned QR code finds its accessory. */
function setupHash({ setupId, deviceId }: BridgeIdentity): string {
  const hash = createHash('sha512')
    .update(setupId + deviceId)
    .digest();
  return hash.subarray(0, SETUP_HASH_BYTES).toString('base64');
}
