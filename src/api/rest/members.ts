/** The members of a home, and invitations to it. */
import { Hono } from 'hono';
import type { Members } from '../../app/users/members.ts';
import { type InvitedMember, MemberChanges, NewMember } from '../../contract/members.ts';
import type { ApiEnv } from '../env.ts';
import type { GuardOptions } from '../guards.ts';
import { presentInvitation, presentMember } from '../present/member.ts';
import { presentTime } from '../present/time.ts';
import { readInput } from '../read-body.ts';
import { answerJson } from '../respond.ts';
import { linkOrigin } from '../share-url.ts';

export interface MemberRoutesDeps {
  readonly members: Members;
  readonly guards: GuardOptions;
}

/** Below `/homes`. */
export function memberRoutes({ members, guards }: MemberRoutesDeps): Hono<ApiEnv> {
  const originOf = linkOrigin(guards);
  return new Hono<ApiEnv>()
    .get('/:id/members', (c) => answerJson(members.list(c.get('caller'), c.req.param('id')).map(presentMember)))
    .post('/:id/members', async (c) => {
      const { email, role } = await readInput(c, NewMember);
      const invited = members.invite(c.get('caller'), { homeId: c.req.param('id'), email, role });
      const answer: InvitedMember = {
        success: true,
        member: presentMember(invited.member),
        invitation: invited.invitation && {
          code: invited.invitation.code,
          url: `${originOf(c)}/invite/${invited.invitation.code}`,
          expiresAt: presentTime(invited.invitation.expiresAt),
        },
      };
      return answerJson(answer);
    })
    .patch('/:id/members/:memberId', async (c) => {
      const { role } = await readInput(c, MemberChanges);
      const { id: homeId, memberId } = c.req.param();
      return answerJson(presentMember(members.setRole(c.get('caller'), { homeId, memberId, role })));
    })
    .delete('/:id/members/:memberId', (c) => {
      const { id: homeId, memberId } = c.req.param();
      members.remove(c.get('caller'), { homeId, memberId });
      return answerJson({ success: true, homeId: homeId.toLowerCase(), memberId: memberId.toLowerCase() });
    });
}

export function invitationRoutes({ members }: { readonly members: Members }): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(members.pending(c.get('caller')).map(presentInvitation)))
    .post('/:homeId/accept', (c) => {
      const member = members.accept(c.get('caller'), c.req.param('homeId'));
      return answerJson(presentMember(member));
    })
    .post('/:homeId/reject', (c) => {
      members.reject(c.get('caller'), c.req.param('homeId'));
      return answerJson({ success: true, homeId: c.req.param('homeId').toLowerCase() });
    });
}
