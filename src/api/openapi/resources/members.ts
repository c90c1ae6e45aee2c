import { MemberChanges, NewMember } from '../../rest/members.ts';
import { arrayOf, flag, id, object, oneOf, orNull, ref, success, text, time } from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { HOME_ID } from './homes.ts';
import { USER } from './me.ts';

const MEMBER = {
  id: '5c8d0b57-8a17-4f6d-9d8e-2f6c5b1a7e42',
  homeId: HOME_ID,
  userId: null,
  email: 'grace@example.org',
  name: null,
  role: 'control',
  status: 'awaiting_signup',
  isPending: true,
  createdAt: '2030-01-31T12:00:00.000Z',
};
const INVITATION = {
  id: MEMBER.id,
  homeId: HOME_ID,
  homeName: 'My Home',
  role: 'control',
  inviterName: 'Ada',
  createdAt: '2030-01-31T12:00:00.000Z',
  expiresAt: '2030-02-07T12:00:00.000Z',
};
const CODE = 'dGhlIGNvZGUgaXRzZWxm';
const ROLE = oneOf(['owner', 'admin', 'control', 'view']);
const ROLES_RULE = 'Only owners of the home make admins and owners or change theirs; one owner stays.';
const MEMBER_PATH = {
  id: 'The home’s id.',
  memberId: 'The member’s id: of somebody who is one the user’s, else the invitation’s.',
};

export const members: Resource = {
  tag: 'Members',
  description: 'Who may do what in a home.',
  schemas: {
    Member: object({
      id: id('Of a member the user’s, of somebody who is invited the invitation’s.'),
      homeId: id(),
      userId: orNull(id('`null` while nobody has signed up with the address.')),
      email: text(),
      name: orNull(text()),
      role: ROLE,
      status: oneOf(['awaiting_signup', 'awaiting_acceptance', 'active']),
      isPending: flag('Whether they have yet to accept.'),
      createdAt: time('When they were invited or became a member.'),
    }),
    Invitation: object({
      id: id(),
      homeId: id(),
      homeName: text(),
      role: ROLE,
      inviterName: orNull(text('`null`: the command line.')),
      createdAt: time(),
      expiresAt: time('Until when it can be accepted.'),
    }),
  },
  operations: [
    {
      method: 'get',
      path: '/rest/homes/:id/members',
      id: 'listMembers',
      summary: 'The members of a home, and who is invited',
      audience: 'admin',
      answer: { description: 'The members.', schema: arrayOf(ref('Member')), example: [MEMBER] },
    },
    {
      method: 'post',
      path: '/rest/homes/:id/members',
      id: 'inviteMember',
      summary: 'Invite somebody',
      description: `For seven days. A relay sends no mails: somebody without an account is given \`url\` by whoever invites them. ${ROLES_RULE}`,
      audience: 'admin, signed in',
      body: {
        schema: NewMember,
        fields: { email: 'Whom.', role: ROLE },
        examples: { Somebody: { email: 'grace@example.org', role: 'control' } },
      },
      answer: {
        description: 'Who is invited, and with what they sign up: this once only.',
        schema: success({
          member: ref('Member'),
          invitation: orNull(
            object({
              code: text('For signing up.'),
              url: text('The page to sign up on.'),
              expiresAt: time(),
            }),
          ),
        }),
        example: {
          success: true,
          member: MEMBER,
          invitation: { code: CODE, url: `http://hearth.local:5656/invite/${CODE}`, expiresAt: INVITATION.expiresAt },
        },
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
      body: { schema: MemberChanges, fields: { role: ROLE }, examples: { Admin: { role: 'admin' } } },
      answer: { description: 'The member.', schema: ref('Member'), example: MEMBER },
    },
    {
      method: 'delete',
      path: '/rest/homes/:id/members/:memberId',
      id: 'removeMember',
      summary: 'Remove a member, or take an invitation back',
      description: 'Anybody may remove themselves; the last owner stays.',
      audience: 'admin, signed in',
      pathParameters: MEMBER_PATH,
      answer: {
        description: 'Done.',
        schema: success({ homeId: id(), memberId: id() }),
        example: { success: true, homeId: HOME_ID, memberId: MEMBER.id },
      },
      errors: [422],
    },
    {
      method: 'get',
      path: '/rest/invitations',
      id: 'listInvitations',
      summary: 'Invitations to whoever asks',
      audience: 'token',
      answer: {
        description: 'Those that are not answered.',
        schema: arrayOf(ref('Invitation')),
        example: [INVITATION],
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
        schema: ref('Member'),
        example: { ...MEMBER, id: USER.id, userId: USER.id, status: 'active', isPending: false },
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
        schema: success({ homeId: id() }),
        example: { success: true, homeId: HOME_ID },
      },
    },
  ],
};
