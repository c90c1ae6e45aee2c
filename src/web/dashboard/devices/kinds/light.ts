import { Lamp, LampDesk, Lightbulb } from 'lucide-react';
import type { HouseAccessory } from '../../house/house-document.ts';
import { type DeviceKind, line } from '../kind.ts';
import { flagOf, numberOf, powerWrites, serviceOf } from '../reading.ts';

const lampOf = (accessory: HouseAccessory) => serviceOf(accessory, 'lightbulb');
const isOn = (accessory: HouseAccessory) => flagOf(lampOf(accessory), 'power_state') ?? false;

export const light: DeviceKind = {
  look: (accessory) => ({ icon: iconFor(accessory.name), tone: isOn(accessory) ? 'on' : 'off' }),
  describe(accessory, t, format) {
    if (!isOn(accessory)) return t.off;
    const brightness = numberOf(lampOf(accessory), 'brightness');
    return line(t.on, brightness !== undefined && format.percent(brightness));
  },
  act(accessory) {
    const writes = powerWrites(accessory, lampOf(accessory), !isOn(accessory));
    return writes.length > 0 ? { isOn: isOn(accessory), writes } : undefined;
  },
};

/** People name lamps by their form; HAP does not know it. */
function iconFor(name: string) {
  if (/desk|reading|table|schreibtisch|lese|tisch/iu.test(name)) return LampDesk;
  return /floor|steh/iu.test(name) ? Lamp : Lightbulb;
}
