/** The words of energy reports and tariffs, which need no parser. */

export const ENERGY_STEPS = ['hour', 'day', 'week', 'month'] as const;
export type EnergyStep = (typeof ENERGY_STEPS)[number];

export const TARIFF_KINDS = ['fixed', 'times', 'spot'] as const;
