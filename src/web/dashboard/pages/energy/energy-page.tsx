/** What devices with a meter use now and over time, and what it costs. The URL contains the view. */
import energyTexts from 'texts:energy';
import { Button, NativeSelect } from '@mantine/core';
import { ChevronLeft, ChevronRight, Zap } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { fetchRest } from '../../api/client.ts';
import { present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useHomeZone } from '../../home/home-zone.ts';
import { useHome, useRights } from '../../home/use-home.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { Columns } from '../../ui/columns.tsx';
import { errorText } from '../../ui/error-text.ts';
import { Answer, EmptyState, Loading, Page, Section } from '../../ui/page.tsx';
import { PeriodControl } from '../../ui/period-control.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { showToast } from '../../ui/toasts.tsx';
import { comparisonOf, type EnergyComparison } from './comparison.ts';
import classes from './energy.module.css';
import { EnergyChart } from './energy-chart.tsx';
import { type EnergyNow, EnergyNowQuery, EnergyQuery, type EnergyReport } from './energy-documents.ts';
import { comparedWords, useEnergyFormat } from './energy-format.ts';
import { FlowSection } from './flow-section.tsx';
import {
  COMPARED,
  type Compared,
  dayAt,
  type EnergyView,
  moved,
  type Period,
  type PeriodStep,
  parseView,
  periodOf,
  presentView,
  STEPS,
  yearEarlier,
} from './period.ts';

const TariffSection = lazy(async () => ({ default: (await import('./tariff-section.tsx')).TariffSection }));

const NOW_EVERY_MS = 10_000;
/** A year is much to add up, and changes little in a minute. */
const REPORT_EVERY_MS = { hour: 60_000, day: 60_000, week: 600_000, month: 600_000 } as const;

export function EnergyPage() {
  const t = useTexts(energyTexts);
  const { id: home } = useHome();
  const [view, setView] = useView();
  const zone = useHomeZone();
  const today = dayAt(Date.now(), zone);
  const period = periodOf(view.by, view.at ?? today);
  const now = useApiQuery(EnergyNowQuery, { home }, { subjects: ['energy'], everyMs: NOW_EVERY_MS });
  const report = useApiQuery(
    EnergyQuery,
    { home, by: view.by, from: period.from, to: period.to },
    { subjects: ['energy'], everyMs: REPORT_EVERY_MS[view.by], keepPrevious: true },
  );
  const others = useOthers(view, today, report.data?.energy ?? undefined);
  return (
    <Page title={t.title} lead={t.lead}>
      <Answer query={now}>
        {({ energyNow }) => (
          <Answer query={report}>
            {({ energy }) => {
              if (!energyNow || !energy) return <Loading />;
              if (energyNow.meters?.length === 0 && energy.devices?.length === 0) return <NoMeters />;
              return (
                <Columns
                  second={
                    <>
                      <FlowSection report={energy} />
                      <DeviceSection report={energy} />
                      <Suspense fallback={<Loading />}>
                        <TariffSection />
                      </Suspense>
                      <ExportButton view={view} period={period} />
                    </>
                  }
                >
                  <NowSection now={energyNow} />
                  <UsedSection
                    report={energy}
                    others={others}
                    view={view}
                    period={period}
                    today={today}
                    onView={setView}
                  />
                </Columns>
              );
            }}
          </Answer>
        )}
      </Answer>
    </Page>
  );
}

type Others = Readonly<Record<Compared, EnergyReport | undefined>>;

/** What the period is compared with, once it is loaded. */
function useOthers({ by, at }: EnergyView, today: string, report: EnergyReport | undefined): Others {
  const { id: home } = useHome();
  const before = periodOf(by, moved(by, at ?? today, -1));
  const year = periodOf(by, yearEarlier(by, at ?? today));
  // A year is compared with the year before it. Most homes have not measured for so long.
  const hasYear =
    by !== 'month' && present(report?.devices).some(({ since }) => Date.parse(since) < Date.parse(year.to));
  const ofBefore = useApiQuery(EnergyQuery, { home, by, from: before.from, to: before.to }, { subjects: ['energy'] });
  const ofYear = useApiQuery(
    EnergyQuery,
    { home, by, from: year.from, to: year.to },
    { subjects: ['energy'], enabled: hasYear },
  );
  return {
    before: ofBefore.data?.energy ?? undefined,
    year: hasYear ? (ofYear.data?.energy ?? undefined) : undefined,
  };
}

/** No device of the home measures: which ones do. */
function NoMeters() {
  const t = useTexts(energyTexts);
  const { canManage } = useRights();
  return (
    <EmptyState icon={<Zap size={36} />} title={t.noneTitle}>
      <p>{t.noneText}</p>
      <ul className={classes.kinds}>
        {Object.values(t.kinds).map((kind) => (
          <li key={kind}>{kind}</li>
        ))}
      </ul>
      {canManage && <p>{t.noneThen}</p>}
    </EmptyState>
  );
}

