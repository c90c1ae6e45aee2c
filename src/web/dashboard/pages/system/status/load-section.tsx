/** How busy the relay was in the last day or week, over restarts: a plot a quantity, with a mark for each start. */
import systemTexts from 'texts:system';
import { SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { graphql, type ResultOf } from '../../../api/graphql.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { Answer, Section } from '../../../ui/page.tsx';
import { LabelledPlot } from '../../history/labelled-plot.tsx';
import { boundsOfLoad, columnsOfLoad, type LoadSample } from './load-columns.ts';
import classes from './load-section.module.css';

const LoadQuery = graphql(`
  query RelayLoad($days: Int!) {
    relayLoad(days: $days) {
      from
      to
      everyMs
      samples {
        at
        load
        processorPercent
        memoryBytes
        databaseBytes
        connectedDevices
      }
      starts {
        at
        version
        previousVersion
      }
    }
  }
`);

type Load = NonNullable<ResultOf<typeof LoadQuery>['relayLoad']>;
type Start = Load['starts'][number];

const REFRESH_MS = 60_000;
const HEIGHT_PX = 120;
const SHOWN_STARTS = 5;

export function LoadSection() {
  const t = useTexts(systemTexts).load;
  const [days, setDays] = useState(1);
  const query = useApiQuery(LoadQuery, { days }, { subjects: [], everyMs: REFRESH_MS, keepPrevious: true });
  const spans = (
    <SegmentedControl
      aria-label={t.span}
      value={String(days)}
      onChange={(chosen) => setDays(Number(chosen))}
      data={[1, 7].map((count) => ({ value: String(count), label: t.days({ count }) }))}
    />
  );
  return (
    <Section title={t.title} lead={t.lead} actions={spans}>
      <Answer query={query}>{({ relayLoad }) => relayLoad && <LoadParts load={relayLoad} />}</Answer>
    </Section>
  );
}

function LoadParts({ load }: { readonly load: Load }) {
  const t = useTexts(systemTexts).load;
  return (
    <div className={classes.load}>
      <div className={classes.plots}>
        {load.samples.length > 0 ? <Plots load={load} /> : <Text c="dimmed">{t.nothing}</Text>}
        {load.starts.length > 0 && <Starts starts={load.starts} />}
      </div>
    </div>
  );
}

function Plots({ load }: { readonly load: Load }) {
  const t = useTexts(systemTexts).load;
  const format = useFormat();
  const { samples, starts, everyMs } = load;
  const bounds = boundsOfLoad(load);
  const days = Math.round((Date.parse(load.to) - Date.parse(load.from)) / (24 * 60 * 60_000));
  const percent = (value: number) => t.percent({ value: format.number(value, 1) });
  const shown: readonly (readonly [name: string, of: (one: LoadSample) => number, show: (value: number) => string])[] =
    [
      [t.processor, ({ processorPercent }) => processorPercent, percent],
      [t.memory, ({ memoryBytes }) => memoryBytes, format.bytes],
      [t.average, ({ load }) => load, (value) => format.number(value, 2)],
      [t.devices, ({ connectedDevices }) => connectedDevices, (value) => format.number(value, 1)],
      [t.databases, ({ databaseBytes }) => databaseBytes, format.bytes],
    ];
  const marks = starts.map(({ at, version, previousVersion }) => ({
    at: Date.parse(at),
    label: previousVersion === null ? null : version,
  }));
  return shown.map(([name, of, formatValue], index) => {
    const values = samples.map(of);
    const least = formatValue(Math.min(...values));
    const greatest = formatValue(Math.max(...values));
    const range = least === greatest ? least : t.between({ least, greatest });
    return (
      <LabelledPlot
        key={name}
        {...{ name, range, index, bounds, marks, formatValue }}
        columns={columnsOfLoad(samples, of, { everyMs, to: bounds.to })}
        label={t.plotOf({ name, days, range })}
        heightPx={HEIGHT_PX}
      />
    );
  });
}

function Starts({ starts }: { readonly starts: readonly Start[] }) {
  const t = useTexts(systemTexts).load;
  const format = useFormat();
  const newest = starts.toReversed().slice(0, SHOWN_STARTS);
  return (
    <div>
      <strong id="relay-starts">{t.starts}</strong>
      <ul className={classes.starts} aria-labelledby="relay-starts">
        {newest.map(({ at, version, previousVersion }, index) => (
          <li key={`${at} ${index}`} data-version={previousVersion !== null || undefined}>
            <span className={classes.sign} aria-hidden />
            <span>
              {previousVersion === null
                ? t.startOf({ when: format.dateTime(at), version })
                : t.changeOf({ when: format.dateTime(at), version, previous: previousVersion })}
            </span>
          </li>
        ))}
      </ul>
      {starts.length > newest.length && (
        <Text c="dimmed" fz="sm">
          {t.more({ count: starts.length - newest.length })}
        </Text>
      )}
    </div>
  );
}
