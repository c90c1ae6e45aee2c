import { Command } from 'commander';
import { type Cli, examples } from '../action.ts';
import type { FlowResource, OutlineResource } from '../api-resources.ts';
import { EXIT } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';
import type { Output } from '../output.ts';
import { addExport, addImport, addRestore, addVersions } from './automation-documents.ts';
import { AUTOMATION_ARGUMENT, findAutomation, listAutomations, nextDates } from './automation-list.ts';
import { addRun, addTrace } from './automation-run.ts';
import { addTest } from './automation-test.ts';

/** `hearthd automation …`: flows and native automations. */
export function automationCommand(cli: Cli): Command {
  const command = new Command('automation')
    .description('list, run, trace, enable, export or import automations')
    .addHelpText(
      'after',
      examples(
        'hearthd automation show "Hall Light"',
        'hearthd automation run "Hall Light" --variable level=80 --wait',
        'hearthd automation trace "Hall Light" last',
        'hearthd automation export "Hall Light" > hall-light.yaml',
      ),
    );
  const subcommands = [addList, addShow, addEnable, addDisable, addRun, addTest, addTrace, addNext];
  for (const add of [...subcommands, addExport, addImport, addVersions, addRestore, addDelete]) add(command, cli);
  return command;
}

function addList(command: Command, cli: Cli): void {
  command
    .command('list')
    .description('list flows and native automations')
    .option('--home <home>', 'only in this home')
    .action(
      cli.run(async ({ api, output }, { home }: { readonly home?: string }) => {
        const inventory = await loadInventory(api);
        const automations = await listAutomations(api, home === undefined ? undefined : inventory.home(home).id);
        const next = await nextDates(api, automations);
        const shown = automations.map((one) => ({ ...one, nextFireDate: next.get(one.id) ?? null }));
        const rows = shown.map((one) => [
          inventory.homeName(one),
          one.name,
          one.kind,
          one.enabled ? 'enabled' : 'disabled',
          output.when(one.nextFireDate, inventory.zoneOf(one)),
          output.when(one.lastFireDate, inventory.zoneOf(one)),
          one.id,
        ]);
        const head = ['Home', 'Name', 'Kind', 'State', 'Next', 'Last', 'Id'];
        output.result(shown, () => output.table(head, rows, 'No automations.'));
        return EXIT.ok;
      }),
    );
}

function addShow(command: Command, cli: Cli): void {
  command
    .command('show')
    .description('show the triggers, conditions and actions of an automation')
    .argument(...AUTOMATION_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string, _options: object) => {
        const { id, kind } = await findAutomation(api, text);
        const [outline, whole] = await Promise.all([
          api.get<OutlineResource>(`/rest/flows/${id}/outline`),
          api.get<Partial<FlowResource>>(kind === 'flow' ? `/rest/flows/${id}` : `/rest/automations/${id}`),
        ]);
        output.result(whole, () => showOutline(outline, whole.webhookUrls ?? [], output));
        return EXIT.ok;
      }),
    );
}

function showOutline(outline: OutlineResource, webhookUrls: readonly string[], output: Output): void {
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

const addEnable = (command: Command, cli: Cli): void => addSwitch(command, cli, true);
const addDisable = (command: Command, cli: Cli): void => addSwitch(command, cli, false);

function addSwitch(command: Command, cli: Cli, enabled: boolean): void {
  const word = enabled ? 'enable' : 'disable';
  command
    .command(word)
    .description(enabled ? 'enable an automation' : 'disable an automation')
    .argument(...AUTOMATION_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string, _options: object) => {
        const { id, name, kind } = await findAutomation(api, text);
        const answer = await (kind === 'flow'
          ? api.send('POST', `/rest/flows/${id}/${word}`)
          : api.send('PATCH', `/rest/automations/${id}`, { enabled }));
        output.result(answer, () => output.line(`${name} is ${word}d.`));
        return EXIT.ok;
      }),
    );
}

function addNext(command: Command, cli: Cli): void {
  command
    .command('next')
    .description('list the next scheduled runs of an automation')
    .argument(...AUTOMATION_ARGUMENT)
    .option('--count <count>', 'number of dates, 1–100')
    .action(
      cli.run(async ({ api, output }, text: string, { count }: { readonly count?: string }) => {
        const { id, name, zone } = await findAutomation(api, text);
        const dates = await api.get<string[]>(`/rest/flows/${id}/next`, { count });
        output.result(dates, () => {
          for (const date of dates) output.line(output.when(date, zone));
          if (dates.length === 0) output.note(`${name} is disabled or has no scheduled trigger.`);
        });
        return EXIT.ok;
      }),
    );
}

function addDelete(command: Command, cli: Cli): void {
  command
    .command('delete')
    .description('delete an automation with its versions and traces')
    .argument(...AUTOMATION_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string, _options: object) => {
        const { id, name, kind } = await findAutomation(api, text);
        const answer = await api.send('DELETE', `/rest/${kind === 'flow' ? 'flows' : 'automations'}/${id}`);
        output.result(answer, () => output.line(`Deleted ${name}.`));
        return EXIT.ok;
      }),
    );
}