function NowSection({ now: { watts, meters } }: { readonly now: EnergyNow }) {
  const t = useTexts(energyTexts);
  const format = useEnergyFormat();
  const list = present(meters);
  const max = Math.max(...list.map((meter) => meter.watts ?? 0), 1);
  if (list.length === 0) return null;
  return (
    <Section title={t.now}>
      <p className={classes.big}>{format.watts(watts)}</p>
      <ul className={classes.list}>
        {list.map(({ accessoryId, meter, name, watts: power, reachable }) => (
          <li key={`${accessoryId} ${meter}`} className={classes.row}>
            <span className={classes.name}>{name}</span>
            <span className={classes.value}>
              {power === null ? (reachable ? t.onlyTotal : t.noResponse) : format.watts(power)}
            </span>
            <Share part={(power ?? 0) / max} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface UsedSectionProps {
  readonly report: EnergyReport;
  readonly others: Others;
  readonly view: EnergyView;
  readonly period: Period;
  readonly today: string;
  readonly onView: (change: Partial<EnergyView>) => void;
}

function UsedSection({ report, others, view, period, today, onView }: UsedSectionProps) {
  const t = useTexts(energyTexts);
  const format = useEnergyFormat();
  const { by, at = today } = view;
  const { kwh, cost, currency, unpricedKwh } = report;
  const words = format.period(period, by);
  const isNow = period.to > today;
  const comparisons = COMPARED.flatMap((than) => {
    const comparison = compare(report, others[than]);
    return comparison ? [{ than, comparison }] : [];
  });
  const compared = comparisons.find(({ than }) => than === view.than) ?? comparisons[0];
  return (
    <Section title={t.used}>
      <div className={classes.controls}>
        <PeriodControl
          label={t.step}
          value={by}
          periods={STEPS}
          texts={t.by}
          onChange={(step) => onView({ by: step })}
        />
        <Button.Group>
          <Button
            variant="default"
            leftSection={<ChevronLeft aria-hidden size={18} />}
            onClick={() => onView({ at: moved(by, at, -1) })}
          >
            {t.earlier}
          </Button>
          <Button
            variant="default"
            rightSection={<ChevronRight aria-hidden size={18} />}
            disabled={isNow}
            onClick={() => onView({ at: moved(by, at, 1) })}
          >
            {t.later}
          </Button>
        </Button.Group>
      </div>
      <h3 className={classes.period}>{words}</h3>
      <p className={classes.big}>
        <span>{format.kwh(kwh)}</span>
        {cost !== null && currency !== null && <span className={classes.cost}>{format.cost(cost, currency)}</span>}
      </p>
      {compared && (
        <div className={classes.comparison}>
          <ComparedWords {...compared} by={by} />
          {comparisons.length > 1 && (
            <NativeSelect
              aria-label={t.compared.with}
              value={compared.than}
              data={COMPARED.map((than) => ({ value: than, label: t.compared.choices[than] }))}
              onChange={({ currentTarget }) =>
                onView({ than: COMPARED.find((than) => than === currentTarget.value) ?? 'before' })
              }
            />
          )}
        </div>
      )}
      {unpricedKwh > 0 && <p className={classes.note}>{t.unpriced({ energy: format.kwh(unpricedKwh) })}</p>}
      <EnergyChart report={report} compared={compared} by={by} period={words} onView={onView} />
    </Section>
  );
}

function compare(report: EnergyReport, other: EnergyReport | undefined): EnergyComparison | undefined {
  const measured = ({ buckets, devices }: EnergyReport) => ({ buckets: present(buckets), devices: present(devices) });
  return other && comparisonOf(measured(report), measured(other), Date.now());
}

interface ComparedWordsProps {
  readonly than: Compared;
  readonly comparison: EnergyComparison;
  readonly by: PeriodStep;
}

function ComparedWords({ than, comparison, by }: ComparedWordsProps) {
  const t = useTexts(energyTexts).compared;
  const format = useEnergyFormat();
  const { percent } = useFormat();
  const { change, kwh, until } = comparison;
  const { whole, part: partly } = comparedWords(t, than, by);
  const name = { before: until === undefined ? whole : partly, energy: format.kwh(comparison.before) };
  const part = percent(Math.round(Math.abs(change)));
  const words =
    Math.round(change) === 0 ? t.same(name) : change < 0 ? t.less({ part, ...name }) : t.more({ part, ...name });
  return (
    <p className={classes.compared}>
      {until === undefined ? words : t.soFar({ until: format.until(until, by), energy: format.kwh(kwh), words })}
    </p>
  );
}

function DeviceSection({ report: { devices, currency } }: { readonly report: EnergyReport }) {
  const t = useTexts(energyTexts);
  const format = useEnergyFormat();
  const { percent } = useFormat();
  const list = present(devices);
  if (list.length === 0) return null;
  return (
    <Section title={t.devices}>
      <ul className={classes.list}>
        {list.map(({ accessoryId, meter, name, kwh, cost, share }) => {
          const words = [format.kwh(kwh), percent(share * 100)];
          if (cost !== null && currency !== null) words.push(format.cost(cost, currency));
          return (
            <li key={`${accessoryId} ${meter}`} className={classes.row} data-long>
              <span className={classes.name}>{name}</span>
              <span className={classes.value}>{words.join(' · ')}</span>
              <Share part={share} />
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

/** @param part 0 to 1 */
function Share({ part }: { readonly part: number }) {
  return (
    <span className={classes.share} aria-hidden>
      <span style={{ width: `${part * 100}%` }} />
    </span>
  );
}

function ExportButton({ view: { by }, period: { from, to } }: { readonly view: EnergyView; readonly period: Period }) {
  const t = useTexts(energyTexts);
  const { id: home } = useHome();
  const [isBusy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    try {
      const response = await fetchRest(`/rest/energy/export?${new URLSearchParams({ home, by, from, to })}`);
      saveFile('energy.csv', await response.blob());
    } catch (error) {
      showToast({ tone: 'bad', text: errorText(error) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <div>
      <Button variant="default" loading={isBusy} onClick={() => void start()}>
        {t.export}
      </Button>
    </div>
  );
}

function useView(): readonly [EnergyView, (change: Partial<EnergyView>) => void] {
  const view = parseView(useSearch());
  const [, navigate] = useLocation();
  return [view, (change) => navigate(`/energy${presentView({ ...view, ...change })}`, { replace: true })];
}
