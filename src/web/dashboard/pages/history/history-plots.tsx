/** The plots of the selected series: numbers by unit, states as stripes, and a table of all of them. */
import '../../ui/unseen.css';
import historyTexts from 'texts:history';
import { Box, Stack } from '@mantine/core';
import { useMemo } from 'react';
import { present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useHome } from '../../home/use-home.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { Answer, Section } from '../../ui/page.tsx';
import { HistoryQuery, type SeriesInfo } from './documents.ts';
import classes from './history.module.css';
import { Plot } from './plot.tsx';
import { type Bounds, bandsOf, columnsOf, groupByUnit, isNumeric, type SeriesData, sharesOf } from './plot-data.ts';
import { useSeriesName } from './series-chips.tsx';
import { StateBands } from './state-bands.tsx';
import { type HiddenSeries, useHiddenSeries } from './use-hidden-series.ts';
import { useZoom } from './use-zoom.ts';
import { useNow, useValueFormat } from './value-format.ts';
import {
  boundsOf,
  type HistoryView,
  type PlotWindow,
  refreshEveryMs,
  type SeriesRef,
  seriesKey,
  zoomed,
} from './window.ts';

interface HistoryPlotsProps {
  readonly view: HistoryView;
  readonly all: readonly SeriesInfo[];
  readonly onWindow: (window: PlotWindow) => void;
}

const MAX_POINTS = 600;

export function HistoryPlots({ view: { series, window }, all, onWindow }: HistoryPlotsProps) {
  const { id: homeId } = useHome();
  const now = useNow(refreshEveryMs(window));
  const bounds = boundsOf(window, now);
  const { place, shown } = useZoom(window, onWindow);
  const hidden = useHiddenSeries(series);
  const history = useApiQuery(
    HistoryQuery,
    { homeId, series: [...series], fromTs: bounds.from, toTs: bounds.to, maxPoints: MAX_POINTS },
    { subjects: [], keepPrevious: true },
  );
  return (
    <Stack ref={place} gap="md" miw={0}>
      <Answer query={history}>
        {(data) => (
          <Drawn
            data={present(data.history)}
            series={series}
            all={all}
            bounds={boundsOf(shown, now)}
            hidden={hidden}
            onZoom={(from, to) => onWindow(zoomed(from, to))}
          />
        )}
      </Answer>
    </Stack>
  );
}

interface DrawnProps {
  readonly data: readonly SeriesData[];
  readonly series: readonly SeriesRef[];
  readonly all: readonly SeriesInfo[];
  readonly bounds: Bounds;
  readonly hidden: HiddenSeries;
  readonly onZoom: (from: number, to: number) => void;
}

function Drawn({ data, series, all, bounds, hidden, onZoom }: DrawnProps) {
  const t = useTexts(historyTexts);
  const format = useFormat();
  const nameOf = useSeriesName(all);
  const formatValue = useValueFormat();
  const indexOf = (ref: SeriesRef) => series.findIndex((other) => seriesKey(other) === seriesKey(ref));
  // A response to an earlier request may contain series that are no longer selected.
  const shown = useMemo(() => {
    const chosen = new Set(series.map(seriesKey));
    return data.filter((one) => chosen.has(seriesKey(one)));
  }, [data, series]);
  const now = Date.now();
  const numeric = groupByUnit(shown);
  const states = shown.filter((one) => !isNumeric(one));
  return (
    <>
      <Section>
        <div className={classes.graphs}>
          {numeric.map((group) => (
            <Plot
              key={group.map(seriesKey).join()}
              lines={group.map((one) => ({ name: nameOf(one), index: indexOf(one), isHidden: hidden.has(one) }))}
              onToggle={(column) => group[column] && hidden.toggle(group[column])}
              columns={columnsOf(group, bounds, now)}
              bounds={bounds}
              formatValue={(value) => (group[0] ? formatValue(group[0], value) : format.number(value))}
              onZoom={onZoom}
            />
          ))}
          {states.map((one) => (
            <StateBands
              key={seriesKey(one)}
              name={nameOf(one)}
              index={indexOf(one)}
              bands={bandsOf(one, bounds, now)}
              shares={sharesOf(one)}
              bounds={bounds}
              formatValue={(value) => formatValue(one, value)}
            />
          ))}
        </div>
        <p className={classes.hint} data-pointer="mouse">
          {t.zoomHint}
        </p>
        <p className={classes.hint} data-pointer="touch">
          {t.touchHint}
        </p>
      </Section>
      <Numbers series={numeric.flat()} nameOf={nameOf} formatValue={formatValue} />
    </>
  );
}

interface NumbersProps {
  readonly series: readonly SeriesData[];
  readonly nameOf: (ref: SeriesRef) => string;
  readonly formatValue: (series: SeriesData, value: number) => string;
}

function Numbers({ series, nameOf, formatValue }: NumbersProps) {
  const t = useTexts(historyTexts);
  if (series.length === 0) return null;
  const names = [t.least, t.mean, t.greatest, t.latest];
  return (
    <Section title={t.table}>
      <Box component="section" style={{ overflowX: 'auto' }} tabIndex={0} aria-label={t.table}>
        <table className={classes.table}>
          <thead className="h-unseen-phone">
            <tr>
              {[t.series, ...names].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {series.map((one) => {
              const { summary } = one;
              return (
                <tr key={seriesKey(one)}>
                  <th scope="row">{nameOf(one)}</th>
                  {summary ? (
                    [summary.min, summary.avg, summary.max, summary.latest].map((value, index) => (
                      <td key={index} data-name={names[index]}>
                        {formatValue(one, Math.round(value * 100) / 100)}
                      </td>
                    ))
                  ) : (
                    <td colSpan={4}>{t.empty}</td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </Box>
    </Section>
  );
}
