/** The selected series, and a dialog to select others. */
import '../../ui/unseen.css';
import commonTexts from 'texts:common';
import historyTexts from 'texts:history';
import { Button, Checkbox, CloseButton, Modal, TextInput } from '@mantine/core';
import { ListPlus } from 'lucide-react';
import { useState } from 'react';
import { MAX_SERIES } from '../../../../home/vocabulary/limits.ts';
import { propertyName, useWords } from '../../pickers/property-words.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
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

export function SeriesChips({ all, chosen, onChange }: SeriesChipsProps) {
  const t = useTexts(historyTexts);
  const common = useTexts(commonTexts);
  const nameOf = useSeriesName(all);
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={classes.series}>
      {chosen.length > 0 && (
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
      )}
      {chosen.length === 0 ? (
        <Button onClick={() => setOpen(true)}>{t.choose}</Button>
      ) : (
        <Button variant="default" px="sm" onClick={() => setOpen(true)}>
          <ListPlus aria-hidden size={18} />
          <span className="h-unseen-phone">&nbsp;{t.choose}</span>
        </Button>
      )}
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t.choose}
        size="lg"
        closeButtonProps={{ 'aria-label': common.close }}
      >
        <Choices all={all} chosen={chosen} onChange={onChange} />
        <Button fullWidth mt="md" onClick={() => setOpen(false)}>
          {common.done}
        </Button>
      </Modal>
    </div>
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
