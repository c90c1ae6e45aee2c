/** Settings that open, unlock or disarm. Only a direct act of a person may trigger them. By HAP types. */
import { CHARACTERISTIC } from '../../hap-spec/characteristics.ts';
import { SERVICE } from '../../hap-spec/services.ts';
import type { Accessory } from '../model.ts';
import type { CharacteristicSetting } from './settings.ts';

const UNSECURED = 0;
const DISARM = 3;
const DOORS_AND_WINDOWS: ReadonlySet<string> = new Set([SERVICE.door, SERVICE.window]);

/** Lock, garage door, security system, door, window. */
const GUARDED_SERVICES: ReadonlySet<string> = new Set([
  SERVICE.lock,
  SERVICE.garageDoor,
  SERVICE.securitySystem,
  ...DOORS_AND_WINDOWS,
]);

export function opensUnlocksOrDisarms({ service, characteristic, value }: CharacteristicSetting): boolean {
  switch (characteristic.type) {
    case CHARACTERISTIC.lockTargetState:
      return value === UNSECURED;
    case CHARACTERISTIC.securitySystemTargetState:
      return value === DISARM;
    case CHARACTERISTIC.targetDoorState:
      return true;
    case CHARACTERISTIC.targetPosition:
      return DOORS_AND_WINDOWS.has(service.type);
    default:
      return false;
  }
}

/** Whether the accessory has a setting that opens, unlocks or disarms. */
export function isGuarded({ services }: Pick<Accessory, 'services'>): boolean {
  return services.some(({ type }) => GUARDED_SERVICES.has(type));
}
