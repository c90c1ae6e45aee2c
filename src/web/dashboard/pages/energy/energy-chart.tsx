/** Bars of energy over time, and the same as a table. */
import energyTexts from 'texts:energy';
import { Box, Button } from '@mantine/core';
import { useState } from 'react';
import { present } from '../../api/graphql.ts';
import { useTexts } from '../../texts/texts.ts';
import classes from './energy.module.css';
import type { EnergyReport } from './energy-documents.ts';
import { useEnergyFormat } from './energy-format.ts';
import type { PeriodStep } from './period.ts';

/** More labels than these would touch each other on a phone. */
const MAX_LABELS = 6;

interface EnergyChartProps {
  readonly report: EnergyReport;
  readonly by: PeriodStep;
  readonly period: string;
}

export function EnergyChart({ report, by, period }: EnergyChartProps) {
  const t = useTexts(energyTexts);
  const format = useEnergyFormat();
  const [isTableOpen, setTableOpen] = useState(false);
  const { currency } = report;
  const buckets = present(report.buckets);
  const max = Math.max(...buckets.map(({ kwh }) => kwh), 0);
  const every = Math.ceil(buckets.length / MAX_LABELS);
  const wordsOf = ({ kwh, cost }: { readonly kwh: number; readonly cost: number | null }): string => {
    const energy = format.kwh(kwh);
    return cost === null || currency === null ? energy : `${energy}, ${format.cost(cost, currency)}`;
  };
  return (
    <div>
      <div className={classes.scale} aria-hidden>
        {format.kwh(max)}
      </div>
      <div className={classes.chart} role="img" aria-label={t.chartOf({ period, total: wordsOf(report) })}>
        {buckets.map((bucket) => (
          <div
            key={bucket.start}
            className={classes.column}
            title={`${format.stepInFull(bucket.start, by)}: ${wordsOf(bucket)}`}
          >
            <div className={classes.bar} style={{ height: max === 0 ? 0 : `${(bucket.kwh / max) * 100}%` }} />
          </div>
        ))}
      </div>
      <div className={classes.axis} aria-hidden>
        {buckets.map(({ start }, index) => (
          <span key={start} className={classes.label}>
            {index % every === 0 && format.step(start, by)}
          </span>
        ))}
      </div>
      <Button variant="default" aria-expanded={isTableOpen} onClick={() => setTableOpen(!isTableOpen)}>
        {t.table}
      </Button>
      {isTableOpen && (
        <Box component="section" className={classes.tableFrame ?? ''} tabIndex={0} aria-label={t.table}>
          <table className="h-numbers">
            <thead>
              <tr>
                <th scope="col">{t.time}</th>
                <th scope="col">{t.energy}</th>
                {currency !== null && <th scope="col">{t.cost}</th>}
              </tr>
            </thead>
            <tbody>
              {buckets.map(({ start, kwh, cost }) => (
                <tr key={start}>
                  <th scope="row">{format.stepInFull(start, by)}</th>
                  <td>{format.kwh(kwh)}</td>
                  {currency !== null && <td>{cost === null ? '–' : format.cost(cost, currency)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </Box>
      )}
    </div>
  );
}
