import { Droplet, ShowerHead } from 'lucide-react';
import type { HomeAccessory } from '../../home/home-document.ts';
import type { DeviceKind } from '../kind.ts';
import { flagOf, numberOf, powerWrites, serviceOf } from '../reading.ts';

const SHOWER = 2;
const valveOf = (accessory: HomeAccessory) => serviceOf(accessory, 'valve');

export const valve: DeviceKind = {
  look(accessory) {
    const service = valveOf(accessory);
    const icon = numberOf(service, 'valve_type') === SHOWER ? ShowerHead : Droplet;
    return { icon, tone: flagOf(service, 'active') ? 'cool' : 'off' };
  },
  describe(accessory, t) {
    const service = valveOf(accessory);
    const isOpen = flagOf(service, 'active');
    if (!isOpen) return isOpen === undefined ? t.noValue : t.valve.closed;
    // The valve is open, but a schedule or the pressure holds the water back.
    return flagOf(service, 'in_use') === false ? t.valve.waits : t.valve.runs;
  },
  act(accessory) {
    const isOn = flagOf(valveOf(accessory), 'active') ?? false;
    const writes = powerWrites(accessory, valveOf(accessory), !isOn);
    return writes.length > 0 ? { isOn, writes } : undefined;
  },
};
