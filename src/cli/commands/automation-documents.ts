/** `hearthd automation export|import|versions|restore`: export, import and version history of flows. */
import { readFileSync, writeFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { messageOf } from '../../kernel/errors.ts';
import { type Cli, HOME_OPTION } from '../action.ts';
import type { FlowResource, FlowVersionResource } from '../api-resources.ts';
import { CliError, EXIT, usageError } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';
import { findFlow } from './automation-list.ts';

const FLOW_ARGUMENT = ['<flow>', 'name, "Home/Name" or id of a flow (not a native automation)'] as const;

interface ExportOptions {
  readonly format: string;
  readonly output?: string;
}

export function addExport(command: Command, cli: Cli): void {
  command
    .command('export')
    .description('print a flow as YAML or JSON')
    .argument(...FLOW_ARGUMENT)
    .addOption(new Option('--format <format>', 'yaml or json').choices(['yaml', 'json']).default('yaml'))
    .option('--output <file>', 'write to this file')
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
          else output.line(`Wrote ${name} to ${file}.`);
        });
        return EXIT.ok;
      }),
    );
}

export function addImport(command: Command, cli: Cli): void {
  command
    .command('import')
    .description('create a flow from an exported file')
    .argument('<file>', 'YAML or JSON')
    .option(...HOME_OPTION)
    .action(
      cli.run(async ({ api, output }, file: string, { home }: { readonly home?: string }) => {
        const document = readFile(file);
        const { id: homeId } = (await loadInventory(api)).home(home);
        const type = document.trimStart().startsWith('{') ? 'application/json' : 'application/yaml';
        const flow = await api.upload<FlowResource>(`/rest/flows/import?home=${homeId}`, document, type);
        output.result(flow, () => output.line(`Created the flow ${flow.name} (${flow.id}).`));
        return EXIT.ok;
      }),
    );
}

export function addVersions(command: Command, cli: Cli): void {
  command
    .command('versions')
    .description('list the saved versions of a flow')
    .argument(...FLOW_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string, _options: object) => {
        const { id, zone } = await findFlow(api, text);
        const versions = await api.get<FlowVersionResource[]>(`/rest/flows/${id}/versions`);
        const rows = versions.map(({ version, name, savedAt }) => [version, name, output.when(savedAt, zone)]);
        output.result(versions, () => output.table(['Version', 'Name', 'Saved'], rows, 'No versions.'));
        return EXIT.ok;
      }),
    );
}

export function addRestore(command: Command, cli: Cli): void {
  command
    .command('restore')
    .description('restore a version of a flow')
    .argument(...FLOW_ARGUMENT)
    .argument('<version>', 'version number')
    .action(
      cli.run(async ({ api, output }, text: string, wanted: string, _options: object) => {
        const { id, name } = await findFlow(api, text);
        const versions = await api.get<FlowVersionResource[]>(`/rest/flows/${id}/versions`);
        const version = versions.find((one) => String(one.version) === wanted || one.id === wanted.toLowerCase());
        if (!version) {
          const help = 'hearthd automation versions lists them.';
          throw new CliError(EXIT.notFound, 'not_found', `${name} has no version ${wanted}. ${help}`);
        }
        const flow = await api.send<FlowResource>('POST', `/rest/flows/versions/${version.id}/restore`);
        output.result(flow, () => output.line(`Restored version ${version.version} of ${name}.`));
        return EXIT.ok;
      }),
    );
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(`Cannot read ${file}: ${messageOf(error)}`);
  }
}

function writeFile(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw usageError(`Cannot write ${file}: ${messageOf(error)}`);
  }
}
