/** `hearthd history export`. */
import { HOME_OPTION } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import { defineCommand } from '../define-command.ts';
import { usageError } from '../exit-codes.ts';
import { exportTo } from './export-file.ts';
import { FROM_OPTION, queryOf, timeOf } from './history-query.ts';

export const exportHistory = defineCommand({
  name: 'export',
  description: 'export values as CSV',
  options: [
    HOME_OPTION,
    ['--accessory <accessory>', 'only this accessory'],
    ['--characteristic <name>', 'only this characteristic'],
    FROM_OPTION,
    ['--to <time>', 'end: a date, a time or an age'],
    ['--file <path>', 'write to this file instead of stdout'],
  ],
  async run({ api, output }, options) {
    if (output.json && options.file === undefined) {
      throw usageError('An export is CSV. Omit --json, or write to a file with --file.');
    }
    const now = Date.now();
    const query = {
      ...(await queryOf(api, options)),
      from: timeOf(options.from, now, '--from'),
      to: timeOf(options.to, now, '--to'),
    };
    const { file } = options;
    if (file === undefined) {
      await exportAll(api, query, (text) => output.terminal.out(text));
      return;
    }
    const values = await exportTo(file, (write) => exportAll(api, query, write));
    output.done({ file, values }, `Wrote ${values} values to ${file}.`);
  },
});

/** Combines as many exports as needed into one. @returns the number of values. */
async function exportAll(
  api: ApiClient,
  query: Readonly<Record<string, string | undefined>>,
  write: (text: string) => void,
): Promise<number> {
  let lines = 0;
  let cursor: string | undefined;
  do {
    // Each export starts with the header, which only the first one keeps.
    let isInHeader = cursor !== undefined;
    const headers = await api.download('/rest/history/export', { ...query, cursor }, (text) => {
      let rest = text;
      if (isInHeader) {
        const end = text.indexOf('\n');
        if (end < 0) return;
        rest = text.slice(end + 1);
        isInHeader = false;
      }
      lines += rest.split('\n').length - 1;
      write(rest);
    });
    const next = headers['x-next-cursor'];
    cursor = typeof next === 'string' ? next : undefined;
  } while (cursor !== undefined);
  return lines - 1;
}
