/** The last day of an accessory on its large tile: a line of its measurement, or a band of its state. No axes. */
import homeTexts from 'texts:home';
import { present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useAccessory, useHome } from '../../home/use-home.ts';
import { propertyName, useWords } from '../../pickers/property-words.ts';
import { useTexts } from '../../texts/texts.ts';
import { daySeriesOf } from '../accessory/day-series.ts';
import { HistoryQuery } from '../history/documents.ts';
import { type Bounds, bandsOf, columnsOf, isNumeric, type SeriesData, sharesOf } from '../history/plot-data.ts';
import { useNow, useValueFormat } from '../history/value-format.ts';
import { SPANS } from '../history/window.ts';
import { bandRects, linePoints } from './graph-shapes.ts';
import classes from './tile-graph.module.css';

const REFRESH_MS = 300_000;
/** One for each quarter of an hour. */
const MAX_POINTS = 96;

export function TileGraph({ id }: { readonly id: string }) {
  const accessory = useAccessory(id);
  const [name] = accessory ? daySeriesOf(accessory) : [];
  return name === undefined ? <NoGraph /> : <Day accessoryId={id} name={name} />;
}

function Day({ accessoryId, name }: { readonly accessoryId: string; readonly name: string }) {
  const { id: homeId } = useHome();
  // Tiles that come into view within this time ask for the same day.
  const to = Math.ceil(useNow(REFRESH_MS) / REFRESH_MS) * REFRESH_MS;
  const bounds: Bounds = { from: to - SPANS['24h'], to };
  const { data } = useApiQuery(
    HistoryQuery,
    {
      homeId,
      series: [{ accessoryId, characteristicType: name }],
      ...{ fromTs: bounds.from, toTs: bounds.to, maxPoints: MAX_POINTS },
    },
    { subjects: ['history'], keepPrevious: true },
  );
  if (!data) return null;
  const [series] = present(data.history).filter((one) => one.accessoryId === accessoryId);
  const isKnown = series && (isNumeric(series) ? series.summary !== null : sharesOf(series).length > 0);
  return isKnown ? <Drawn series={series} bounds={bounds} /> : <NoGraph />;
}

function NoGraph() {
  const t = useTexts(homeTexts);
  return <p className={classes.none}>{t.noGraph}</p>;
}

function Drawn({ series, bounds }: { readonly series: SeriesData; readonly bounds: Bounds }) {
  const t = useTexts(homeTexts);
  const { texts } = useWords();
  const formatValue = useValueFormat();
  const { characteristicType, summary } = series;
  const name = propertyName(characteristicType, texts);
  if (!isNumeric(series)) {
    const [longest] = sharesOf(series);
    const mostly = longest ? formatValue(series, longest.value) : '';
    return (
      <svg
        className={classes.band}
        viewBox="0 0 100 1"
        preserveAspectRatio="none"
        role="img"
        aria-label={t.graphOfState({ name, state: mostly })}
      >
        {bandRects(bandsOf(series, bounds, Date.now()), bounds).map(({ x, width, isResting }) => (
          <rect key={x} x={x} y={0} width={width} height={1} data-rest={isResting || undefined} />
        ))}
      </svg>
    );
  }
  const rounded = (value: number) => formatValue(series, Math.round(value * 10) / 10);
  const [least, greatest] = [rounded(summary?.min ?? 0), rounded(summary?.max ?? 0)];
  return (
    <>
      <svg
        className={classes.line}
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        role="img"
        aria-label={t.graphOfValues({ name, least, greatest })}
      >
        <polyline points={linePoints(columnsOf([series], bounds, Date.now()), bounds)} />
      </svg>
      <span className={classes.range} aria-hidden>
        {least === greatest ? least : `${least} – ${greatest}`}
      </span>
    </>
  );
}
