/** `hearthd automation export|import|versions|restore`: export, import and version history of flows. */
import { readFileSync, writeFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { messageOf } from '../../kernel/errors.ts';
import { type Cli, HOME_OPTION } from '../action.ts';
import type { FlowResource, FlowVersionResource } from '../api-resources.ts';
import { CliError, EXIT, usageError } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';
import { findFlow } from './automation-list.ts';

const FLOW_ARGUMENT = ['<flow>', 'name, "Home/Name" or id; native automations have none of this'] as const;

interface ExportOptions {
  readonly format: string;
  readonly output?: string;
}

export function addExport(command: Command, cli: Cli): void {
  command
    .command('export')
    .description('print a flow as a text to keep and share')
    .argument(...FLOW_ARGUMENT)
    .addOption(new Option('--format <format>', 'which language').choices(['yaml', 'json']).default('yaml'))
    .option('--output <file>', 'write it to a file')
    .action(
      cli.run(async ({ api, output }, text: string, { format, output: file }: ExportOptions) => {
        const { id, name } = await findFlow(api, text);
        let document = '';
        await api.download(`/rest/flows/${id}/export`, { format }, (piece) => {
          document += piece;
        });
        if (file !== undefined) writeFile(file, document);
        output.result({ name, format, document }, () => {
          if (file === undefined) output.terminal.out(document);
          else output.line(`${name} is written to ${file}.`);
        });
        return EXIT.ok;
      }),
    );
}

export function addImport(command: Command, cli: Cli): void {
  command
    .command('import')
    .description('make a flow of an exported one')
    .argument('<file>', 'YAML or JSON')
    .option(...HOME_OPTION)
    .action(
      cli.run(async ({ api, output }, file: string, { home }: { readonly home?: string }) => {
        const document = readFile(file);
        const { id: homeId } = (await loadInventory(api)).home(home);
        const type = document.trimStart().startsWith('{') ? 'application/json' : 'application/yaml';
        const flow = await api.upload<FlowResource>(`/rest/flows/import?home=${homeId}`, document, type);
        output.result(flow, () => output.line(`Flow ${flow.name} is created (${flow.id}).`));
        return EXIT.ok;
      }),
    );
}

export function addVersions(command: Command, cli: Cli): void {
  command
    .command('versions')
    .description('list what a flow was when it was saved')
    .argument(...FLOW_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string, _options: object) => {
        const { id, zone } = await findFlow(api, text);
        const versions = await api.get<FlowVersionResource[]>(`/rest/flows/${id}/versions`);
        const rows = versions.map(({ version, name, savedAt }) => [version, name, output.when(savedAt, zone)]);
        output.result(versions, () => output.table(['Version', 'Name', 'Saved'], rows, 'There is none.'));
        return EXIT.ok;
      }),
    );
}

export function addRestore(command: Command, cli: Cli): void {
  command
    .command('restore')
    .description('make a flow again what it was')
    .argument(...FLOW_ARGUMENT)
    .argument('<version>', 'the number of a version')
    .action(
      cli.run(async ({ api, output }, text: string, wanted: string, _options: object) => {
        const { id, name } = await findFlow(api, text);
        const versions = await api.get<FlowVersionResource[]>(`/rest/flows/${id}/versions`);
        const version = versions.find((one) => String(one.version) === wanted || one.id === wanted.toLowerCase());
        if (!version) {
          const help = 'hearthd automation versions shows what there is.';
          throw new CliError(EXIT.notFound, 'not_found', `${name} has no version ${wanted}. ${help}`);
        }
        const flow = await api.send<FlowResource>('POST', `/rest/flows/versions/${version.id}/restore`);
        output.result(flow, () => output.line(`${name} is again as in version ${version.version}.`));
        return EXIT.ok;
      }),
    );
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(`Can’t read ${file}: ${messageOf(error)}`);
  }
}

function writeFile(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw usageError(`Can’t write ${file}: ${messageOf(error)}`);
  }
}
