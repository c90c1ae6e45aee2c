/** The icon of a trigger, a condition or an action: that of the device in it, otherwise that of its kind. */
import type { LucideIcon } from 'lucide-react';
import { DEVICE_KINDS } from '../../../../../home/vocabulary/device-kinds.ts';
import { useDeviceIcon } from '../../../devices/icons/device-icon.ts';
import type { HomeAccessory, HomeInventory } from '../../../home/home-document.ts';
import { useHome } from '../../../home/use-home.ts';
import { findProperty } from '../../../pickers/property.ts';
import { type FlowNode, textOf } from './flow-record.ts';
import { iconOf, LIGHT_LEVEL } from './registry.ts';
import { propertyRef } from './sentence-context.ts';
import type { NodeRole } from './structure.ts';

export function useNodeIcon(role: NodeRole, node: FlowNode): LucideIcon {
  const key = iconKey(node);
  const device = deviceIn(useHome(), node);
  return useDeviceIcon(key === DARK ? undefined : device, iconOf(role, key));
}

const DARK = 'dark';

/** Presets have their own icons. */
function iconKey(node: FlowNode): string {
  if (node.type === 'numeric_state' && node.id === undefined && node.characteristicType === LIGHT_LEVEL) return DARK;
  if (node.type === 'state' && textOf(node, 'characteristicType').startsWith('programmable_switch_event'))
    return 'button';
  return node.eventType === 'automation.error' ? 'automation_failed' : textOf(node, 'type');
}

const TYPES: ReadonlyMap<string, string> = new Map(
  DEVICE_KINDS.flatMap(({ type, services }) => (type === undefined ? [] : services.map(({ name }) => [name, type]))),
);

/**
 * The accessory of a node, reduced to the service of its property with the value in the node: of "the thermostat sees
 * motion", a motion sensor that sees some. Its icon then depends on the node alone, not on the present values.
 * @returns nothing if the node has no property, or the home does not have it (any more)
 */
export function deviceIn(inventory: HomeInventory, node: FlowNode): HomeAccessory | undefined {
  const ref = propertyRef(node);
  const property = ref && findProperty(inventory, ref);
  if (!property) return undefined;
  const { accessory, service, characteristic } = property;
  const type = TYPES.get(service.type);
  if (type === undefined) return accessory;
  const value = node.to ?? node.value ?? null;
  const characteristics = service.characteristics.map((one) => ({
    ...one,
    value: one === characteristic ? value : null,
  }));
  return { ...accessory, type, services: [{ ...service, characteristics }] };
}
