import { Command } from 'commander';
import type { InvitedMember, Member } from '../../contract/members.ts';
import { findAccount } from '../accounts.ts';
import { type Cli, examples, HOME_OPTION } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import { EXIT } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';

const MEMBER_ARGUMENT = ['<member>', 'address, name or id'] as const;

const STATUSES: Readonly<Record<string, string>> = {
  active: 'member',
  awaiting_acceptance: 'invited',
  awaiting_signup: 'invited, no account yet',
};

/** `hearthd member …`: the members of a home and their permissions. */
export function memberCommand(cli: Cli): Command {
  const command = new Command('member')
    .description('list, invite or remove members of a home, or change their roles')
    .addHelpText(
      'after',
      examples(
        'hearthd member invite grace@example.org --role control',
        'hearthd member role Grace admin',
        'hearthd member remove Grace --home Cottage',
      ),
    );
  for (const add of [addList, addInvite, addRole, addRemove]) add(command, cli);
  return command;
}

function addList(command: Command, cli: Cli): void {
  command
    .command('list')
    .description('list members and invitations')
    .option(...HOME_OPTION)
    .action(
      cli.run(async ({ api, output }, { home }: { home?: string }) => {
        const members = await listMembers(api, (await loadInventory(api)).home(home).id);
        const rows = members.map(({ name, email, role, status, id }) => [
          name,
          email,
          role,
          STATUSES[status] ?? status,
          id,
        ]);
        const head = ['Name', 'Address', 'Role', 'Status', 'Id'];
        output.result(members, () => output.table(head, rows, 'No members. Invite one with hearthd member invite.'));
        return EXIT.ok;
      }),
    );
}

function addInvite(command: Command, cli: Cli): void {
  command
    .command('invite')
    .description('invite a member by e-mail address; without an account, they sign up with the printed link')
    .argument('<address>')
    .requiredOption('--role <role>', 'role: owner, admin, control or view')
    .option(...HOME_OPTION)
    .action(
      cli.run(async ({ api, output }, email: string, { role, home }: { role: string; home?: string }) => {
        const { id, name } = (await loadInventory(api)).home(home);
        const invited = await api.send<InvitedMember>('POST', `/rest/homes/${id}/members`, { email, role });
        output.result(invited, () => {
          const { invitation } = invited;
          if (!invitation) {
            output.line(`Invited ${invited.member.email} to ${name}. They accept after they sign in.`);
            return;
          }
          output.note(
            `Invited ${invited.member.email} to ${name}. Send them this link. It is shown only once and expires in seven days:`,
          );
          output.line(invitation.url);
        });
        return EXIT.ok;
      }),
    );
}

function addRole(command: Command, cli: Cli): void {
  command
    .command('role')
    .description('change the role of a member')
    .argument(...MEMBER_ARGUMENT)
    .argument('<role>', 'owner, admin, control or view')
    .option(...HOME_OPTION)
    .action(
      cli.run(async ({ api, output }, text: string, role: string, { home }: { home?: string }) => {
        const { id, name } = (await loadInventory(api)).home(home);
        const { id: memberId } = await findMember(api, id, text);
        const path = `/rest/homes/${id}/members/${memberId}`;
        const member = await api.send<Member>('PATCH', path, { role });
        output.result(member, () => output.line(`${member.email} is now ${member.role} in ${name}.`));
        return EXIT.ok;
      }),
    );
}

function addRemove(command: Command, cli: Cli): void {
  command
    .command('remove')
    .description('remove a member or cancel an invitation')
    .argument(...MEMBER_ARGUMENT)
    .option(...HOME_OPTION)
    .action(
      cli.run(async ({ api, output }, text: string, { home }: { home?: string }) => {
        const { id, name } = (await loadInventory(api)).home(home);
        const member = await findMember(api, id, text);
        const answer = await api.send('DELETE', `/rest/homes/${id}/members/${member.id}`);
        output.result(answer, () => output.line(`Removed ${member.email} from ${name}.`));
        return EXIT.ok;
      }),
    );
}

function listMembers(api: ApiClient, homeId: string): Promise<readonly Member[]> {
  return api.get<Member[]>(`/rest/homes/${homeId}/members`);
}

async function findMember(api: ApiClient, homeId: string, text: string): Promise<Member> {
  return findAccount(await listMembers(api, homeId), text, 'hearthd member list');
}
