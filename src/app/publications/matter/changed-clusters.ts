import { isDeepStrictEqual } from 'node:util';
import type { MatterAttributes, MatterClusters } from '../../../home/matter-port.ts';

/** Of a lamp's color, the mode is the one of what changed last: HAP has no mode. */
const MODES: readonly { readonly attributes: readonly string[]; readonly colorMode: number }[] = [
  { attributes: ['colorTemperatureMireds'], colorMode: 2 },
  { attributes: ['currentHue', 'currentSaturation'], colorMode: 0 },
];

/** The attributes with another value than before; `undefined` for none. */
export function changedClusters(before: MatterClusters | undefined, after: MatterClusters): MatterClusters | undefined {
  if (!before) return after;
  const changed = Object.entries(after).flatMap(([cluster, attributes]) => {
    const different = Object.entries(attributes).filter(
      ([name, value]) => !isDeepStrictEqual(before[cluster]?.[name], value),
    );
    return different.length === 0 ? [] : [[cluster, Object.fromEntries(different)] as const];
  });
  if (changed.length === 0) return undefined;
  return Object.fromEntries(
    changed.map(([cluster, attributes]) => [cluster, cluster === 'colorControl' ? withMode(attributes) : attributes]),
  );
}

function withMode(attributes: MatterAttributes): MatterAttributes {
  const [mode, other] = MODES.filter((one) => one.attributes.some((name) => name in attributes));
  // A lamp that changes both keeps the mode that follows from its color.
  if (!mode || other) return attributes;
  return { ...attributes, colorMode: mode.colorMode, enhancedColorMode: mode.colorMode };
}
