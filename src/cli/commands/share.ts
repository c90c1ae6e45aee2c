import { Command } from 'commander';
import type { Share } from '../../contract/shares.ts';
import { type Cli, examples } from '../action.ts';
import { EXIT, usageError } from '../exit-codes.ts';
import { parseExpiry } from '../expiry.ts';
import { qrLines } from '../output.ts';
import { PASSCODE, readNewSecret, stdinOption } from '../read-secret.ts';
import { findShare, findThing, kindOf, THING_KINDS } from '../shared-things.ts';
import type { Terminal } from '../terminal.ts';

const SHARE_ARGUMENT = ['<share>', 'id or name'] as const;

interface ShareOptions {
  readonly role?: string;
  readonly name?: string;
  readonly passcode?: true;
  readonly passcodeStdin?: true;
  readonly schedule?: string;
  readonly expires?: string;
  readonly always?: true;
  readonly requirePost?: boolean;
}

/** `hearthd share …`: links for people who are not members of a home. */
export function shareCommand(cli: Cli): Command {
  const command = new Command('share')
    .description('list, create, change or delete share links, or show one as a QR code')
    .addHelpText(
      'after',
      examples(
        'hearthd share create room "Living Room" --role control --name Guests',
        'hearthd share create accessory "Hall/Front Door" --role control --passcode --expires 2d',
        'hearthd share create home Cottage --role view --user grace@example.org',
        'hearthd share qr Guests',
      ),
    );
  for (const add of [addList, addCreate, addUpdate, addDelete, addQr]) add(command, cli);
  return command;
}

/** The common options of `create` and `update`. */
function withOptions(command: Command): Command {
  return command
    .option('--name <name>', 'name')
    .option('--passcode', 'require a passcode (prompts for it)')
    .option(...stdinOption(PASSCODE))
    .option('--expires <when>', 'expiry: 12h, 30d, or a date such as 2027-01-31')
    .option(
      '--schedule <json>',
      'schedule: {"starts_at", "expires_at", "time_windows": [{"days": ["mon"], "start": "08:00", "end": "18:00"}], "timezone"}',
    );
}

function addList(command: Command, cli: Cli): void {
  command
    .command('list')
    .description('list all shares, or those of one item')
    .argument('[kind]', THING_KINDS)
    .argument('[thing]', 'name or id')
    .action(
      cli.run(async ({ api, output }, kind: string | undefined, text: string | undefined, _options: object) => {
        if (kind !== undefined && text === undefined) throw usageError(`Pass the name of the ${kind}, too.`);
        const thing = kind === undefined || text === undefined ? undefined : await findThing(kind, text, api);
        const query = thing && { entityType: thing.entityType, entityId: thing.entityId };
        const shares = await api.get<Share[]>('/rest/shares', query);
        const rows = shares.map((share) => [
          `${kindOf(share)} ${share.entityName ?? '(gone)'}`,
          whomOf(share),
          share.role,
          share.accessSchedule === null ? 'always' : 'by schedule',
          share.name,
          share.id,
          share.shareUrl,
        ]);
        const head = ['Shared', 'With', 'Role', 'Open', 'Name', 'Id', 'Link'];
        output.result(shares, () => output.table(head, rows, 'No shares. Create one with hearthd share create.'));
        return EXIT.ok;
      }),
    );
}

function addCreate(command: Command, cli: Cli): void {
  withOptions(
    command
      .command('create')
      .description(
        'create a share and print its link; anyone with the link can use it unless you set a passcode or user',
      )
      .argument('<kind>', THING_KINDS)
      .argument('<thing>', 'name or id')
      .requiredOption('--role <role>', 'view or control')
      .option('--user <address>', 'only for this user, after signing in')
      .option('--require-post', 'do not let GET requests change anything (default: GET may not open, unlock or disarm)')
      .option('--no-require-post', 'let GET requests change everything, including locks and doors'),
  ).action(
    cli.run(async ({ api, output }, kind: string, text: string, options: ShareOptions & { user?: string }) => {
      const { entityType, entityId, name } = await findThing(kind, text, api);
      const passcode = await readPasscode(cli.terminal, options);
      if (passcode !== undefined && options.user !== undefined) throw usageError('Pass either --user or a passcode.');
      const share = await api.send<Share>('POST', '/rest/shares', {
        entityType,
        entityId,
        accessType: options.user !== undefined ? 'user' : passcode !== undefined ? 'passcode' : 'public',
        role: options.role,
        userEmail: options.user,
        passcode,
        name: options.name,
        accessSchedule: scheduleOf(options),
        requirePost: options.requirePost,
      });
      output.result(share, () => {
        output.note(`Shared ${name} with ${whomOf(share)} (${share.role}):`);
        output.line(share.shareUrl);
      });
      return EXIT.ok;
    }),
  );
}

function addUpdate(command: Command, cli: Cli): void {
  withOptions(
    command
      .command('update')
      .description('change a share and keep its link')
      .argument(...SHARE_ARGUMENT)
      .option('--role <role>', 'view or control')
      .option('--always', 'remove the schedule')
      .option('--require-post', 'do not let GET requests change anything')
      .option('--no-require-post', 'let GET requests change everything, including locks and doors'),
  ).action(
    cli.run(async ({ api, output }, text: string, options: ShareOptions) => {
      const { id } = await findShare(text, api);
      const changes = {
        role: options.role,
        name: options.name,
        passcode: await readPasscode(cli.terminal, options),
        accessSchedule: options.always ? null : scheduleOf(options),
        requirePost: options.requirePost,
      };
      if (Object.values(changes).every((change) => change === undefined)) throw usageError('Pass at least one option.');
      const share = await api.send<Share>('PATCH', `/rest/shares/${id}`, changes);
      output.result(share, () => output.line(`Updated the share of ${titleOf(share)}.`));
      return EXIT.ok;
    }),
  );
}

function addDelete(command: Command, cli: Cli): void {
  command
    .command('delete')
    .description('delete a share; deleting the last share of an item also ends its link permanently')
    .argument(...SHARE_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string, _options: object) => {
        const share = await findShare(text, api);
        const answer = await api.send('DELETE', `/rest/shares/${share.id}`);
        output.result(answer, () => output.line(`Deleted the share of ${titleOf(share)}.`));
        return EXIT.ok;
      }),
    );
}

function addQr(command: Command, cli: Cli): void {
  command
    .command('qr')
    .description('show the link of a share as a QR code')
    .argument(...SHARE_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string, _options: object) => {
        const share = await findShare(text, api);
        const qr = await qrLines(share.shareUrl);
        output.result({ shareUrl: share.shareUrl }, () => {
          for (const line of qr) output.line(line);
          output.line(share.shareUrl);
        });
        return EXIT.ok;
      }),
    );
}

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
