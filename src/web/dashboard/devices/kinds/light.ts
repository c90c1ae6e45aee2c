import { Lamp, LampDesk, Lightbulb } from 'lucide-react';
import type { HomeAccessory } from '../../home/home-document.ts';
import { type DeviceKind, line, onText } from '../kind.ts';
import { levelOf } from '../level.ts';
import { numberOf, powerOf, powerWrites, serviceOf } from '../reading.ts';

const lampOf = (accessory: HomeAccessory) => serviceOf(accessory, 'lightbulb');
const isOn = (accessory: HomeAccessory) => powerOf(lampOf(accessory)) ?? false;

export const light: DeviceKind = {
  look: (accessory) => ({ icon: iconFor(accessory.name), tone: isOn(accessory) ? 'on' : 'off' }),
  describe(accessory, t, format) {
    const reported = powerOf(lampOf(accessory));
    if (!reported) return reported === undefined ? t.noValue : t.off;
    const brightness = numberOf(lampOf(accessory), 'brightness');
    return line(onText(accessory, t), brightness !== undefined && format.percent(brightness));
  },
  act(accessory) {
    const writes = powerWrites(accessory, lampOf(accessory), !isOn(accessory));
    return writes.length > 0 ? { isOn: isOn(accessory), writes } : undefined;
  },
  level: (accessory) => levelOf(accessory, lampOf(accessory), 'brightness', 'brightness'),
};

/** Chooses the icon by the lamp's name, because HAP has no lamp form. */
function iconFor(name: string) {
  if (/desk|reading|table|schreibtisch|lese|tisch/iu.test(name)) return LampDesk;
  return /floor|steh/iu.test(name) ? Lamp : Lightbulb;
}
