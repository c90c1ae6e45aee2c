/** Accessories as the API gives them, with what a test is about. */
import type { HomeAccessory } from '../../../src/web/dashboard/home/home-document.ts';

interface Part {
  readonly type: string;
  readonly values: Readonly<Record<string, unknown>>;
}

export function accessoryOf(
  name: string,
  parts: readonly Part[],
  more: Partial<Pick<HomeAccessory, 'isReachable' | 'roomId' | 'id' | 'type'>> = {},
): HomeAccessory {
  const services = parts.map(({ type, values }, index) => ({
    ...{ id: `${name}.${index}`, type, name: null, isPrimary: index === 0, isHidden: false, linkedServices: [] },
    characteristics: Object.entries(values).map(([characteristic, value]) => ({
      ...{ id: `${name}.${index}.${characteristic}`, type: characteristic, value, format: 'uint8', unit: null },
      ...{ minValue: null, maxValue: null, minStep: null, validValues: null, canRead: true, canWrite: true },
    })),
  }));
  return { id: name, name, type: 'light', roomId: 'room', isReachable: true, services, ...more } as never;
}

export const lamp = (name: string, isOn: boolean, more = {}) =>
  accessoryOf(name, [{ type: 'lightbulb', values: { power_state: isOn } }], more);
