/**
 * The members of a home with their roles, and the invitations to it. Existing clients name a member by their address.
 */
import { Invitation, Member, MemberChanges, NewMember } from '../../contract/members.ts';
import type { Home } from '../../home/model.ts';
import { HearthError } from '../../kernel/errors.ts';
import { presentInvitation, presentMember } from '../present/member.ts';
import { presentTime } from '../present/time.ts';
import { originOfLinks } from '../share-url.ts';
import type { Maybe } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import type { GraphqlContext } from './context.ts';
import { argumentsOf, fieldsOf } from './contract-fields.ts';
import { CachedHome } from './homes.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';

const HomeMember = builder.objectRef<Member>('HomeMember').implement({
  description: 'A member of a home, or a person invited to be one.',
  fields: (t) => fieldsOf(t, Member),
});

const PendingInvitation = builder.objectRef<Invitation>('PendingInvitation').implement({
  description: 'An invitation to the caller that they have not answered.',
  fields: (t) => fieldsOf(t, Invitation),
});

const HomeMemberResult = builder
  .objectRef<ActionResult & { readonly member: Member | null }>('HomeMemberResult')
  .implement({
    description: 'A member as they are now.',
    interfaces: [MutationResult],
    fields: (t) => ({ member: t.expose('member', { type: HomeMember, description: 'The member.' }) }),
  });

interface Invited {
  readonly member: Member | null;
  readonly invitationCode: string | null;
  readonly invitationUrl: string | null;
  readonly expiresAt: number | null;
}

const NO_INVITATION: Invited = { member: null, invitationCode: null, invitationUrl: null, expiresAt: null };

const InviteHomeMemberResult = builder.objectRef<ActionResult & Invited>('InviteHomeMemberResult').implement({
  description: 'Who is invited. A relay sends no mails: the person who invites passes the address or the code on.',
  interfaces: [MutationResult],
  fields: (t) => ({
    member: t.expose('member', { type: HomeMember, description: 'As they are listed until they accept.' }),
    invitationCode: t.exposeString('invitationCode', {
      description: 'For `signup`, this once only; null for people with an account, who accept there.',
    }),
    invitationUrl: t.exposeString('invitationUrl', { description: 'The page where they sign up with it.' }),
    expiresAt: t.string({
      description: 'Until when, ISO 8601.',
      resolve: ({ expiresAt }) => presentTime(expiresAt),
    }),
  }),
});

const InvitationResult = builder.objectRef<ActionResult & { readonly homeId: string }>('InvitationResult').implement({
  description: 'Whether an invitation was answered, or a member removed.',
  interfaces: [MutationResult],
  fields: (t) => ({ homeId: t.exposeString('homeId', { description: 'The home.' }) }),
});

const MEMBER_ARGUMENTS = {
  memberId: 'The member’s id, or their invitation’s; either this or `email`.',
  email: 'Their address.',
} as const;

/**
 * The member that arguments name, by id or address.
 * @throws `invalid_request` neither · `user_not_found` no member has this address · what listing members throws
 */
function memberIdOf({ caller, deps }: GraphqlContext, homeId: string, who: NamedMember): string {
  const { memberId, email } = who;
  if (typeof memberId === 'string') return memberId;
  if (typeof email !== 'string') {
    throw new HearthError('invalid_request', 'Give "memberId" or "email" of the member.', { field: 'memberId' });
  }
  const wanted = email.trim().toLowerCase();
  const member = deps.members.list(caller, homeId).find((candidate) => candidate.email.toLowerCase() === wanted);
  if (!member) throw new HearthError('user_not_found', `${email} is not a member of this home.`, { field: 'email' });
  return member.id;
}

interface NamedMember {
  readonly memberId?: Maybe<string>;
  readonly email?: Maybe<string>;
}

builder.queryFields((t) => ({
  homeMembers: t.field({
    type: [HomeMember],
    nullable: LIST,
    description: 'The members of a home and those who are invited. For admins of the home.',
    args: { homeId: t.arg.string({ required: true }) },
    resolve: (_, { homeId }, { caller, deps }) => deps.members.list(caller, homeId).map(presentMember),
  }),
  pendingInvitations: t.field({
    type: [PendingInvitation],
    nullable: LIST,
    description: 'Invitations to the user that the caller acts for.',
    resolve: (_, __, { caller, deps }) => deps.members.pending(caller).map(presentInvitation),
  }),
  mySharedHomes: t.field({
    type: [CachedHome],
    nullable: LIST,
    description: 'Those of the homes that the caller may see in which they are not the owner.',
    resolve: (_, __, { caller, deps, request }): readonly Home[] =>
      request.homes().filter(({ id }) => deps.access.roleIn(caller, id) !== 'owner'),
  }),
}));

