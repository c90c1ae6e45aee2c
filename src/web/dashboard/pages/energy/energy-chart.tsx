/** Bars of energy over time, and the same as a table. A single bar would compare nothing: it is named instead. */
import energyTexts from 'texts:energy';
import { Box, Button } from '@mantine/core';
import { type PointerEvent, useState } from 'react';
import { present } from '../../api/graphql.ts';
import { useHomeZone } from '../../home/home-zone.ts';
import { useTexts } from '../../texts/texts.ts';
import type { EnergyComparison } from './comparison.ts';
import classes from './energy.module.css';
import type { EnergyReport } from './energy-documents.ts';
import { comparedWords, useEnergyFormat } from './energy-format.ts';
import { type Compared, dayAt, type EnergyView, FINER, type PeriodStep, shownSteps } from './period.ts';

/** More labels than these would touch each other on a phone. */
const MAX_LABELS = 6;

interface EnergyChartProps {
  readonly report: EnergyReport;
  /** What stands beside it, step by step. */
  readonly compared: { readonly than: Compared; readonly comparison: EnergyComparison } | undefined;
  readonly by: PeriodStep;
  readonly period: string;
  readonly onView: (change: Partial<EnergyView>) => void;
}

export function EnergyChart({ report, compared, by, period, onView }: EnergyChartProps) {
  const t = useTexts(energyTexts);
  const format = useEnergyFormat();
  const [isTableOpen, setTableOpen] = useState(false);
  const [pointed, setPointed] = useState<string>();
  const { currency } = report;
  const before = compared?.comparison.steps;
  const beforeName = compared && comparedWords(t.compared, compared.than, by).name;
  const all = present(report.buckets);
  const buckets = shownSteps(all, by, Date.now());
  const [first] = buckets;
  if (!first) return <p className={classes.note}>{t.nothing}</p>;
  if (by !== 'hour' && buckets.length === 1) return <OnlyStep start={first.start} by={by} onView={onView} />;
  const offset = all.indexOf(first);
  const beforeOf = (index: number): number | undefined => before?.[offset + index];
  const max = Math.max(...buckets.flatMap(({ kwh }, index) => [kwh, beforeOf(index) ?? 0]));
  const every = Math.ceil(buckets.length / MAX_LABELS);
  const wordsOf = ({ kwh, cost }: { readonly kwh: number; readonly cost: number | null }): string => {
    const energy = format.kwh(kwh);
    return cost === null || currency === null ? energy : `${energy}, ${format.cost(cost, currency)}`;
  };
  const onPointer = ({ currentTarget, clientX }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * buckets.length);
    setPointed(buckets[Math.max(0, Math.min(index, buckets.length - 1))]?.start);
  };
  const under = buckets.find(({ start }) => start === pointed);
  return (
    <div>
      {first !== all[0] && first.kwh > 0 && (
        <p className={classes.note}>{t.begins({ step: format.stepInFull(first.start, by) })}</p>
      )}
      <div className={classes.scale} aria-hidden>
        {under ? `${format.stepInFull(under.start, by)}: ${wordsOf(under)}` : format.kwh(max)}
      </div>
      <div
        className={classes.chart}
        role="img"
        aria-label={t.chartOf({ period, total: wordsOf(report) })}
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setPointed(undefined)}
      >
        {buckets.map((bucket, index) => (
          <div
            key={bucket.start}
            className={classes.column}
            data-compared={before !== undefined || undefined}
            data-pointed={bucket === under || undefined}
          >
            {before && (
              <div className={classes.before} style={{ height: `${((beforeOf(index) ?? 0) / max) * 100}%` }} />
            )}
            <div className={classes.bar} style={{ height: `${(bucket.kwh / max) * 100}%` }} />
          </div>
        ))}
      </div>
      <div className={classes.axis} aria-hidden>
        {buckets.map(({ start }, index) => (
          <span
            key={start}
            className={classes.label}
            data-spare={(by === 'hour' && index % (2 * every) > 0) || undefined}
          >
            {index % every === 0 && format.step(start, by)}
          </span>
        ))}
      </div>
      {before && (
        <p className={classes.legend} aria-hidden>
          <span className={classes.beforeSwatch} /> {beforeName}
        </p>
      )}
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
                {before && <th scope="col">{beforeName}</th>}
                {currency !== null && <th scope="col">{t.cost}</th>}
              </tr>
            </thead>
            <tbody>
              {buckets.map(({ start, kwh, cost }, index) => (
                <tr key={start}>
                  <th scope="row">{format.stepInFull(start, by)}</th>
                  <td>{format.kwh(kwh)}</td>
                  {before && <td>{format.kwh(beforeOf(index) ?? 0)}</td>}
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

interface OnlyStepProps {
  readonly start: string;
  readonly by: keyof typeof FINER;
  readonly onView: (change: Partial<EnergyView>) => void;
}

function OnlyStep({ start, by, onView }: OnlyStepProps) {
  const t = useTexts(energyTexts);
  const format = useEnergyFormat();
  const zone = useHomeZone();
  return (
    <div className={classes.only}>
      <p className={classes.note}>{t.only[by]({ step: format.stepInFull(start, by) })}</p>
      <Button variant="default" onClick={() => onView({ by: FINER[by], at: dayAt(Date.parse(start), zone) })}>
        {t.closer[FINER[by]]}
      </Button>
    </div>
  );
}
