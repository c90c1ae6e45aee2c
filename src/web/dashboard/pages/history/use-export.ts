/**
 * Exports every recorded value of the selected series as one CSV file. It reads page by page and reports the number of
 * rows.
 */
import { useState } from 'react';
import { fetchRest } from '../../api/client.ts';
import { errorText } from '../../ui/error-text.ts';
import { saveFile } from '../../ui/save-file.ts';
import { showToast } from '../../ui/toasts.tsx';
import type { Bounds } from './plot-data.ts';
import type { SeriesRef } from './window.ts';

interface Export {
  /** The number of rows so far; `undefined` before the first export. */
  readonly rows: number | undefined;
  readonly isBusy: boolean;
  start(homeId: string, series: readonly SeriesRef[], bounds: Bounds): Promise<void>;
}

export function useExport(): Export {
  const [rows, setRows] = useState<number>();
  const [isBusy, setBusy] = useState(false);
  const start = async (homeId: string, series: readonly SeriesRef[], bounds: Bounds) => {
    setBusy(true);
    setRows(0);
    try {
      const lines: string[] = [];
      for (const ref of series) {
        for await (const page of pagesOf(homeId, ref, bounds)) {
          const [header = '', ...body] = page;
          if (lines.length === 0) lines.push(header);
          for (const line of body) if (line !== '' && !line.startsWith('#')) lines.push(line);
          setRows(lines.length - 1);
        }
      }
      saveFile('history.csv', new Blob([`${lines.join('\r\n')}\r\n`], { type: 'text/csv' }));
    } catch (error) {
      setRows(undefined);
      showToast({ tone: 'bad', text: errorText(error) });
    } finally {
      setBusy(false);
    }
  };
  return { rows, isBusy, start };
}

/** The relay returns 200,000 rows a page, with the position of the next one. */
async function* pagesOf(
  homeId: string,
  { accessoryId, characteristicType }: SeriesRef,
  { from, to }: Bounds,
): AsyncGenerator<readonly string[]> {
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ home: homeId, accessory: accessoryId, characteristic: characteristicType });
    query.set('from', String(Math.round(from)));
    query.set('to', String(Math.round(to)));
    if (cursor !== null) query.set('cursor', cursor);
    const response = await fetchRest(`/rest/history/export?${query}`);
    const text = await response.text();
    yield text.split(/\r?\n/);
    cursor = response.headers.get('X-Next-Cursor');
  } while (cursor !== null);
}
