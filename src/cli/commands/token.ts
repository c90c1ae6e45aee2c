import type { AccessToken } from '../../contract/access-tokens.ts';
import type { MadeThing } from '../../contract/made-things.ts';
import { repeated } from '../action.ts';
import { withQuery } from '../api-client.ts';
import { defineCommand } from '../define-command.ts';
import { usageError } from '../exit-codes.ts';
import { parseExpiry } from '../expiry.ts';
import { type Inventory, loadInventory } from '../inventory.ts';
import { madeLines } from '../made-things.ts';
import type { CommandOutput } from '../output.ts';
import { requireOne } from '../require-one.ts';

/** `hearthd token …`: access tokens for scripts and clients of the API. */
export const tokenCommand = defineCommand({
  name: 'token',
  description: 'create, list or revoke access tokens',
  examples: [
    'hearthd token create "Wall panel"',
    'hearthd token create Guest --home Cottage=view --expires 30d',
    'hearthd token revoke "Wall panel"',
  ],
  commands: [
    defineCommand({
      name: 'create',
      description: 'create a token and show it once',
      arguments: [['<name>', 'name']],
      options: [
        ['--home <home=level>', 'limit it to this home: control or view (repeatable; default: all homes)', repeated],
        ['--expires <when>', 'expiry: 12h, 30d, 1y, or a date such as 2027-01-31'],
      ],
      async run({ api, output }, name, { home, expires }) {
        const homePermissions = home && parseLimits(home, await loadInventory(api));
        const expiresAt = expires === undefined ? undefined : new Date(parseExpiry(expires, Date.now())).toISOString();
        const answer = await api.send<{ token: string }>('POST', '/rest/tokens', { name, homePermissions, expiresAt });
        output.result(answer, () => {
          output.note('This token is shown only once. Send it as "Authorization: Bearer …":');
          output.line(answer.token);
        });
      },
    }),
    defineCommand({
      name: 'list',
      description: 'list the tokens',
      async run({ api, output }) {
        const tokens = await api.get<AccessToken[]>('/rest/tokens');
        const names = new Map((await loadInventory(api)).homes.map(({ id, name }) => [id, name]));
        output.list(
          tokens,
          (token) => ({
            Name: token.name,
            Token: `${token.tokenPrefix}…`,
            Homes: limitsText(token, names),
            Status: statusOf(token, Date.now(), output),
            'Last used': output.when(token.lastUsedAt),
            Id: token.id,
          }),
          'No tokens. Create one with hearthd token create.',
        );
      },
    }),
    defineCommand({
      name: 'revoke',
      description: 'revoke a token',
      arguments: [['<token>', 'name, id or first characters']],
      options: [['--end-what-it-made', 'also delete the shares, automations, webhooks and tokens that it created']],
      async run({ api, output }, text, { endWhatItMade }) {
        const token = findToken(await api.get<AccessToken[]>('/rest/tokens'), text);
        const path = withQuery(`/rest/tokens/${token.id}`, { endWhatItMade: endWhatItMade ? 'true' : undefined });
        const answer = await api.send<{ readonly made: readonly MadeThing[] }>('DELETE', path);
        output.result(answer, () => {
          output.line(`Revoked the token ${token.name} (${token.tokenPrefix}…).`);
          if (answer.made.length === 0) return;
          const lines = madeLines(answer.made);
          const command = `hearthd token revoke ${token.id} --end-what-it-made`;
          if (endWhatItMade) output.note(`Deleted with it:\n${lines}`);
          else output.note(`It created these, and they still work:\n${lines}\nTo delete them too: ${command}`);
        });
      },
    }),
  ],
});

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

function statusOf({ revokedAt, expiresAt }: AccessToken, now: number, output: CommandOutput): string {
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
