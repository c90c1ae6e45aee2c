/** The state of a share for programs (API §4.4). */
import type { OpenShare } from '../../app/sharing/open-share.ts';
import type { SharedAccessory, SharedState } from '../../contract/share-links.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory, Characteristic, Service } from '../../home/model.ts';
import { characteristicName, serviceName } from '../../home/vocabulary/hap-names.ts';
import { SKIPPED_CHARACTERISTICS, SKIPPED_SERVICES } from '../../home/vocabulary/properties.ts';
import { formatOf, presentValue } from '../../home/vocabulary/values.ts';

/**
 * @param idPrefix selects accessories whose id begins with it, without revealing whether others exist. The response
 * omits device details (serial number, firmware) and vendor-specific protocols.
 */
export function presentShare(share: OpenShare, state: HomeState, idPrefix = ''): SharedState {
  const prefix = idPrefix.trim().toLowerCase();
  return {
    success: true,
    entity_type: share.entityType,
    role: share.role,
    accessories: share
      .accessories()
      .filter(({ id }) => id.startsWith(prefix))
      .map((accessory) => presentAccessory(accessory, state)),
  };
}

function presentAccessory({ id, name, reachable, roomId, services }: Accessory, state: HomeState): SharedAccessory {
  return {
    id,
    name,
    reachable,
    room: state.room(roomId)?.name ?? '',
    services: services.filter(({ type, hidden }) => !hidden && !SKIPPED_SERVICES.has(type)).map(presentService),
  };
}

function presentService({ type, characteristics }: Service): SharedAccessory['services'][number] {
  return {
    serviceType: serviceName(type),
    characteristics: characteristics.filter(isState).map((characteristic) => ({
      characteristicType: characteristicName(characteristic.type),
      value: presentValue(characteristic),
      isWritable: characteristic.permissions.includes('pw'),
    })),
  };
}

function isState(characteristic: Characteristic): boolean {
  const format = formatOf(characteristic);
  return (
    !SKIPPED_CHARACTERISTICS.has(characteristic.type) &&
    !characteristic.permissions.includes('hd') &&
    format !== 'tlv8' &&
    format !== 'data'
  );
}
