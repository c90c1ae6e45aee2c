import type { HomeTariffs } from '../../app/energy/energy.ts';
import type { EnergyResult, Sum } from '../../app/energy/energy-report.ts';
import type { QuarterPrice } from '../../app/energy/energy-store.ts';
import { QUARTER_MS } from '../../app/energy/quarters.ts';
import type { EnergyPrice, EnergyReport, HomeEnergyTariff, SavedEnergyPrices } from '../../contract/energy.ts';
import { presentTime } from './time.ts';

export function presentEnergy(result: EnergyResult): EnergyReport {
  const { homeId, from, to, by, total, currency, steps, meters } = result;
  const isPriced = currency !== null;
  const energyOf = (sum: Sum) => ({ kwh: sum.kwh, cost: sum.cost(isPriced) });
  return {
    homeId,
    from: presentTime(from),
    to: presentTime(to),
    by,
    ...energyOf(total),
    unpricedKwh: isPriced ? total.unpricedKwh : 0,
    currency,
    buckets: steps.map(({ start, end, sum }) => ({
      start: presentTime(start),
      end: presentTime(end),
      ...energyOf(sum),
    })),
    devices: meters.map(({ meter: { accessoryId, number, name, since }, sum }) => ({
      accessoryId,
      meter: number,
      name,
      ...energyOf(sum),
      share: total.mwh === 0 ? 0 : sum.mwh / total.mwh,
      since: presentTime(since),
    })),
  };
}

export function presentTariffs({ homeId, tariff, tariffs }: HomeTariffs): HomeEnergyTariff {
  return { homeId, tariff, tariffs };
}

/** Quarters with the same price in one piece. */
export function presentPrices(quarters: readonly QuarterPrice[]): readonly EnergyPrice[] {
  const pieces: { from: number; to: number; price: number }[] = [];
  for (const { start, price } of quarters) {
    const last = pieces.at(-1);
    if (last?.to === start && last.price === price) last.to += QUARTER_MS;
    else pieces.push({ from: start, to: start + QUARTER_MS, price });
  }
  return pieces.map(({ from, to, price }) => ({ from: presentTime(from), to: presentTime(to), price }));
}

/** @param quarters one at least, in the order of time */
export function presentSavedPrices(quarters: readonly QuarterPrice[]): SavedEnergyPrices {
  return {
    from: presentTime(quarters[0]?.start ?? 0),
    to: presentTime((quarters.at(-1)?.start ?? 0) + QUARTER_MS),
    quarters: quarters.length,
  };
}
