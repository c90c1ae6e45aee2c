import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { messageOf } from '../../kernel/errors.ts';
import { defineCommand } from '../define-command.ts';
import { CliError, EXIT } from '../exit-codes.ts';

/** Another user's program reads the file; it contains no personal data. */
const FILE_MODE = 0o644;

/** `hearthd metrics`: the content of `/metrics`, without a token; for admins, for cron and for node_exporter. */
export const metricsCommand = defineCommand({
  name: 'metrics',
  description: 'print metrics of the relay in the Prometheus format',
  options: [['--textfile <path>', 'write to a file for the textfile collector of node_exporter, atomically']],
  examples: ['hearthd metrics', 'hearthd metrics --textfile /var/lib/prometheus/node-exporter/hearthd.prom'],
  async run({ api, output }, { textfile }) {
    let text = '';
    await api.download('/metrics', {}, (part) => {
      text += part;
    });
    if (textfile === undefined) return output.result({ metrics: text }, () => output.terminal.out(text));
    const own = ownMetrics(text);
    writeAtOnce(textfile, own);
    const count = own.split('\n').filter((line) => line.startsWith('# TYPE ')).length;
    output.result({ file: textfile, figures: count }, () => output.note(`Wrote ${count} metrics to ${textfile}.`));
  },
});

/**
 * Without the process metrics: node_exporter has metrics of the same names, and rejects a file that contradicts them.
 */
function ownMetrics(text: string): string {
  const families = text.split(/^(?=# HELP )/m);
  return families.filter((family) => family.startsWith('# HELP hearthd_')).join('');
}

/** The collector must never read a partial file, so it has a temporary name until it is complete. */
function writeAtOnce(path: string, text: string): void {
  const beside = `${path}.${process.pid}.new`;
  try {
    writeFileSync(beside, text, { mode: FILE_MODE });
    chmodSync(beside, FILE_MODE);
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw new CliError(EXIT.failed, 'not_written', `Cannot write ${path}: ${messageOf(error)}.`, { cause: error });
  }
}
