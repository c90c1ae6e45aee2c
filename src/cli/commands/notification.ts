import { InvalidArgumentError } from 'commander';
import type {
  Notification,
  NotificationChannel,
  NotificationPreference,
  TestNotification,
} from '../../contract/notifications.ts';
import { withQuery } from '../api-client.ts';
import { defineCommand, type Options } from '../define-command.ts';
import { CliError, EXIT, usageError } from '../exit-codes.ts';
import { type Inventory, loadInventory } from '../inventory.ts';

const PATH = '/rest/notifications';
/** The daemon waits a minute for the servers. */
const TEST_TIMEOUT_MS = 70_000;
const AUTOMATION_OPTION = '--automation <id>';

/** The common options of `set` and `reset`. */
const SCOPE_OPTIONS = [
  ['--home <home>', 'only for notifications of this home'],
  [AUTOMATION_OPTION, 'only for notifications of this automation'],
] as const;

const listNotifications = defineCommand({
  name: 'list',
  description: 'list the notifications of the last 30 days, newest first',
  options: [
    ['--limit <number>', 'number (default: 50, maximum: 500)'],
    [AUTOMATION_OPTION, 'only of this automation'],
  ],
  async run({ api, output }, options) {
    const notifications = await api.get<Notification[]>(PATH, { ...options });
    const inventory = await loadInventory(api);
    output.list(
      notifications,
      (one) => ({
        When: output.when(one.createdAt, inventory.zoneOf(one)),
        Title: one.title,
        Message: one.message,
        'Sent by': one.channelsSent.join(', '),
        'Not sent': one.rateLimited ? 'suppressed' : one.channelsFailed.join(', '),
        Buttons: one.pressed ? `pressed: ${one.pressed.buttonId}` : one.buttons.map(({ id }) => id).join(', '),
        Id: one.id,
      }),
      'No notifications.',
    );
  },
});

const pressButton = defineCommand({
  name: 'press',
  description: 'press a button of a notification',
  arguments: [
    ['<notification>', 'its id, or last'],
    ['<button>', 'id or title of the button'],
  ],
  async run({ api, output }, which, wanted) {
    const notifications = await api.get<Notification[]>(PATH, { limit: '500' });
    const found =
      which === 'last'
        ? notifications.find(({ buttons }) => buttons.length > 0)
        : notifications.find(({ id }) => id === which.toLowerCase());
    if (!found) {
      const what = which === 'last' ? 'with buttons' : `"${which}"`;
      throw new CliError(EXIT.notFound, 'not_found', `No notification ${what}. hearthd notification list shows them.`);
    }
    const { id, buttons } = found;
    const button = buttons.find((one) => one.id === wanted || one.title.toLowerCase() === wanted.toLowerCase());
    if (!button) {
      const known = buttons.length === 0 ? 'It has none.' : `It has ${buttons.map((one) => one.id).join(', ')}.`;
      throw new CliError(EXIT.notFound, 'not_found', `The notification has no button "${wanted}". ${known}`);
    }
    const answer = await api.send<object>('POST', `${PATH}/${id}/buttons/${encodeURIComponent(button.id)}`);
    output.done(answer, `Pressed ${button.title}.`);
  },
});

const testChannels = defineCommand({
  name: 'test',
  description: 'send a message through all configured channels',
  arguments: [['[message]', 'message text']],
  async run({ api, output }, message) {
    const channels = await api.get<NotificationChannel[]>(`${PATH}/channels`);
    const answer = await api.send<TestNotification>('POST', `${PATH}/test`, { message }, TEST_TIMEOUT_MS);
    output.result(answer, () => {
      for (const { name, configured } of channels) {
        const failure = answer.failures[name];
        output.line(`${name}: ${failure ?? (configured ? 'sent' : 'not configured')}`);
      }
    });
    return answer.success ? EXIT.ok : EXIT.failed;
  },
});

const listPreferences = defineCommand({
  name: 'preferences',
  description: 'show the channel choices',
  async run({ api, output }) {
    const preferences = await api.get<NotificationPreference[]>(`${PATH}/preferences`);
    const inventory = await loadInventory(api);
    output.list(
      preferences,
      (one) => ({
        For: subjectText(one, inventory),
        Push: onOff(one.pushEnabled),
        Email: onOff(one.emailEnabled),
        Local: onOff(one.localEnabled),
      }),
      'No choices. Defaults: push and local on, email off.',
    );
  },
});

const setPreference = defineCommand({
  name: 'set',
  description: 'choose channels in general, for a home or for an automation',
  options: [
    ...SCOPE_OPTIONS,
    ['--push <on|off>', 'through ntfy', parseOnOff],
    ['--email <on|off>', 'by e-mail', parseOnOff],
    ['--local <on|off>', 'on connected screens', parseOnOff],
  ],
  async run({ api, output }, { push, email, local, ...options }) {
    if (push === undefined && email === undefined && local === undefined) {
      throw usageError('Pass --push, --email or --local, each with on or off.');
    }
    const inventory = await loadInventory(api);
    const choice = { pushEnabled: push, emailEnabled: email, localEnabled: local };
    const body = { ...scopeOf(options, inventory), ...choice };
    const preference = await api.send<NotificationPreference>('POST', `${PATH}/preferences`, body);
    output.done(preference, preferenceText(preference, inventory));
  },
});

const resetPreference = defineCommand({
  name: 'reset',
  description: 'delete a choice, so that the more general one applies',
  options: SCOPE_OPTIONS,
  async run({ api, output }, options) {
    const path = withQuery(`${PATH}/preferences`, scopeOf(options, await loadInventory(api)));
    const answer = await api.send<{ existed: boolean }>('DELETE', path);
    output.done(answer, answer.existed ? 'Deleted the choice.' : 'There is no such choice.');
  },
});

const clearHistory = defineCommand({
  name: 'clear',
  description: 'delete the history of notifications',
  async run({ api, output }) {
    const answer = await api.send<{ deleted: number }>('DELETE', PATH);
    output.done(answer, `Deleted: ${answer.deleted}.`);
  },
});

/** `hearthd notification …`: notifications and their channels. */
export const notificationCommand = defineCommand({
  name: 'notification',
  description: 'list notifications, test channels, or choose channels',
  notes: [
    'Channels: local (connected screens), push (ntfy_url in the configuration) and email (smtp_url).',
    'The choice for an automation overrides that for its home, which overrides the general one.',
  ],
  examples: [
    'hearthd notification test "Hello"',
    'hearthd notification press last close',
    'hearthd notification set --push on --email off',
    'hearthd notification set --home Cottage --email on',
    'hearthd notification reset --home Cottage',
  ],
  commands: [
    listNotifications,
    pressButton,
    testChannels,
    listPreferences,
    setPreference,
    resetPreference,
    clearHistory,
  ],
});

function scopeOf(
  { home, automation }: Options<typeof SCOPE_OPTIONS>,
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
