import { z } from 'zod';
import {
  Invitation,
  InvitedMember,
  Member,
  MemberChanges,
  NewMember,
  RejectedInvitation,
  RemovedMember,
} from '../../../contract/members.ts';
import type { Resource } from '../operation.ts';

const ROLES_RULE = 'Only owners of the home make admins and owners or change theirs; one owner stays.';
const MEMBER_PATH = {
  id: 'The home’s id.',
  memberId: 'The member’s id: for a member that of the user, otherwise that of the invitation.',
};

export const members: Resource = {
  tag: 'Members',
  description: 'Who may do what in a home.',
  operations: [
    {
      method: 'get',
      path: '/rest/homes/:id/members',
      id: 'listMembers',
      summary: 'The members of a home, and who is invited',
      audience: 'admin',
      answer: { description: 'The members.', schema: z.array(Member) },
    },
    {
      method: 'post',
      path: '/rest/homes/:id/members',
      id: 'inviteMember',
      summary: 'Invite a person',
      description: `For seven days. A relay sends no mails: the person who invites passes \`url\` on to people without an account. ${ROLES_RULE}`,
      audience: 'admin, signed in',
      body: {
        schema: NewMember,
        examples: { Person: { email: 'grace@example.org', role: 'control' } },
      },
      answer: {
        description: 'Who is invited, and with what they sign up: this once only.',
        schema: InvitedMember,
      },
    },
    {
      method: 'patch',
      path: '/rest/homes/:id/members/:memberId',
      id: 'setMemberRole',
      summary: 'Give a member another role',
      description: ROLES_RULE,
      audience: 'admin, signed in',
      pathParameters: MEMBER_PATH,
      body: { schema: MemberChanges, examples: { Admin: { role: 'admin' } } },
      answer: { description: 'The member.', schema: Member },
    },
    {
      method: 'delete',
      path: '/rest/homes/:id/members/:memberId',
      id: 'removeMember',
      summary: 'Remove a member, or take an invitation back',
      description: 'Members may remove themselves; the last owner stays.',
      audience: 'admin, signed in',
      pathParameters: MEMBER_PATH,
      answer: {
        description: 'Done.',
        schema: RemovedMember,
      },
      errors: [422],
    },
    {
      method: 'get',
      path: '/rest/invitations',
      id: 'listInvitations',
      summary: 'The caller’s invitations',
      audience: 'token',
      answer: {
        description: 'Those that are not answered.',
        schema: z.array(Invitation),
      },
    },
    {
      method: 'post',
      path: '/rest/invitations/:homeId/accept',
      id: 'acceptInvitation',
      summary: 'Become a member of a home',
      audience: 'session',
      pathParameters: { homeId: 'The home’s id.' },
      answer: {
        description: 'As a member.',
        schema: Member,
      },
      errors: [422],
    },
    {
      method: 'post',
      path: '/rest/invitations/:homeId/reject',
      id: 'rejectInvitation',
      summary: 'Decline an invitation',
      audience: 'session',
      pathParameters: { homeId: 'The home’s id.' },
      answer: {
        description: 'Done.',
        schema: RejectedInvitation,
      },
    },
  ],
};
