import { Command } from 'commander';
import { type Cli, examples, repeated } from '../action.ts';
import type { TokenResource } from '../api-resources.ts';
import { EXIT, usageError } from '../exit-codes.ts';
import { parseExpiry } from '../expiry.ts';
import { type House, loadHouse } from '../house.ts';
import { whenText } from '../output.ts';
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
    .description('create a token and show it, this once')
    .argument('<name>', 'what it is for')
    .option('--home <home=level>', 'limit it to this home: control or view (repeatable; default: all homes)', repeated)
    .option('--expires <when>', 'when it ends: 12h, 30d, 1y, or a date such as 2027-01-31')
    .action(
      cli.run(async ({ api, output }, name: string, options: { home?: readonly string[]; expires?: string }) => {
        const homePermissions = options.home ? parseLimits(options.home, await loadHouse(api)) : undefined;
        const expiresAt =
          options.expires === undefined ? undefined : new Date(parseExpiry(options.expires, Date.now())).toISOString();
        const answer = await api.send<{ token: string }>('POST', '/rest/tokens', { name, homePermissions, expiresAt });
        output.result(answer, () => {
          output.note('This token is shown only now. Send it as "Authorization: Bearer …":');
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
        const tokens = await api.get<TokenResource[]>('/rest/tokens');
        const names = new Map((await loadHouse(api)).homes.map(({ id, name }) => [id, name]));
        const rows = tokens.map((token) => [
          token.name,
          `${token.tokenPrefix}…`,
          limitsText(token, names),
          statusOf(token, Date.now()),
          whenText(token.lastUsedAt),
          token.id,
        ]);
        const head = ['Name', 'Token', 'Homes', 'Status', 'Last used', 'Id'];
        output.result(tokens, () => output.table(head, rows, 'There are no tokens. hearthd token create makes one.'));
        return EXIT.ok;
      }),
    );
  command
    .command('revoke')
    .description('end a token at once')
    .argument('<token>', 'name, id or the first characters')
    .action(
      cli.run(async ({ api, output }, text: string) => {
        const token = findToken(await api.get<TokenResource[]>('/rest/tokens'), text);
        const answer = await api.send('DELETE', `/rest/tokens/${token.id}`);
        output.result(answer, () => output.line(`Token ${token.name} (${token.tokenPrefix}…) is revoked.`));
        return EXIT.ok;
      }),
    );
  return command;
}

function parseLimits(limits: readonly string[], house: House): Readonly<Record<string, string>> {
  return Object.fromEntries(
    limits.map((limit) => {
      const at = limit.lastIndexOf('=');
      const level = limit.slice(at + 1);
      if (at < 1 || (level !== 'control' && level !== 'view')) {
        throw usageError(`--home takes NAME=view or NAME=control, not "${limit}".`);
      }
      return [house.home(limit.slice(0, at)).id, level];
    }),
  );
}

function limitsText({ homePermissions }: TokenResource, names: ReadonlyMap<string, string>): string {
  if (homePermissions === null) return 'all';
  return Object.entries(homePermissions)
    .map(([id, level]) => `${names.get(id) ?? id}=${level}`)
    .join(', ');
}

function statusOf({ revokedAt, expiresAt }: TokenResource, now: number): string {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'active';
  return new Date(expiresAt).getTime() <= now ? 'expired' : `active until ${whenText(expiresAt)}`;
}

/** Active ones win over revoked ones of the same name. */
function findToken(tokens: readonly TokenResource[], text: string): TokenResource {
  const wanted = text.toLowerCase();
  const byId = tokens.find(({ id }) => id === wanted);
  if (byId) return byId;
  const matches = tokens.filter(
    ({ name, tokenPrefix, revokedAt }) =>
      revokedAt === null && (name.toLowerCase() === wanted || tokenPrefix === text || text.startsWith(tokenPrefix)),
  );
  return requireOne(matches, text, {
    noun: 'token',
    none: `There is no active token "${text}". hearthd token list shows what there is.`,
    lineOf: ({ id, tokenPrefix }) => `${id}   (${tokenPrefix}…)`,
  });
}
