/**
 * The simplified properties of an accessory and the characteristic that each is bound to. Computed once per list of
 * services and cached as long as that list exists, so that reading the state of a whole home only walks prepared lists.
 *
 * If several services have the same property, the primary service gets the plain name, then the service that determines
 * the device type, then the others in their order as `on_2`, `on_3` … (decisions §3).
 */
import { characteristicByType } from '../../hap-spec/characteristics.ts';
import { foldWord } from '../../hap-spec/words.ts';
import { PROGRAMMABLE_SWITCH_EVENT } from '../home-state.ts';
import type { Characteristic, Service } from '../model.ts';
import { type Conversion, plain } from './conversions.ts';
import { determineType } from './device-types.ts';
import { PROPERTIES, type PropertyRow, SKIPPED_CHARACTERISTICS, SKIPPED_SERVICES } from './properties.ts';
import { formatOf } from './values.ts';

export interface ServiceCharacteristic {
  readonly service: Service;
  readonly characteristic: Characteristic;
}

export interface Binding extends ServiceCharacteristic {
  /** The shown name, with its number if the property is repeated: `on_2`. */
  readonly property: string;
  readonly conversion: Conversion;
  readonly writable: boolean;
  readonly isButton: boolean;
  /** The target of the word `off`, if it is not the characteristic itself. */
  readonly offSwitch: Characteristic | undefined;
}

export interface Bindings {
  /** In the order of services and characteristics. */
  readonly list: readonly Binding[];
  /** By folded property name. */
  readonly byWord: ReadonlyMap<string, Binding>;
  /** Every characteristic of the accessory by canonical type; the one with the plain name comes first. */
  readonly byType: ReadonlyMap<string, readonly ServiceCharacteristic[]>;
}

const rowsByType: ReadonlyMap<string, readonly PropertyRow[]> = groupRows();

const known = new WeakMap<readonly Service[], Bindings>();

export function bindingsOf(services: readonly Service[]): Bindings {
  let bindings = known.get(services);
  if (!bindings) {
    bindings = bind(services);
    known.set(services, bindings);
  }
  return bindings;
}

function bind(services: readonly Service[]): Bindings {
  const ranked = rankServices(services);
  const byType = new Map<string, ServiceCharacteristic[]>();
  for (const service of ranked) {
    for (const characteristic of service.characteristics) {
      append(byType, characteristic.type, { service, characteristic });
    }
  }
  const counts = new Map<string, number>();
  const byService = new Map(ranked.map((service) => [service, bindService(service, byType, counts)]));
  const list = services.flatMap((service) => byService.get(service) ?? []);
  return { list, byWord: new Map(list.map((binding) => [foldWord(binding.property), binding])), byType };
}

/** Services in the order in which they get the plain names. */
export function rankServices(services: readonly Service[]): readonly Service[] {
  const main = determineType(services)?.service;
  const rankOf = (service: Service): number => (service.primary ? 0 : service === main ? 1 : 2);
  return [...new Set(services)].sort((a, b) => rankOf(a) - rankOf(b));
}

/** @param counts the number of occurrences of each property so far; updated. */
function bindService(
  service: Service,
  byType: ReadonlyMap<string, unknown>,
  counts: Map<string, number>,
): readonly Binding[] {
  if (SKIPPED_SERVICES.has(service.type)) return [];
  return service.characteristics.flatMap((characteristic) => {
    const rows = rowsFor(characteristic).filter(({ unless }) => unless === undefined || !byType.has(unless));
    return rows.map(({ property, conversion, offSwitch }): Binding => {
      const count = (counts.get(property) ?? 0) + 1;
      counts.set(property, count);
      return {
        property: count === 1 ? property : `${property}_${count}`,
        service,
        characteristic,
        conversion,
        writable: characteristic.permissions.includes('pw'),
        isButton: characteristic.type === PROGRAMMABLE_SWITCH_EVENT,
        offSwitch: service.characteristics.find(({ type }) => type === offSwitch),
      };
    });
  });
}

/**
 * The table rows for this characteristic, and one more if it is shown under its own name. Characteristics without a
 * name, descriptions of the accessory and TLV8 (a protocol, not a value) are not shown under their own name.
 */
function rowsFor(characteristic: Characteristic): readonly PropertyRow[] {
  const { type } = characteristic;
  if (SKIPPED_CHARACTERISTICS.has(type) || formatOf(characteristic) === 'tlv8') return [];
  const rows = rowsByType.get(type);
  if (rows) return rows;
  const spec = characteristicByType(type);
  return spec ? [{ property: spec.name, type, conversion: plain }] : [];
}

function groupRows(): ReadonlyMap<string, readonly PropertyRow[]> {
  const groups = new Map<string, PropertyRow[]>();
  for (const row of PROPERTIES) append(groups, row.type, row);
  for (const [type, rows] of groups) {
    const name = characteristicByType(type)?.name;
    const wantsPlain = rows.some(({ alsoPlain }) => alsoPlain);
    if (wantsPlain && name) rows.push({ property: name, type, conversion: plain });
  }
  return groups;
}

function append<K, V>(groups: Map<K, V[]>, key: K, value: V): void {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}
