/** Members of homes, and invitations. The operation parses addresses: who has none is invited by name. */
import { z } from 'zod';
import { ROLE } from './account-fields.ts';
import { flag, id, success, text, time, word } from './fields.ts';
import type { Output } from './parse.ts';

export const NewMember = z.strictObject({
  email: text('The e-mail address, with an account or without one yet.'),
  role: ROLE,
});
export const MemberChanges = z.strictObject({ role: ROLE });

export const Member = z
  .object({
    id: id('For a member that of the user, otherwise that of the invitation.'),
    homeId: id(),
    userId: id('Null until a user signs up with the address.').nullable(),
    email: text('Their address.', 'grace@example.org'),
    name: text('Null until they sign up.').nullable(),
    role: ROLE,
    status: word(['awaiting_signup', 'awaiting_acceptance', 'active']),
    isPending: flag('Whether they have yet to accept.', true),
    createdAt: time('When they were invited or became a member.'),
  })
  .meta({ id: 'Member' });
export type Member = Output<typeof Member>;

export const InvitedMember = success({
  member: Member,
  invitation: z
    .object({
      code: text('The code of the invitation.', 'dGhlIGNvZGUgaXRzZWxm'),
      url: text('The page that takes it.', 'http://192.168.1.5:5656/invite/dGhlIGNvZGUgaXRzZWxm'),
      expiresAt: time('Until when it can be accepted.', '2030-02-07T12:00:00.000Z'),
    })
    .describe('For people without an account; null for others, who see it when they sign in.')
    .nullable(),
});
export type InvitedMember = Output<typeof InvitedMember>;

export const RemovedMember = success({ homeId: id(), memberId: id() });

export const Invitation = z
  .object({
    id: id(),
    homeId: id(),
    homeName: text('The home’s name.', 'My Home'),
    role: ROLE,
    inviterName: text('Null: the command line.', 'Ada').nullable(),
    createdAt: time('When it was sent.'),
    expiresAt: time('Until when it can be accepted.', '2030-02-07T12:00:00.000Z'),
  })
  .meta({ id: 'Invitation' });
export type Invitation = Output<typeof Invitation>;

export const RejectedInvitation = success({ homeId: id() });
