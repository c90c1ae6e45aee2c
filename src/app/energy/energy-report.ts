/** Adds up counted energy by the steps of a home's calendar and by meter, with its cost. */
import type { EnergyStep } from '../../home/vocabulary/energy-words.ts';
import type { QueryWork } from '../history/query-work.ts';
import { nextStep } from './energy-steps.ts';
import type { EnergyHour, EnergyStore, MeterRow } from './energy-store.ts';
import { HOUR_MS, MWH_PER_KWH, QUARTER_MS } from './quarters.ts';
import type { Prices } from './tariff.ts';

/** Energy and its cost, while they are added up. */
export class Sum {
  mwh = 0;
  #unpricedMwh = 0;
  #cost = 0;
  #hasPrice = false;

  add(mwh: number, price: number | null): void {
    this.mwh += mwh;
    if (price === null) {
      this.#unpricedMwh += mwh;
      return;
    }
    this.#hasPrice = true;
    this.#cost += mwh * price;
  }

  get kwh(): number {
    return this.mwh / MWH_PER_KWH;
  }

  /** The part that has no price. */
  get unpricedKwh(): number {
    return this.#unpricedMwh / MWH_PER_KWH;
  }

  /** @param isPriced whether the home has a tariff: without energy the cost is 0 then. */
  cost(isPriced: boolean): number | null {
    if (!isPriced || (this.mwh > 0 && !this.#hasPrice)) return null;
    return Math.round((this.#cost / MWH_PER_KWH) * 10_000) / 10_000;
  }
}

export interface StepSum {
  readonly start: number;
  readonly end: number;
  readonly sum: Sum;
}

export interface MeterSum {
  readonly meter: MeterRow;
  readonly sum: Sum;
  /** By the index of the step. */
  readonly bySteps: ReadonlyMap<number, Sum>;
}

export interface EnergySums {
  readonly total: Sum;
  readonly steps: readonly StepSum[];
  readonly meters: readonly MeterSum[];
}

/** The sums that were asked for. */
export interface EnergyResult extends EnergySums {
  readonly homeId: string;
  readonly from: number;
  readonly to: number;
  readonly by: EnergyStep;
  /** `null` without a tariff. */
  readonly currency: string | null;
}

interface SumDeps {
  readonly store: Pick<EnergyStore, 'hours'>;
  readonly meters: readonly MeterRow[];
  readonly prices: Pick<Prices, 'at'>;
  readonly work: QueryWork;
}

/** The steps from one time to another. @param from the beginning of a step */
export function stepsOf(by: EnergyStep, from: number, to: number, zone: string): readonly StepSum[] {
  const steps: StepSum[] = [];
  for (let start = from; start < to; ) {
    const end = nextStep(by, start, zone);
    steps.push({ start, end, sum: new Sum() });
    start = end;
  }
  return steps;
}

export async function sumEnergy(
  { store, meters, prices, work }: SumDeps,
  steps: readonly StepSum[],
): Promise<EnergySums> {
  const total = new Sum();
  const [first] = steps;
  const last = steps.at(-1);
  const sums: MeterSum[] = [];
  for (const meter of meters) {
    const sum = new Sum();
    const bySteps = new Map<number, Sum>();
    let index = 0;
    const addQuarter = (start: number, mwh: number): void => {
      while (index < steps.length && (steps[index] as StepSum).end <= start) index += 1;
      const step = steps[index];
      if (mwh === 0 || !step || start < step.start) return;
      const price = prices.at(start);
      const ofStep = bySteps.get(index) ?? new Sum();
      bySteps.set(index, ofStep);
      for (const one of [total, sum, step.sum, ofStep]) one.add(mwh, price);
    };
    if (first && last) {
      // The first hour (UTC) may begin before the first step, in zones that are off by half an hour.
      for (const page of store.hours(meter.id, first.start - HOUR_MS + 1, last.end)) {
        for (const hour of page) eachQuarter(hour, addQuarter);
        await work.did(page.length);
      }
    }
    sums.push({ meter, sum, bySteps });
  }
  return { total, steps, meters: sums };
}

function eachQuarter({ start, quarters }: EnergyHour, use: (start: number, mwh: number) => void): void {
  for (const [index, mwh] of quarters.entries()) use(start + index * QUARTER_MS, mwh);
}
