/** A small icon for each kind of device, drawn with one line. The text beside it has the device's name and state. */
import { DEVICE_KINDS, type DeviceIconName } from '../../home/vocabulary/device-kinds.ts';
import type { Markup } from '../html/page.tsx';

/** Paths in a view box of 24 by 24. */
const PATHS: Readonly<Record<DeviceIconName, string>> = {
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.5h4',
  blind: 'M4 4h16M6 4v14h12V4M6 9h12M6 13.5h12M12 18v3',
  bulb: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.7.7 1 1.4 1 2.5h6c0-1.1.3-1.8 1-2.5A6 6 0 0 0 12 3z',
  door: 'M3 20.5h18M6 20.5V5.5l8-2v17M14 5.5h4v15M11 12v.5',
  drop: 'M12 3.5c3.5 4.2 5.5 7 5.5 10a5.5 5.5 0 0 1-11 0c0-3 2-5.8 5.5-10z',
  eye: 'M2.5 12C5 7.5 8.3 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.8 6.5-9.5 6.5S5 16.5 2.5 12zM12 12m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0',
  fan: 'M12 12m-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0M12 10.5C10 7 11 3.5 13.5 3.5S16 8 12 10.5M13.3 12.8c4 0 6.5 2.5 5.3 4.7s-5.3 0-5.3-4.7M10.7 12.8c-2 3.5-5.5 4.3-6.7 2.2s2-4.6 6.7-2.2',
  padlock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3M12 14.5v2',
  plug: 'M9 3v5M15 3v5M7 8h10v3a5 5 0 0 1-10 0zM12 16v5',
  power: 'M12 3v8M7 6.3a7 7 0 1 0 10 0',
  speaker: 'M4 9.5v5h3.5L12 19V5L7.5 9.5zM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11',
  thermometer: 'M14 14.5V5a2 2 0 0 0-4 0v9.5a4 4 0 1 0 4 0zM12 11v6',
};

/** Of a device without an icon of its own. */
const SHAPES = 'M5 5h6v6H5zM16 8m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0M5 19l3.5-6 3.5 6zM14 14h5v5h-5z';

/** By device type. */
const ICONS: ReadonlyMap<string, DeviceIconName> = new Map([
  ['input_boolean', 'power'],
  ...DEVICE_KINDS.flatMap(({ type, icon }) => (type && icon ? [[type, icon] as const] : [])),
]);

export function DeviceIcon({ type }: { readonly type: string }): Markup {
  const icon = ICONS.get(type);
  return (
    <svg class="device" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
      <path d={icon ? PATHS[icon] : SHAPES} />
    </svg>
  );
}
