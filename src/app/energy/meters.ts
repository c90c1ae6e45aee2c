/**
 * The meters of an accessory: its services that measure power (W), total consumption (kWh) or both. HAP has neither;
 * devices and bridges use Eve's characteristics.
 */
import { CHARACTERISTIC } from '../../hap-spec/characteristics.ts';
import type { HapId, Service } from '../../home/model.ts';
import { ownNameOf } from '../../home/own-name.ts';
import { bindingsOf, type ServiceCharacteristic } from '../../home/vocabulary/bindings.ts';

export interface Meter {
  /** 1 for the first meter of the accessory. */
  readonly number: number;
  /** The characteristic that has the power, in watts. */
  readonly power: HapId | null;
  /** The characteristic that has the total consumption, in kilowatt-hours. */
  readonly counter: HapId | null;
  /** The name of its service, where the accessory has several meters. */
  readonly serviceName: string | null;
}

const POWER = CHARACTERISTIC.eveEnergyWatt;
const COUNTER = CHARACTERISTIC.eveEnergyKwh;

const known = new WeakMap<readonly Service[], readonly Meter[]>();

/** Whether the characteristic is one of a meter. */
export function isMeasurement(type: string): boolean {
  return type === POWER || type === COUNTER;
}

export function metersOf(services: readonly Service[]): readonly Meter[] {
  let meters = known.get(services);
  if (!meters) {
    meters = findMeters(services);
    known.set(services, meters);
  }
  return meters;
}

/** The name of a meter: that of its accessory, and of its service where there are several. */
export function meterName(accessoryName: string, { number, serviceName }: Meter, count: number): string {
  return count === 1 ? accessoryName : `${accessoryName}: ${serviceName ?? number}`;
}

/** Power and counter of one service are one meter; those in different services belong together in their order. */
function findMeters(services: readonly Service[]): readonly Meter[] {
  const { byType } = bindingsOf(services);
  const powers = [...(byType.get(POWER) ?? [])];
  const counters = [...(byType.get(COUNTER) ?? [])];
  const together = powers.flatMap((power) => {
    const counter = counters.find(({ service }) => service === power.service);
    return counter ? [{ power, counter }] : [];
  });
  const otherPowers = powers.filter((power) => !together.some((pair) => pair.power === power));
  const otherCounters = counters.filter((counter) => !together.some((pair) => pair.counter === counter));
  const apart = Array.from({ length: Math.max(otherPowers.length, otherCounters.length) }, (_, index) => ({
    power: otherPowers[index],
    counter: otherCounters[index],
  }));
  return [...together, ...apart].map(({ power, counter }, index) => ({
    number: index + 1,
    power: iidOf(power),
    counter: iidOf(counter),
    serviceName: nameOf(power ?? counter),
  }));
}

function iidOf(place: ServiceCharacteristic | undefined): HapId | null {
  return place?.characteristic.iid ?? null;
}

function nameOf(place: ServiceCharacteristic | undefined): string | null {
  return place ? ownNameOf(place.service) : null;
}
