/** Energy as CSV (RFC 4180): a line for each step and meter with energy, in the order of time. */

import { CSV_LINE_END, csvCell } from '../../kernel/csv.ts';
import { isoTime } from '../../kernel/iso-time.ts';
import type { EnergyResult } from './energy-report.ts';

const COLUMNS = 'start,end,accessory_id,meter,name,kwh,cost,currency';

export function csvOf({ steps, meters, currency }: EnergyResult): string {
  const lines = steps.flatMap(({ start, end }, index) =>
    meters.flatMap(({ meter, bySteps }) => {
      const sum = bySteps.get(index);
      if (!sum) return [];
      const { accessoryId, number, name } = meter;
      const cost = sum.cost(currency !== null) ?? '';
      const cells = [isoTime(start), isoTime(end), accessoryId, number, csvCell(name), sum.kwh, cost, currency ?? ''];
      return cells.join(',');
    }),
  );
  return [COLUMNS, ...lines, ''].join(CSV_LINE_END);
}
