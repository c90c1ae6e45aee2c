import { Command, InvalidArgumentError } from 'commander';
import type {
  Notification,
  NotificationChannel,
  NotificationPreference,
  TestNotification,
} from '../../contract/notifications.ts';
import { type Cli, examples } from '../action.ts';
import { EXIT, usageError } from '../exit-codes.ts';
import { type Inventory, loadInventory } from '../inventory.ts';

const PATH = '/rest/notifications';
/** The daemon waits a minute for the servers. */
const TEST_TIMEOUT_MS = 70_000;
const AUTOMATION_OPTION = '--automation <id>';

/** `hearthd notification …`: notifications and their channels. */
export function notificationCommand(cli: Cli): Command {
  const command = new Command('notification')
    .description('list notifications, test channels, or choose channels')
    .addHelpText(
      'after',
      [
        '',
        'Channels: local (connected screens), push (ntfy_url in the configuration) and email (smtp_url).',
        'The choice for an automation overrides that for its home, which overrides the general one.',
        examples(
          'hearthd notification test "Hello"',
          'hearthd notification set --push on --email off',
          'hearthd notification set --home Cottage --email on',
          'hearthd notification reset --home Cottage',
        ),
      ].join('\n'),
    );
  for (const add of [addList, addTest, addPreferences, addSet, addReset, addClear]) add(command, cli);
  return command;
}

function addList(command: Command, cli: Cli): void {
  command
    .command('list')
    .description('list the notifications of the last 30 days, newest first')
    .option('--limit <number>', 'number (default: 50, maximum: 500)')
    .option(AUTOMATION_OPTION, 'only of this automation')
    .action(
      cli.run(async ({ api, output }, { limit, automation }: { limit?: string; automation?: string }) => {
        const notifications = await api.get<Notification[]>(PATH, { limit, automation });
        const inventory = await loadInventory(api);
        const rows = notifications.map((one) => [
          output.when(one.createdAt, inventory.zoneOf(one)),
          one.title,
          one.message,
          one.channelsSent.join(', '),
          one.rateLimited ? 'suppressed' : one.channelsFailed.join(', '),
        ]);
        output.result(notifications, () =>
          output.table(['When', 'Title', 'Message', 'Sent by', 'Not sent'], rows, 'No notifications.'),
        );
        return EXIT.ok;
      }),
    );
}

function addTest(command: Command, cli: Cli): void {
  command
    .command('test')
    .description('send a message through all configured channels')
    .argument('[message]', 'message text')
    .action(
      cli.run(async ({ api, output }, message: string | undefined, _options: object) => {
        const channels = await api.get<NotificationChannel[]>(`${PATH}/channels`);
        const answer = await api.send<TestNotification>('POST', `${PATH}/test`, { message }, TEST_TIMEOUT_MS);
        output.result(answer, () => {
          for (const { name, configured } of channels) {
            const failure = answer.failures[name];
            output.line(`${name}: ${failure ?? (configured ? 'sent' : 'not configured')}`);
          }
        });
        return answer.success ? EXIT.ok : EXIT.failed;
      }),
    );
}

function addPreferences(command: Command, cli: Cli): void {
  command
    .command('preferences')
    .description('show the channel choices')
    .action(
      cli.run(async ({ api, output }) => {
        const preferences = await api.get<NotificationPreference[]>(`${PATH}/preferences`);
        const inventory = await loadInventory(api);
        const rows = preferences.map((one) => [
          subjectText(one, inventory),
          onOff(one.pushEnabled),
          onOff(one.emailEnabled),
          onOff(one.localEnabled),
        ]);
        output.result(preferences, () =>
          output.table(['For', 'Push', 'Email', 'Local'], rows, 'No choices. Defaults: push and local on, email off.'),
        );
        return EXIT.ok;
      }),
    );
}

interface ScopeOptions {
  readonly home?: string;
  readonly automation?: string;
}

interface ChoiceOptions extends ScopeOptions {
  readonly push?: boolean;
  readonly email?: boolean;
  readonly local?: boolean;
}

function addSet(command: Command, cli: Cli): void {
  scoped(command.command('set').description('choose channels in general, for a home or for an automation'))
    .option('--push <on|off>', 'through ntfy', parseOnOff)
    .option('--email <on|off>', 'by e-mail', parseOnOff)
    .option('--local <on|off>', 'on connected screens', parseOnOff)
    .action(
      cli.run(async ({ api, output }, { push, email, local, ...options }: ChoiceOptions) => {
        if (push === undefined && email === undefined && local === undefined) {
          throw usageError('Pass --push, --email or --local, each with on or off.');
        }
        const inventory = await loadInventory(api);
        const choice = { pushEnabled: push, emailEnabled: email, localEnabled: local };
        const body = { ...scopeOf(options, inventory), ...choice };
        const set = await api.send<NotificationPreference>('POST', `${PATH}/preferences`, body);
        output.result(set, () => output.line(preferenceText(set, inventory)));
        return EXIT.ok;
      }),
    );
}

function addReset(command: Command, cli: Cli): void {
  scoped(command.command('reset').description('delete a choice, so that the more general one applies')).action(
    cli.run(async ({ api, output }, options: ScopeOptions) => {
      const inventory = await loadInventory(api);
      const which = scopeOf(options, inventory);
      const query = new URLSearchParams(Object.entries(which).filter(([, value]) => value !== undefined));
      const answer = await api.send<{ existed: boolean }>('DELETE', `${PATH}/preferences?${query}`);
      output.result(answer, () => output.line(answer.existed ? 'Deleted the choice.' : 'There is no such choice.'));
      return EXIT.ok;
    }),
  );
}

function addClear(command: Command, cli: Cli): void {
  command
    .command('clear')
    .description('delete the history of notifications')
    .action(
      cli.run(async ({ api, output }) => {
        const answer = await api.send<{ deleted: number }>('DELETE', PATH);
        output.result(answer, () => output.line(`Deleted: ${answer.deleted}.`));
        return EXIT.ok;
      }),
    );
}

function scoped(command: Command): Command {
  return command
    .option('--home <home>', 'only for notifications of this home')
    .option(AUTOMATION_OPTION, 'only for notifications of this automation');
}

function scopeOf(
  { home, automation }: ScopeOptions,
  inventory: Inventory,
): Record<'scope', string> & { scopeId?: string } {
  if (home !== undefined && automation !== undefined) throw usageError('Pass either --home or --automation.');
  if (automation !== undefined) return { scope: 'automation', scopeId: automation };
  return home === undefined ? { scope: 'global' } : { scope: 'home', scopeId: inventory.home(home).id };
}

function parseOnOff(word: string): boolean {
  if (word === 'on' || word === 'off') return word === 'on';
  throw new InvalidArgumentError('Use on or off.');
}

const onOff = (value: boolean): string => (value ? 'on' : 'off');

function subjectText({ scope, scopeId }: NotificationPreference, inventory: Inventory): string {
  if (scope === 'global') return 'everything';
  const home = inventory.homes.find(({ id }) => id === scopeId);
  return home ? `home ${home.name}` : `${scope} ${scopeId}`;
}

function preferenceText(preference: NotificationPreference, inventory: Inventory): string {
  const { pushEnabled, emailEnabled, localEnabled } = preference;
  const choice = `push ${onOff(pushEnabled)}, email ${onOff(emailEnabled)}, local ${onOff(localEnabled)}`;
  return `For ${subjectText(preference, inventory)}: ${choice}.`;
}
