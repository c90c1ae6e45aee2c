/** What a row of the mapping consists of. A row is data and pure functions, and knows both directions. */
import type { CharacteristicName } from '../../../hap-spec/characteristics.ts';
import type { MatterAttributes } from '../../../home/matter-port.ts';
import type { CharacteristicValue } from '../../../home/model.ts';
import type { HapServiceView } from './hap-service-view.ts';

/** Values to write to the characteristics of a service. */
export type HapSettings = Readonly<Partial<Record<CharacteristicName, CharacteristicValue>>>;

/** A Matter cluster as seen through a HAP service. */
export interface ClusterRow {
  /** By its name in the library: `levelControl`. */
  readonly cluster: string;
  /** Names of the specification. They are a part of the endpoint's shape, so they follow from what the service has. */
  readonly features?: (service: HapServiceView) => readonly string[];
  /** Attributes that do not change. */
  readonly fixed?: (service: HapServiceView) => MatterAttributes;
  /** Attributes by the values of now. */
  readonly read: (service: HapServiceView) => MatterAttributes;
  /** What a controller changed, as settings of the service. */
  readonly write?: (changes: MatterAttributes, service: HapServiceView) => HapSettings;
}

export function numberIn(changes: MatterAttributes, attribute: string): number | undefined {
  const value = changes[attribute];
  return typeof value === 'number' ? value : undefined;
}

export function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

/** A number scaled and rounded, `null` while it is unknown. */
export function scaled(value: number | undefined, factor: number): number | null {
  return value === undefined ? null : Math.round(value * factor);
}
