import type { AutomationOutline } from '../../contract/automation-runs.ts';
import type { Flow } from '../../contract/flows.ts';
import { type CommandBuilder, defineCommand } from '../define-command.ts';
import type { CommandOutput } from '../output.ts';
import { listInHomes } from '../resource-commands.ts';
import { applyBlueprint, listBlueprints } from './automation-blueprints.ts';
import { exportFlow, importFlow, listVersions, restoreVersion, saveDraft, showDraft } from './automation-documents.ts';
import { evaluateExpression } from './automation-evaluate.ts';
import { AUTOMATION_ARGUMENT, findAutomation, listAutomations, nextDates } from './automation-list.ts';
import { runAutomation, traceAutomation } from './automation-run.ts';
import { testAutomation } from './automation-test.ts';

const listAll = listInHomes({
  description: 'list flows and native automations',
  async load(api, homeId) {
    const automations = await listAutomations(api, homeId);
    const next = await nextDates(api, automations);
    return automations.map((one) => ({ ...one, nextFireDate: next.get(one.id) ?? null }));
  },
  columns: (one, inventory, output) => ({
    Home: inventory.homeName(one),
    Name: one.name,
    Kind: one.kind,
    State: one.enabled ? 'enabled' : 'disabled',
    Next: output.when(one.nextFireDate, inventory.zoneOf(one)),
    Last: output.when(one.lastFireDate, inventory.zoneOf(one)),
    Id: one.id,
  }),
  empty: 'No automations.',
});

const showAutomation = defineCommand({
  name: 'show',
  description: 'show the triggers, conditions and actions of an automation',
  arguments: [AUTOMATION_ARGUMENT],
  async run({ api, output }, text) {
    const { id, kind } = await findAutomation(api, text);
    const [outline, whole] = await Promise.all([
      api.get<AutomationOutline>(`/rest/flows/${id}/outline`),
      api.get<Partial<Flow>>(kind === 'flow' ? `/rest/flows/${id}` : `/rest/automations/${id}`),
    ]);
    output.result(whole, () => showOutline(outline, whole.webhookUrls ?? [], output));
  },
});

const listNext = defineCommand({
  name: 'next',
  description: 'list the next scheduled runs of an automation',
  arguments: [AUTOMATION_ARGUMENT],
  options: [['--count <count>', 'number of dates, 1–100']],
  async run({ api, output }, text, { count }) {
    const { id, name, zone } = await findAutomation(api, text);
    const dates = await api.get<string[]>(`/rest/flows/${id}/next`, { count });
    output.result(dates, () => {
      for (const date of dates) output.line(output.when(date, zone));
      if (dates.length === 0) output.note(`${name} is disabled or has no scheduled trigger.`);
    });
  },
});

const deleteAutomation = defineCommand({
  name: 'delete',
  description: 'delete an automation with its versions and traces',
  arguments: [AUTOMATION_ARGUMENT],
  async run({ api, output }, text) {
    const { id, name, kind } = await findAutomation(api, text);
    const answer = await api.send('DELETE', `/rest/${kind === 'flow' ? 'flows' : 'automations'}/${id}`);
    output.done(answer, `Deleted ${name}.`);
  },
});

/** `hearthd automation …`: flows and native automations. */
export const automationCommand = defineCommand({
  name: 'automation',
  description: 'list, run, trace, enable, export or import automations',
  examples: [
    'hearthd automation show "Hall Light"',
    'hearthd automation run "Hall Light" --variable level=80 --wait',
    'hearthd automation trace "Hall Light" last',
    'hearthd automation export "Hall Light" > hall-light.yaml',
    'hearthd automation apply door_left_open --input doors="Front Door"',
  ],
  commands: [
    listAll,
    showAutomation,
    enabling('enable'),
    enabling('disable'),
    runAutomation,
    testAutomation,
    evaluateExpression,
    traceAutomation,
    listNext,
    showDraft,
    saveDraft,
    exportFlow,
    importFlow,
    listBlueprints,
    applyBlueprint,
    listVersions,
    restoreVersion,
    deleteAutomation,
  ],
});

function enabling(word: 'enable' | 'disable'): CommandBuilder {
  return defineCommand({
    name: word,
    description: `${word} an automation`,
    arguments: [AUTOMATION_ARGUMENT],
    async run({ api, output }, text) {
      const { id, name, kind } = await findAutomation(api, text);
      const answer = await (kind === 'flow'
        ? api.send('POST', `/rest/flows/${id}/${word}`)
        : api.send('PATCH', `/rest/automations/${id}`, { enabled: word === 'enable' }));
      output.done(answer, `${name} is ${word}d.`);
    },
  });
}

function showOutline(outline: AutomationOutline, webhookUrls: readonly string[], output: CommandOutput): void {
  const { name, kind, enabled, triggers, conditions, actions } = outline;
  const off = (isOn: boolean): string => (isOn ? '' : output.style('dim', ' (disabled)'));
  output.line(`${output.style('bold', name)} (${kind})${off(enabled)}`);
  for (const trigger of triggers) output.line(`  ${trigger.summary}${off(trigger.enabled)}`);
  if (triggers.length === 0) output.line('  When a user runs it');
  if (conditions !== null) {
    output.line('If');
    output.line(`  ${conditions}`);
  }
  output.line('Then');
  for (const { depth, branch, summary, enabled: isOn } of actions) {
    const where = branch === null ? '' : output.style('dim', `${branch}: `);
    output.line(`${'  '.repeat(depth + 1)}${where}${summary}${off(isOn)}`);
  }
  if (actions.length === 0) output.line('  Nothing');
  for (const url of webhookUrls) output.line(`Webhook: ${url}`);
}
