import { Tv } from 'lucide-react';
import type { HomeAccessory } from '../../home/home-document.ts';
import { type DeviceKind, line } from '../kind.ts';
import { flagOf, numberOf, powerOf, powerWrites, serviceOf, servicesOf, textOf } from '../reading.ts';

const televisionOf = (accessory: HomeAccessory) => serviceOf(accessory, 'television');

export interface InputSource {
  readonly id: number;
  readonly name: string;
}

/** The inputs of the television, without those hidden in its settings. */
export function inputsOf(accessory: HomeAccessory): readonly InputSource[] {
  return servicesOf(accessory, 'input_source').flatMap((service) => {
    const id = numberOf(service, 'identifier');
    const name = textOf(service, 'configured_name') || service.name;
    const isHidden = flagOf(service, 'is_configured') === false || flagOf(service, 'current_visibility_state') === true;
    return id === undefined || !name || isHidden ? [] : [{ id, name }];
  });
}

export const television: DeviceKind = {
  look: (accessory) => ({ icon: Tv, tone: powerOf(televisionOf(accessory)) ? 'on' : 'off' }),
  describe(accessory, t) {
    const service = televisionOf(accessory);
    const isOn = powerOf(service);
    if (isOn === undefined) return t.noValue;
    const shown = numberOf(service, 'active_identifier');
    return isOn ? line(t.on, inputsOf(accessory).find(({ id }) => id === shown)?.name) : t.off;
  },
  act(accessory) {
    const isOn = powerOf(televisionOf(accessory)) ?? false;
    const writes = powerWrites(accessory, televisionOf(accessory), !isOn);
    return writes.length > 0 ? { isOn, writes } : undefined;
  },
};
