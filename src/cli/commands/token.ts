import { Command } from 'commander';
import type { AccessToken } from '../../contract/access-tokens.ts';
import type { MadeThing } from '../../contract/made-things.ts';
import { type Cli, examples, repeated } from '../action.ts';
import { withQuery } from '../api-client.ts';
import { EXIT, usageError } from '../exit-codes.ts';
import { parseExpiry } from '../expiry.ts';
import { type Inventory, loadInventory } from '../inventory.ts';
import { madeLines } from '../made-things.ts';
import type { Output } from '../output.ts';
import { requireOne } from '../require-one.ts';

/** `hearthd token …`: access tokens for scripts and clients of the API. */
export function tokenCommand(cli: Cli): Command {
  const command = new Command('token')
    .description('create, list or revoke access tokens')
    .addHelpText(
      'after',
      examples(
        'hearthd token create "Wall panel"',
        'hearthd token create Guest --home Cottage=view --expires 30d',
        'hearthd token revoke "Wall panel"',
      ),
    );
  command
    .command('create')
    .description('create a token and show it once')
    .argument('<name>', 'name')
    .option('--home <home=level>', 'limit it to this home: control or view (repeatable; default: all homes)', repeated)
    .option('--expires <when>', 'expiry: 12h, 30d, 1y, or a date such as 2027-01-31')
    .action(
      cli.run(async ({ api, output }, name: string, options: { home?: readonly string[]; expires?: string }) => {
        const homePermissions = options.home ? parseLimits(options.home, await loadInventory(api)) : undefined;
        const expiresAt =
          options.expires === undefined ? undefined : new Date(parseExpiry(options.expires, Date.now())).toISOString();
        const answer = await api.send<{ token: string }>('POST', '/rest/tokens', { name, homePermissions, expiresAt });
        output.result(answer, () => {
          output.note('This token is shown only once. Send it as "Authorization: Bearer …":');
          output.line(answer.token);
        });
        return EXIT.ok;
      }),
    );
  command
    .command('list')
    .description('list the tokens')
    .action(
      cli.run(async ({ api, output }) => {
        const tokens = await api.get<AccessToken[]>('/rest/tokens');
        const names = new Map((await loadInventory(api)).homes.map(({ id, name }) => [id, name]));
        const rows = tokens.map((token) => [
          token.name,
          `${token.tokenPrefix}…`,
          limitsText(token, names),
          statusOf(token, Date.now(), output),
          output.when(token.lastUsedAt),
          token.id,
        ]);
        const head = ['Name', 'Token', 'Homes', 'Status', 'Last used', 'Id'];
        output.result(tokens, () => output.table(head, rows, 'No tokens. Create one with hearthd token create.'));
        return EXIT.ok;
      }),
    );
  command
    .command('revoke')
    .description('revoke a token')
    .argument('<token>', 'name, id or first characters')
    .option('--end-what-it-made', 'also delete the shares, automations, webhooks and tokens that it created')
    .action(
      cli.run(async ({ api, output }, text: string, { endWhatItMade }: { endWhatItMade?: boolean }) => {
        const token = findToken(await api.get<AccessToken[]>('/rest/tokens'), text);
        const path = withQuery(`/rest/tokens/${token.id}`, { endWhatItMade: endWhatItMade ? 'true' : undefined });
        const answer = await api.send<{ readonly made: readonly MadeThing[] }>('DELETE', path);
        output.result(answer, () => {
          output.line(`Revoked the token ${token.name} (${token.tokenPrefix}…).`);
          if (answer.made.length === 0) return;
          const lines = madeLines(answer.made);
          if (endWhatItMade) output.note(`Deleted with it:\n${lines}`);
          else {
            const command = `hearthd token revoke ${token.id} --end-what-it-made`;
            output.note(`It created these, and they still work:\n${lines}\nTo delete them too: ${command}`);
          }
        });
        return EXIT.ok;
      }),
    );
  return command;
}

function parseLimits(limits: readonly string[], inventory: Inventory): Readonly<Record<string, string>> {
  return Object.fromEntries(
    limits.map((limit) => {
      const at = limit.lastIndexOf('=');
      const level = limit.slice(at + 1);
      if (at < 1 || (level !== 'control' && level !== 'view')) {
        throw usageError(`--home takes NAME=view or NAME=control, not "${limit}".`);
      }
      return [inventory.home(limit.slice(0, at)).id, level];
    }),
  );
}

function limitsText({ homePermissions }: AccessToken, names: ReadonlyMap<string, string>): string {
  if (homePermissions === null) return 'all';
  return Object.entries(homePermissions)
    .map(([id, level]) => `${names.get(id) ?? id}=${level}`)
    .join(', ');
}

function statusOf({ revokedAt, expiresAt }: AccessToken, now: number, output: Output): string {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'active';
  return new Date(expiresAt).getTime() <= now ? 'expired' : `active until ${output.when(expiresAt)}`;
}

/** Active tokens take precedence over revoked ones of the same name. */
function findToken(tokens: readonly AccessToken[], text: string): AccessToken {
  const wanted = text.toLowerCase();
  const byId = tokens.find(({ id }) => id === wanted);
  if (byId) return byId;
  const matches = tokens.filter(
    ({ name, tokenPrefix, revokedAt }) =>
      revokedAt === null && (name.toLowerCase() === wanted || tokenPrefix === text || text.startsWith(tokenPrefix)),
  );
  return requireOne(matches, text, {
    noun: 'token',
    none: `No active token "${text}".`,
    shownBy: 'hearthd token list lists them.',
    names: tokens.flatMap(({ name, revokedAt }) => (revokedAt === null ? [name] : [])),
    lineOf: ({ id, tokenPrefix }) => `${id}   (${tokenPrefix}…)`,
  });
}
