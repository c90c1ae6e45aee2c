import type { Share } from '../../contract/shares.ts';
import { defineCommand, type Options, REQUIRED } from '../define-command.ts';
import { requireChange, usageError } from '../exit-codes.ts';
import { parseExpiry } from '../expiry.ts';
import { findThing, kindOf, SHARE, THING_KINDS } from '../find-things.ts';
import { qrLines } from '../output.ts';
import { PASSCODE, readNewSecret, stdinOption } from '../read-secret.ts';
import { remove } from '../resource-commands.ts';
import type { Terminal } from '../terminal.ts';

/** The common options of `create` and `update`. */
const SHARE_OPTIONS = [
  ['--name <name>', 'name'],
  ['--passcode', 'require a passcode (prompts for it)'],
  stdinOption(PASSCODE),
  ['--expires <when>', 'expiry: 12h, 30d, or a date such as 2027-01-31'],
  [
    '--schedule <json>',
    'schedule: {"starts_at", "expires_at", "time_windows": [{"days": ["mon"], "start": "08:00", "end": "18:00"}], "timezone"}',
  ],
] as const;

type ShareOptions = Options<typeof SHARE_OPTIONS>;

const listShares = defineCommand({
  name: 'list',
  description: 'list all shares, or those of one item',
  arguments: [
    ['[kind]', THING_KINDS],
    ['[thing]', 'name or id'],
  ],
  async run({ api, output }, kind, text) {
    if (kind !== undefined && text === undefined) throw usageError(`Pass the name of the ${kind}, too.`);
    const thing = kind === undefined || text === undefined ? undefined : await findThing(kind, text, api);
    const query = thing && { entityType: thing.entityType, entityId: thing.entityId };
    output.list(
      await api.get<Share[]>('/rest/shares', query),
      (share) => ({
        Shared: `${kindOf(share)} ${share.entityName ?? '(gone)'}`,
        With: whomOf(share),
        Role: share.role,
        Open: share.accessSchedule === null ? 'always' : 'by schedule',
        Name: share.name,
        Id: share.id,
        Link: share.shareUrl,
      }),
      'No shares. Create one with hearthd share create.',
    );
  },
});

const createShare = defineCommand({
  name: 'create',
  description: 'create a share and print its link; anyone with the link can use it unless you set a passcode or user',
  arguments: [
    ['<kind>', THING_KINDS],
    ['<thing>', 'name or id'],
  ],
  options: [
    ['--role <role>', 'view or control', REQUIRED],
    ['--user <address>', 'only for this user, after signing in'],
    ['--require-post', 'do not let GET requests change anything (default: GET may not open, unlock or disarm)'],
    ['--no-require-post', 'let GET requests change everything, including locks and doors'],
    ...SHARE_OPTIONS,
  ],
  async run({ api, output }, kind, text, { role, user, requirePost, ...options }) {
    const { entityType, entityId, name } = await findThing(kind, text, api);
    const passcode = await readPasscode(output.terminal, options);
    if (passcode !== undefined && user !== undefined) throw usageError('Pass either --user or a passcode.');
    const share = await api.send<Share>('POST', '/rest/shares', {
      entityType,
      entityId,
      accessType: user !== undefined ? 'user' : passcode !== undefined ? 'passcode' : 'public',
      role,
      userEmail: user,
      passcode,
      name: options.name,
      accessSchedule: scheduleOf(options),
      requirePost,
    });
    output.result(share, () => {
      output.note(`Shared ${name} with ${whomOf(share)} (${share.role}):`);
      output.line(share.shareUrl);
    });
  },
});

const updateShare = defineCommand({
  name: 'update',
  description: 'change a share and keep its link',
  arguments: [SHARE.argument],
  options: [
    ['--role <role>', 'view or control'],
    ['--always', 'remove the schedule'],
    ['--require-post', 'do not let GET requests change anything'],
    ['--no-require-post', 'let GET requests change everything, including locks and doors'],
    ...SHARE_OPTIONS,
  ],
  async run({ api, output }, text, { role, always, requirePost, ...options }) {
    const path = SHARE.path(await SHARE.find(api, text));
    const changes = requireChange({
      role,
      name: options.name,
      passcode: await readPasscode(output.terminal, options),
      accessSchedule: always ? null : scheduleOf(options),
      requirePost,
    });
    const share = await api.send<Share>('PATCH', path, changes);
    output.done(share, `Updated the share of ${titleOf(share)}.`);
  },
});

const showQr = defineCommand({
  name: 'qr',
  description: 'show the link of a share as a QR code',
  arguments: [SHARE.argument],
  async run({ api, output }, text) {
    const { shareUrl } = await SHARE.find(api, text);
    const qr = await qrLines(shareUrl);
    output.result({ shareUrl }, () => {
      for (const line of [...qr, shareUrl]) output.line(line);
    });
  },
});

/** `hearthd share …`: links for people who are not members of a home. */
export const shareCommand = defineCommand({
  name: 'share',
  description: 'list, create, change or delete share links, or show one as a QR code',
  examples: [
    'hearthd share create room "Living Room" --role control --name Guests',
    'hearthd share create accessory "Hall/Front Door" --role control --passcode --expires 2d',
    'hearthd share create home Cottage --role view --user grace@example.org',
    'hearthd share qr Guests',
  ],
  commands: [
    listShares,
    createShare,
    updateShare,
    remove(SHARE, {
      description: 'delete a share; deleting the last share of an item also ends its link permanently',
      done: (share) => `Deleted the share of ${titleOf(share)}.`,
    }),
    showQr,
  ],
});

/** @returns `undefined` without a passcode. @throws `CliError` no terminal for a prompt, or an empty input */
async function readPasscode(
  terminal: Terminal,
  { passcode, passcodeStdin }: ShareOptions,
): Promise<string | undefined> {
  return passcode || passcodeStdin ? readNewSecret(terminal, PASSCODE, passcodeStdin ?? false) : undefined;
}

/** The daemon validates the schedule. */
function scheduleOf({ schedule, expires }: ShareOptions): unknown {
  if (schedule !== undefined && expires !== undefined) {
    throw usageError('Pass either --schedule or --expires. A schedule has its own "expires_at".');
  }
  if (expires === undefined) return schedule;
  return { expires_at: new Date(parseExpiry(expires, Date.now())).toISOString() };
}

function whomOf({ accessType, userEmail }: Share): string {
  if (accessType === 'user') return userEmail ?? 'a user';
  return accessType === 'passcode' ? 'anyone with the passcode' : 'anyone with the link';
}

function titleOf(share: Share): string {
  return `${kindOf(share)} ${share.entityName ?? '(gone)'} (${share.name ?? share.id})`;
}
