import { Command } from 'commander';
import type { RelaySetting } from '../../contract/relay.ts';
import { type ActionContext, type Cli, examples } from '../action.ts';
import { EXIT, usageError } from '../exit-codes.ts';

const PATH = '/rest/relay/settings';
const NAME_ARGUMENT = ['<setting>', 'setting name, as in the configuration file: log_level'] as const;

/** `hearthd settings …`: the settings of the daemon, including those that can change at run time. */
export function settingsCommand(cli: Cli): Command {
  const command = new Command('settings')
    .description('list settings of the daemon, and change those that can be changed while it runs')
    .addHelpText(
      'after',
      [
        '',
        'A flag, a variable or the configuration file overrides a value set here.',
        examples(
          'hearthd settings list',
          'hearthd settings set log_level debug',
          'hearthd settings set allowed_host home.example.org panel.local',
          'hearthd settings set ntfy_token --stdin < token',
          'hearthd settings reset log_level',
        ),
      ].join('\n'),
    );
  command
    .command('list')
    .description('list all settings and their sources')
    .action(
      cli.run(async ({ api, output }) => {
        const settings = await api.get<RelaySetting[]>(PATH);
        const rows = settings.map((setting) => [
          setting.name,
          valueText(setting),
          setting.setBy ?? (setting.source === 'stored' ? 'set here' : 'default'),
          setting.isLive ? 'immediately' : 'after a restart',
        ]);
        output.result(settings, () => output.table(['Setting', 'Value', 'Source', 'Takes effect'], rows, ''));
        return EXIT.ok;
      }),
    );
  command
    .command('set')
    .description('change a setting; takes effect immediately')
    .argument(...NAME_ARGUMENT)
    .argument('[value...]', 'value, or several for a list')
    .option('--stdin', 'read the value from the first line of stdin')
    .action(
      cli.run(async (context, name: string, values: readonly string[], { stdin }: { readonly stdin?: true }) => {
        const setting = await find(context, name);
        const words = stdin ? await fromStdin(context) : values;
        if (words.length === 0)
          throw usageError(`Pass a value for ${name}, or reset it: hearthd settings reset ${name}`);
        if (setting.isSecret && !stdin)
          throw usageError(`${name} is a secret, and other users can see arguments. Use --stdin.`);
        return change(context, name, setting.isList ? words : words.join(' '), `Set ${name}.`);
      }),
    );
  command
    .command('reset')
    .description('reset a setting to its default')
    .argument(...NAME_ARGUMENT)
    .action(cli.run((context, name: string) => change(context, name, null, `Reset ${name} to its default.`)));
  return command;
}

async function find({ api }: ActionContext, name: string): Promise<RelaySetting> {
  const setting = (await api.get<RelaySetting[]>(PATH)).find((one) => one.name === name);
  if (!setting) throw usageError(`No setting "${name}". List settings with hearthd settings list.`);
  return setting;
}

async function fromStdin({ output }: ActionContext): Promise<readonly string[]> {
  const line = await output.terminal.readLine();
  return line ? [line] : [];
}

async function change({ api, output }: ActionContext, name: string, value: unknown, given: string) {
  const settings = await api.send<RelaySetting[]>('PATCH', PATH, { [name]: value });
  output.result(
    settings.find((setting) => setting.name === name),
    () => output.line(given),
  );
  return EXIT.ok;
}

function valueText({ value, isSecret, isSet }: RelaySetting): string {
  if (isSecret) return isSet ? '(secret)' : '';
  return Array.isArray(value) ? value.join(' ') : String(value ?? '');
}
