/** `hearthd automation export|import|versions|restore`: export, import and version history of flows. */
import { writeFileSync } from 'node:fs';
import type { Blueprint } from '../../contract/blueprints.ts';
import type { Flow, FlowVersion, SavedAutomation } from '../../contract/flows.ts';
import { messageOf } from '../../kernel/errors.ts';
import { HOME_OPTION } from '../action.ts';
import { defineCommand } from '../define-command.ts';
import { CliError, EXIT, usageError } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';
import { readText } from '../read-file.ts';
import { AUTOMATION_ARGUMENT, findAutomation, findFlow } from './automation-list.ts';

const FLOW_ARGUMENT = ['<flow>', 'name, "Home/Name" or id of a flow (not a native automation)'] as const;

export const exportFlow = defineCommand({
  name: 'export',
  description: 'print a flow as YAML or JSON',
  arguments: [FLOW_ARGUMENT],
  options: [
    ['--format <format>', 'yaml or json', ['yaml', 'json']],
    ['--output <file>', 'write to this file'],
    [
      '--blueprint',
      'as a blueprint for other homes, in JSON: its accessories become inputs; also of a native automation',
    ],
  ],
  async run({ api, output }, text, { format: chosen, output: file, blueprint }) {
    const { id, name } = await (blueprint ? findAutomation : findFlow)(api, text);
    const format = blueprint ? 'json' : chosen;
    let document = '';
    if (blueprint) {
      document = `${JSON.stringify(await api.get<Blueprint>(`/rest/flows/${id}/blueprint`), null, 2)}\n`;
    } else {
      await api.download(`/rest/flows/${id}/export`, { format }, (piece) => {
        document += piece;
      });
    }
    if (file !== undefined) writeFile(file, document);
    output.result({ name, format, document }, () => {
      if (file === undefined) output.terminal.out(document);
      else output.line(`Wrote ${name} to ${file}.`);
    });
  },
});

export const importFlow = defineCommand({
  name: 'import',
  description: 'create a flow from an exported file',
  arguments: [['<file>', 'YAML or JSON']],
  options: [HOME_OPTION],
  async run({ api, output }, file, { home }) {
    const document = readText(file);
    if (/^\uFEFF?\s*\{\s*"hearthd_blueprint"/.test(document)) {
      throw usageError(`${file} is a blueprint. Create an automation from it with hearthd automation apply ${file}`);
    }
    const { id: homeId } = (await loadInventory(api)).home(home);
    const type = document.trimStart().startsWith('{') ? 'application/json' : 'application/yaml';
    const flow = await api.upload<Flow>(`/rest/flows/import?home=${homeId}`, document, type);
    output.done(flow, `Created the flow ${flow.name} (${flow.id}).`);
  },
});

export const showDraft = defineCommand({
  name: 'draft',
  description: 'print an automation of either kind as JSON, to edit and save it',
  arguments: [AUTOMATION_ARGUMENT],
  options: [['--output <file>', 'write to this file']],
  async run({ api, output }, text, { output: file }) {
    const { id, name } = await findAutomation(api, text);
    const draft = await api.get<object>(`/rest/automations/${id}/draft`);
    const document = `${JSON.stringify(draft, null, 2)}\n`;
    if (file !== undefined) writeFile(file, document);
    output.result(draft, () => {
      if (file === undefined) output.terminal.out(document);
      else output.line(`Wrote ${name} to ${file}.`);
    });
  },
});

export const saveDraft = defineCommand({
  name: 'save',
  description: 'create an automation from JSON, or replace one; simple ones become native, others flows',
  arguments: [['<file>', 'JSON, as draft prints it']],
  options: [HOME_OPTION, ['--replace <automation>', 'replace this automation as a whole']],
  async run({ api, output }, file, { home, replace }) {
    const draft = readDraft(file);
    if (replace !== undefined && home !== undefined) throw usageError('Pass either --home or --replace.');
    const saved =
      replace === undefined
        ? await api.send<SavedAutomation>('POST', '/rest/automations/drafts', {
            ...draft,
            homeId: (await loadInventory(api)).home(home).id,
          })
        : await api.send<SavedAutomation>(
            'PUT',
            `/rest/automations/${(await findAutomation(api, replace)).id}/draft`,
            draft,
          );
    output.done(saved, `Saved as a ${saved.kind === 'flow' ? 'flow' : 'native automation'} (${saved.id}).`);
  },
});

function readDraft(file: string): object {
  try {
    const draft: unknown = JSON.parse(readText(file));
    if (typeof draft === 'object' && draft !== null && !Array.isArray(draft)) return draft;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw usageError(`${file} is not a JSON object. hearthd automation draft prints one.`);
}

export const listVersions = defineCommand({
  name: 'versions',
  description: 'list the saved versions of a flow',
  arguments: [FLOW_ARGUMENT],
  async run({ api, output }, text) {
    const { id, zone } = await findFlow(api, text);
    output.list(
      await api.get<FlowVersion[]>(`/rest/flows/${id}/versions`),
      ({ version, name, savedAt }) => ({ Version: version, Name: name, Saved: output.when(savedAt, zone) }),
      'No versions.',
    );
  },
});

export const restoreVersion = defineCommand({
  name: 'restore',
  description: 'restore a version of a flow',
  arguments: [FLOW_ARGUMENT, ['<version>', 'version number']],
  async run({ api, output }, text, wanted) {
    const { id, name } = await findFlow(api, text);
    const versions = await api.get<FlowVersion[]>(`/rest/flows/${id}/versions`);
    const version = versions.find((one) => String(one.version) === wanted || one.id === wanted.toLowerCase());
    if (!version) {
      const help = 'hearthd automation versions lists them.';
      throw new CliError(EXIT.notFound, 'not_found', `${name} has no version ${wanted}. ${help}`);
    }
    const flow = await api.send<Flow>('POST', `/rest/flows/versions/${version.id}/restore`);
    output.done(flow, `Restored version ${version.version} of ${name}.`);
  },
});

function writeFile(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw usageError(`Cannot write ${file}: ${messageOf(error)}`);
  }
}
