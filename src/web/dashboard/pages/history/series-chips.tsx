/** The selected series, and a dialog to select others. With none it explains what to select. */
import '../../ui/unseen.css';
import commonTexts from 'texts:common';
import historyTexts from 'texts:history';
import { Button, Checkbox, CloseButton, TextInput } from '@mantine/core';
import { ChartLine, ListPlus } from 'lucide-react';
import { useRef, useState } from 'react';
import { MAX_SERIES } from '../../../../home/vocabulary/limits.ts';
import { propertyName, useWords } from '../../pickers/property-words.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/page.tsx';
import type { SeriesInfo } from './documents.ts';
import { groupBy } from './group-by.ts';
import classes from './history.module.css';
import { colorClass } from './series-colors.ts';
import { type SeriesRef, seriesKey } from './window.ts';

interface SeriesChipsProps {
  readonly all: readonly SeriesInfo[];
  readonly chosen: readonly SeriesRef[];
  readonly onChange: (series: readonly SeriesRef[]) => void;
}

export function SeriesChips({ all, chosen, hasValues, onChange }: SeriesChipsProps & { readonly hasValues: boolean }) {
  const t = useTexts(historyTexts);
  const common = useTexts(commonTexts);
  const nameOf = useSeriesName(all);
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const open = () => setOpen(true);
  return (
    <>
      {chosen.length === 0 ? (
        <EmptyState
          icon={<ChartLine size={36} />}
          title={hasValues ? t.noneTitle : t.begunTitle}
          action={
            <Button ref={opener} onClick={open}>
              {t.choose}
            </Button>
          }
        >
          {hasValues ? t.noneText : t.begunText}
        </EmptyState>
      ) : (
        <div className={classes.series}>
          <ul className={classes.chips}>
            {chosen.map((ref, index) => (
              <li key={seriesKey(ref)} className={classes.chip}>
                <span className={`${classes.swatch} ${colorClass(index)}`} aria-hidden />
                <span className={classes.chipName}>{nameOf(ref)}</span>
                <CloseButton
                  size="lg"
                  radius="xl"
                  aria-label={`${common.remove}: ${nameOf(ref)}`}
                  onClick={() => onChange(chosen.filter((other) => seriesKey(other) !== seriesKey(ref)))}
                />
              </li>
            ))}
          </ul>
          <Button ref={opener} variant="default" px="sm" onClick={open}>
            <ListPlus aria-hidden size={18} />
            <span className="h-unseen-phone">&nbsp;{t.choose}</span>
          </Button>
        </div>
      )}
      {/* The first choice replaces the button that had the focus. */}
      <Dialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        returnFocus={false}
        onExitTransitionEnd={() => opener.current?.focus({ preventScroll: true })}
        title={t.choose}
        size="lg"
        centered={false}
        foot={
          <Button fullWidth onClick={() => setOpen(false)}>
            {common.done}
          </Button>
        }
      >
        <Choices all={all} chosen={chosen} onChange={onChange} />
      </Dialog>
    </>
  );
}

function Choices({ all, chosen, onChange }: SeriesChipsProps) {
  const t = useTexts(historyTexts);
  const words = useWords();
  const format = useFormat();
  const [text, setText] = useState('');
  const [onlyRecorded, setOnlyRecorded] = useState(true);
  const keys = new Set(chosen.map(seriesKey));
  const wanted = text.trim().toLocaleLowerCase();
  const found = all
    .map((one) => ({ ...one, name: propertyName(one.characteristicType, words.texts) }))
    .filter(({ sampleCount, ...one }) => !onlyRecorded || sampleCount > 0 || keys.has(seriesKey(one)))
    .filter(({ accessoryName, name }) => `${accessoryName} ${name}`.toLocaleLowerCase().includes(wanted));
  const byAccessory = [...groupBy(found, ({ accessoryId }) => accessoryId)].sort(([a], [b]) =>
    format.compare(a?.accessoryName ?? '', b?.accessoryName ?? ''),
  );
  const toggle = (ref: SeriesRef) =>
    onChange(
      keys.has(seriesKey(ref)) ? chosen.filter((other) => seriesKey(other) !== seriesKey(ref)) : [...chosen, ref],
    );
  return (
    <>
      <TextInput
        label={t.find}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        data-autofocus
      />
      <Checkbox
        mt="md"
        label={t.onlyRecorded}
        checked={onlyRecorded}
        onChange={({ currentTarget }) => setOnlyRecorded(currentTarget.checked)}
      />
      <p role="status">{chosen.length >= MAX_SERIES ? t.full : t.chosen({ count: chosen.length })}</p>
      <ul className={classes.choices}>
        {byAccessory.map((series) => (
          <li key={series[0]?.accessoryId}>
            <h3>{series[0]?.accessoryName}</h3>
            {series.map(({ accessoryId, characteristicType, name }) => {
              const ref = { accessoryId, characteristicType };
              const isChosen = keys.has(seriesKey(ref));
              return (
                <Checkbox
                  key={characteristicType}
                  className={classes.choice ?? ''}
                  label={name}
                  aria-label={`${series[0]?.accessoryName}: ${name}`}
                  checked={isChosen}
                  disabled={!isChosen && chosen.length >= MAX_SERIES}
                  onChange={() => toggle(ref)}
                />
              );
            })}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p>{t.nothingFound}</p>}
    </>
  );
}

/** "Thermostat: Current temperature"; for a deleted accessory the recorded names. */
export function useSeriesName(all: readonly SeriesInfo[]): (ref: SeriesRef) => string {
  const { texts } = useWords();
  return ({ accessoryId, characteristicType }) => {
    const info = all.find((one) => one.accessoryId === accessoryId);
    return `${info?.accessoryName ?? '–'}: ${propertyName(characteristicType, texts)}`;
  };
}
