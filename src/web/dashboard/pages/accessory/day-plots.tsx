/** The last day of some series: a plot of each measurement, a band of each state. */
import accessoryTexts from 'texts:accessory';
import { Text } from '@mantine/core';
import { present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useHome } from '../../home/use-home.ts';
import { propertyName, useWords } from '../../pickers/property-words.ts';
import { textOf, useTexts } from '../../texts/texts.ts';
import { Answer } from '../../ui/page.tsx';
import { HistoryQuery } from '../history/documents.ts';
import history from '../history/history.module.css';
import { LabelledPlot } from '../history/labelled-plot.tsx';
import { type Bounds, bandsOf, columnsOf, isNumeric, type SeriesData, sharesOf } from '../history/plot-data.ts';
import { StateBands } from '../history/state-bands.tsx';
import { useNow, useValueFormat } from '../history/value-format.ts';
import { type SeriesRef, SPANS, seriesKey } from '../history/window.ts';

const REFRESH_MS = 60_000;
const MAX_POINTS = 240;
const HEIGHT_PX = 150;

export function DayPlots({ series }: { readonly series: readonly SeriesRef[] }) {
  const t = useTexts(accessoryTexts);
  const { id: homeId } = useHome();
  const to = useNow(REFRESH_MS);
  const bounds: Bounds = { from: to - SPANS['24h'], to };
  const recorded = useApiQuery(
    HistoryQuery,
    {
      homeId,
      series: [...series],
      ...{ fromTs: bounds.from, toTs: bounds.to, maxPoints: MAX_POINTS },
    },
    { subjects: [], keepPrevious: true },
  );
  return (
    <Answer query={recorded}>
      {(data) => {
        // The response before may be that of another accessory.
        const wanted = new Set(series.map(seriesKey));
        const all = present(data.history).filter((one) => wanted.has(seriesKey(one)));
        const known = all.filter((one) => (isNumeric(one) ? one.summary : sharesOf(one).length > 0));
        if (known.length === 0) {
          return (
            <Text c="dimmed" m={0}>
              {t.nothingRecorded}
            </Text>
          );
        }
        return (
          <div className={history.graphs}>
            {known.map((one) => (
              <Drawn key={seriesKey(one)} series={one} bounds={bounds} />
            ))}
          </div>
        );
      }}
    </Answer>
  );
}

function Drawn({ series, bounds }: { readonly series: SeriesData; readonly bounds: Bounds }) {
  const t = useTexts(accessoryTexts);
  const { texts } = useWords();
  const formatValue = useValueFormat();
  const { characteristicType, summary } = series;
  const name = textOf(t.recorded, characteristicType) ?? propertyName(characteristicType, texts);
  const format = (value: number | string) => formatValue(series, value);
  if (!isNumeric(series)) {
    return (
      <StateBands
        {...{ name, bounds, index: 0, formatValue: format }}
        bands={bandsOf(series, bounds, bounds.to)}
        shares={sharesOf(series)}
      />
    );
  }
  const rounded = (value: number) => format(Math.round(value * 10) / 10);
  const range = summary && t.between({ least: rounded(summary.min), greatest: rounded(summary.max) });
  return (
    <LabelledPlot
      {...{ name, bounds, range: range ?? undefined }}
      columns={columnsOf([series], bounds, bounds.to)}
      formatValue={format}
      label={t.plotOf({ name, range: range ?? '' })}
      heightPx={HEIGHT_PX}
    />
  );
}