builder.mutationFields((t) => ({
  inviteHomeMember: t.field({
    type: InviteHomeMemberResult,
    description:
      'Invites a person into a home, for seven days. For admins of the home; only its owners make admins and owners.',
    args: {
      homeId: t.arg.string({ required: true }),
      ...argumentsOf(t.arg, NewMember),
    },
    resolve: (_, { homeId, email, role }, { caller, deps, webhookOrigin }) =>
      reportOutcome<Invited, Invited>(() => {
        const { member, invitation } = deps.members.invite(caller, { homeId, email, role });
        return {
          member: presentMember(member),
          invitationCode: invitation?.code ?? null,
          invitationUrl: invitation ? `${originOfLinks(deps.guards, webhookOrigin)}/invite/${invitation.code}` : null,
          expiresAt: invitation?.expiresAt ?? null,
        };
      }, NO_INVITATION),
  }),
  updateHomeMemberRole: t.field({
    type: HomeMemberResult,
    description:
      'Gives a member another role. For admins of the home; only its owners give or take the roles owner and admin, and one owner stays.',
    args: {
      homeId: t.arg.string({ required: true }),
      memberId: t.arg.string({ description: MEMBER_ARGUMENTS.memberId }),
      email: t.arg.string({ description: MEMBER_ARGUMENTS.email }),
      ...argumentsOf(t.arg, MemberChanges),
    },
    resolve: (_, { homeId, role, ...who }, context) =>
      reportOutcome<{ member: Member | null }, { member: null }>(
        () => ({
          member: presentMember(
            context.deps.members.setRole(context.caller, {
              homeId,
              memberId: memberIdOf(context, homeId, who),
              role,
            }),
          ),
        }),
        { member: null },
      ),
  }),
  removeHomeMember: t.field({
    type: InvitationResult,
    description: 'Removes a member or takes an invitation back. For admins of the home; members may remove themselves.',
    args: {
      homeId: t.arg.string({ required: true }),
      memberId: t.arg.string({ description: MEMBER_ARGUMENTS.memberId }),
      email: t.arg.string({ description: MEMBER_ARGUMENTS.email }),
    },
    resolve: (_, { homeId, ...who }, context) =>
      reportOutcome(
        () => {
          context.deps.members.remove(context.caller, { homeId, memberId: memberIdOf(context, homeId, who) });
          return { homeId };
        },
        { homeId },
      ),
  }),
}));

builder.mutationFields((t) => {
  const answerInvitation = (description: string, act: (context: GraphqlContext, homeId: string) => unknown) =>
    t.field({
      type: InvitationResult,
      description,
      args: { homeId: t.arg.string({ required: true }) },
      resolve: (_, { homeId }, context) =>
        reportOutcome(
          () => {
            act(context, homeId);
            return { homeId };
          },
          { homeId },
        ),
    });
  const accept = ({ caller, deps }: GraphqlContext, homeId: string) => deps.members.accept(caller, homeId);
  const reject = ({ caller, deps }: GraphqlContext, homeId: string) => deps.members.reject(caller, homeId);
  return {
    acceptHomeInvitation: answerInvitation('Becomes a member of a home that the caller is invited to.', accept),
    acceptPendingInvitation: answerInvitation('The same as `acceptHomeInvitation`.', accept),
    rejectHomeInvitation: answerInvitation('Declines an invitation.', reject),
    rejectPendingInvitation: answerInvitation('The same as `rejectHomeInvitation`.', reject),
    dismissHome: t.boolean({
      description: 'Leaves a home that the caller is a member of. Its last owner can’t.',
      args: { homeId: t.arg.string({ required: true }) },
      resolve: (_, { homeId }, { caller, deps }) => {
        deps.members.remove(caller, { homeId, memberId: deps.users.me(caller).id });
        return true;
      },
    }),
  };
});
