import { Command } from 'commander';
import { type ActionContext, type Cli, examples } from '../action.ts';
import { EXIT, usageError } from '../exit-codes.ts';
import type { RelaySettingResource } from '../relay-resources.ts';

const PATH = '/rest/relay/settings';
const NAME_ARGUMENT = ['<setting>', 'its name, as in the configuration file: log_level'] as const;

/** `hearthd settings …`: the settings of the daemon, including those that can change at run time. */
export function settingsCommand(cli: Cli): Command {
  const command = new Command('settings')
    .description('list the settings of the daemon, and change those that need no restart')
    .addHelpText(
      'after',
      [
        '',
        'What a flag, a variable or the configuration file says wins over what is set here.',
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
    .description('list all settings, and who says them')
    .action(
      cli.run(async ({ api, output }) => {
        const settings = await api.get<RelaySettingResource[]>(PATH);
        const rows = settings.map((setting) => [
          setting.name,
          valueText(setting),
          setting.setBy ?? (setting.source === 'stored' ? 'set here' : 'default'),
          setting.isLive ? 'at once' : 'at the next start',
        ]);
        output.result(settings, () => output.table(['Setting', 'Value', 'Said by', 'Acts'], rows, ''));
        return EXIT.ok;
      }),
    );
  command
    .command('set')
    .description('change a setting, at once and for good')
    .argument(...NAME_ARGUMENT)
    .argument('[value...]', 'several where the setting takes several')
    .option('--stdin', 'read the value from the first line of stdin')
    .action(
      cli.run(async (context, name: string, values: readonly string[], { stdin }: { readonly stdin?: true }) => {
        const setting = await find(context, name);
        const words = stdin ? await fromStdin(context) : values;
        if (words.length === 0)
          throw usageError(`Give a value for ${name}, or reset it: hearthd settings reset ${name}`);
        if (setting.isSecret && !stdin) throw usageError(`${name} is a secret, which an argument shows: use --stdin.`);
        return change(context, name, setting.isList ? words : words.join(' '), `${name} is set.`);
      }),
    );
  command
    .command('reset')
    .description('take back what was set, so that the default holds')
    .argument(...NAME_ARGUMENT)
    .action(cli.run((context, name: string) => change(context, name, null, `${name} is as it was by default.`)));
  return command;
}

async function find({ api }: ActionContext, name: string): Promise<RelaySettingResource> {
  const setting = (await api.get<RelaySettingResource[]>(PATH)).find((one) => one.name === name);
  if (!setting) throw usageError(`There is no setting "${name}". See: hearthd settings list`);
  return setting;
}

async function fromStdin({ output }: ActionContext): Promise<readonly string[]> {
  const line = await output.terminal.readLine();
  return line ? [line] : [];
}

async function change({ api, output }: ActionContext, name: string, value: unknown, said: string) {
  const settings = await api.send<RelaySettingResource[]>('PATCH', PATH, { [name]: value });
  output.result(
    settings.find((setting) => setting.name === name),
    () => output.line(said),
  );
  return EXIT.ok;
}

function valueText({ value, isSecret, isSet }: RelaySettingResource): string {
  if (isSecret) return isSet ? '(secret)' : '';
  return Array.isArray(value) ? value.join(' ') : String(value ?? '');
}
