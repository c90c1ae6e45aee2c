/**
 * Data of a run in readable form: names and values line by line; nested data as text. Hostile values are only rendered
 * as text.
 */

import runTexts from 'texts:automation-runs';
import { Box } from '@mantine/core';
import { useHome } from '../../../home/use-home.ts';
import { findTarget } from '../../../pickers/property.ts';
import { propertyName, useWords, valueText } from '../../../pickers/property-words.ts';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import classes from './runs.module.css';

export function JsonView({ value }: { readonly value: unknown }) {
  const t = useTexts(runTexts);
  const describe = useValueWords();
  if (typeof value !== 'object' || value === null)
    return (
      <Box component="code" style={{ whiteSpace: 'pre-wrap' }} className="h-anywhere">
        {text(value)}
      </Box>
    );
  const entries = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
  const names = t.fields as Readonly<Record<string, string>>;
  const typeOf = (value as { readonly characteristic_type?: unknown }).characteristic_type;
  return (
    <dl className={classes.data}>
      {entries.map(([key, each]) => (
        <div key={key}>
          <dt>{names[asSnakeCase(key)] ?? <code>{key}</code>}</dt>
          <dd>{describe(key, each, typeof typeOf === 'string' ? typeOf : undefined) ?? <code>{text(each)}</code>}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Known fields as text. */
function useValueWords(): (key: string, value: unknown, characteristicType: string | undefined) => string | undefined {
  const inventory = useHome();
  const words = useWords();
  const format = useFormat();
  return (key, value, characteristicType) => {
    if (typeof value === 'string') {
      if (key === 'accessory_id' || key === 'accessoryId') return findTarget(inventory, value)?.name;
      if (key === 'characteristic_type' || key === 'characteristicType') return propertyName(value, words.texts);
    }
    // Seconds since 1970; older runs have a string.
    const at = typeof value === 'number' ? value * 1000 : typeof value === 'string' ? Date.parse(value) : Number.NaN;
    if (key === 'timestamp' && !Number.isNaN(at)) return format.dateTime(at);
    const isReading = key === 'from_value' || key === 'to_value';
    return isReading && characteristicType ? valueText(characteristicType, value, words) : undefined;
  };
}

/** Triggers name their fields so, and steps `accessoryId`. */
function asSnakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 1) ?? '');
}
