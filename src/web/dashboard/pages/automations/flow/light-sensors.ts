/** Sensors of the home that detect whether it is dark. */
import type { HomeInventory } from '../../../home/home-document.ts';
import { type Property, propertiesOf } from '../../../pickers/property.ts';
import { LIGHT_LEVEL } from './registry.ts';

export function hasLightSensor({ accessories }: HomeInventory): boolean {
  return accessories.some((accessory) => propertiesOf(accessory).some(isLightLevel));
}

/** A light sensor of the same accessory, or in the same room. */
export function lightSensorNear({ accessory }: Property, { accessories }: HomeInventory): Property | undefined {
  const isNear = ({ roomId, vanishedAt }: (typeof accessories)[number]) =>
    vanishedAt === null && roomId === accessory.roomId;
  const nearby = [accessory, ...accessories.filter(isNear)];
  return nearby.flatMap((one) => propertiesOf(one)).find(isLightLevel);
}

export function isLightLevel({ characteristic }: Property): boolean {
  return characteristic.type === LIGHT_LEVEL;
}
