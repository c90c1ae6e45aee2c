import { Box, Router } from 'lucide-react';
import type { HomeAccessory, HomeService } from '../../home/home-document.ts';
import type { DeviceKind } from '../kind.ts';
import { characteristicOf, powerOf, powerWrites } from '../reading.ts';
import { sensor, sensorsOf } from './sensors.ts';

/** All other HAP devices and vendor types: on or off if they have a switch, else their measured values. */
function switchOf({ services }: HomeAccessory): HomeService | undefined {
  const shown = services.filter(({ isHidden }) => !isHidden);
  return shown.find((service) => characteristicOf(service, 'power_state') ?? characteristicOf(service, 'active'));
}

/** Its own accessory among those of a bridge. */
export const BRIDGE = 'Bridge';
const SILENT_SERVICES: ReadonlySet<string> = new Set(['accessory_information', 'protocol_information']);

export const other: DeviceKind = {
  look(accessory) {
    const isOn = powerOf(switchOf(accessory)) ?? false;
    if (accessory.category === BRIDGE) return { icon: Router, tone: 'off' };
    return { icon: Box, tone: isOn ? 'on' : 'off' };
  },
  describe(accessory, t, ...rest) {
    const isOn = powerOf(switchOf(accessory));
    if (isOn !== undefined) return isOn ? t.on : t.off;
    if (sensorsOf(accessory).length > 0) return sensor.describe(accessory, t, ...rest);
    const isSilent = accessory.services.every(({ type }) => SILENT_SERVICES.has(type));
    // An absent one is described before.
    if (isSilent && accessory.category === BRIDGE) return t.connected;
    return isSilent ? t.nothingToShow : t.ready;
  },
  act(accessory) {
    const service = switchOf(accessory);
    const isOn = powerOf(service);
    if (isOn === undefined) return undefined;
    const writes = powerWrites(accessory, service, !isOn);
    return writes.length > 0 ? { isOn, writes } : undefined;
  },
};
