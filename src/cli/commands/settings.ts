import type { RelaySetting } from '../../contract/relay.ts';
import type { CommandContext } from '../action.ts';
import { defineCommand } from '../define-command.ts';
import { usageError } from '../exit-codes.ts';
import { list } from '../resource-commands.ts';

const PATH = '/rest/relay/settings';
const NAME_ARGUMENT = ['<setting>', 'setting name, as in the configuration file: log_level'] as const;

/** `hearthd settings …`: the settings of the daemon, including those that can change at run time. */
export const settingsCommand = defineCommand({
  name: 'settings',
  description: 'list settings of the daemon, and change those that can be changed while it runs',
  notes: ['A flag, a variable or the configuration file overrides a value set here.'],
  examples: [
    'hearthd settings list',
    'hearthd settings set log_level debug',
    'hearthd settings set allowed_host home.example.org panel.local',
    'hearthd settings set ntfy_token --stdin < token',
    'hearthd settings reset log_level',
  ],
  commands: [
    list({
      description: 'list all settings and their sources',
      load: (api) => api.get<RelaySetting[]>(PATH),
      columns: (setting) => ({
        Setting: setting.name,
        Value: valueText(setting),
        Source: setting.setBy ?? (setting.source === 'stored' ? 'set here' : 'default'),
        'Takes effect': setting.isLive ? 'immediately' : 'after a restart',
      }),
      empty: '',
    }),
    defineCommand({
      name: 'set',
      description: 'change a setting; takes effect immediately',
      arguments: [NAME_ARGUMENT, ['[value...]', 'value, or several for a list']],
      options: [['--stdin', 'read the value from the first line of stdin']],
      async run(context, name, values, { stdin }) {
        const setting = await find(context, name);
        const words = stdin ? await fromStdin(context) : values;
        if (words.length === 0)
          throw usageError(`Pass a value for ${name}, or reset it: hearthd settings reset ${name}`);
        if (setting.isSecret && !stdin)
          throw usageError(`${name} is a secret, and other users can see arguments. Use --stdin.`);
        await change(context, name, setting.isList ? words : words.join(' '), `Set ${name}.`);
      },
    }),
    defineCommand({
      name: 'reset',
      description: 'reset a setting to its default',
      arguments: [NAME_ARGUMENT],
      run: (context, name) => change(context, name, null, `Reset ${name} to its default.`),
    }),
  ],
});

async function find({ api }: CommandContext, name: string): Promise<RelaySetting> {
  const setting = (await api.get<RelaySetting[]>(PATH)).find((one) => one.name === name);
  if (!setting) throw usageError(`No setting "${name}". List settings with hearthd settings list.`);
  return setting;
}

async function fromStdin({ output }: CommandContext): Promise<readonly string[]> {
  const line = await output.terminal.readLine();
  return line ? [line] : [];
}

async function change({ api, output }: CommandContext, name: string, value: unknown, done: string): Promise<void> {
  const settings = await api.send<RelaySetting[]>('PATCH', PATH, { [name]: value });
  const setting = settings.find((one) => one.name === name);
  output.done(setting, done);
}

function valueText({ value, isSecret, isSet }: RelaySetting): string {
  if (isSecret) return isSet ? '(secret)' : '';
  return Array.isArray(value) ? value.join(' ') : String(value ?? '');
}
