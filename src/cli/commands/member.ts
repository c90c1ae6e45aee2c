import type { Home } from '../../contract/homes.ts';
import type { InvitedMember, Member } from '../../contract/members.ts';
import { findAccount } from '../accounts.ts';
import { HOME_OPTION } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import { defineCommand, REQUIRED } from '../define-command.ts';
import { loadInventory } from '../inventory.ts';
import { change, type ResourceRow, remove } from '../resource-commands.ts';

const STATUSES: Readonly<Record<string, string>> = {
  active: 'member',
  awaiting_acceptance: 'invited',
  awaiting_signup: 'invited, no account yet',
};

const MEMBER: ResourceRow<Member & { readonly home: Home }, readonly [typeof HOME_OPTION]> = {
  argument: ['<member>', 'address, name or id'],
  options: [HOME_OPTION],
  async find(api, text, options) {
    const home = (await loadInventory(api)).home(options?.home);
    return { ...findAccount(await listMembers(api, home), text, 'hearthd member list'), home };
  },
  path: ({ id, home }) => `${membersPath(home)}/${id}`,
};

/** `hearthd member …`: the members of a home and their permissions. */
export const memberCommand = defineCommand({
  name: 'member',
  description: 'list, invite or remove members of a home, or change their roles',
  examples: [
    'hearthd member invite grace@example.org --role control',
    'hearthd member role Grace admin',
    'hearthd member remove Grace --home Cottage',
  ],
  commands: [
    defineCommand({
      name: 'list',
      description: 'list members and invitations',
      options: [HOME_OPTION],
      async run({ api, output }, { home }) {
        output.list(
          await listMembers(api, (await loadInventory(api)).home(home)),
          ({ name, email, role, status, id }) => ({
            Name: name,
            Address: email,
            Role: role,
            Status: STATUSES[status] ?? status,
            Id: id,
          }),
          'No members. Invite one with hearthd member invite.',
        );
      },
    }),
    defineCommand({
      name: 'invite',
      description: 'invite a member by e-mail address; without an account, they sign up with the printed link',
      arguments: [['<address>']],
      options: [['--role <role>', 'role: owner, admin, control or view', REQUIRED], HOME_OPTION],
      async run({ api, output }, email, { role, home }) {
        const inHome = (await loadInventory(api)).home(home);
        const invited = await api.send<InvitedMember>('POST', membersPath(inHome), { email, role });
        const to = `Invited ${invited.member.email} to ${inHome.name}.`;
        output.result(invited, () => {
          const { invitation } = invited;
          if (!invitation) return output.line(`${to} They accept after they sign in.`);
          output.note(`${to} Send them this link. It is shown only once and expires in seven days:`);
          output.line(invitation.url);
        });
      },
    }),
    change(MEMBER, {
      name: 'role',
      description: 'change the role of a member',
      arguments: [['<role>', 'owner, admin, control or view']],
      body: (role) => ({ role }),
      done: ({ email, role }: Member, { home }) => `${email} is now ${role} in ${home.name}.`,
    }),
    remove(MEMBER, {
      name: 'remove',
      description: 'remove a member or cancel an invitation',
      done: ({ email, home }) => `Removed ${email} from ${home.name}.`,
    }),
  ],
});

function membersPath({ id }: Home): string {
  return `/rest/homes/${id}/members`;
}

export function listMembers(api: ApiClient, home: Home): Promise<readonly Member[]> {
  return api.get<Member[]>(membersPath(home));
}
