/** Access tokens (API §5.1). Only the answer to the creation contains the whole token. */
import { z } from 'zod';
import { EXAMPLE_ID, id, name, success, text, time } from './fields.ts';
import { ENDING, MadeThing } from './made-things.ts';
import type { Input, Output } from './parse.ts';

/** What clients give: the operation parses it. */
export const PERMISSIONS = {
  type: 'object',
  additionalProperties: { type: 'string', enum: ['control', 'view'] },
} as const;

/** What clients get. @param none the meaning of `null`. */
export function homePermissions(none: string) {
  return z
    .record(z.string(), z.enum(['control', 'view']))
    .meta({ description: `From home ids to \`control\` or \`view\`; ${none}.`, examples: [{ [EXAMPLE_ID]: 'view' }] })
    .nullable();
}

/** The operation parses the permissions and the time. */
export const NewToken = z.strictObject({
  name: name('Token name', { example: 'Wall panel' }),
  homePermissions: z
    .unknown()
    .meta({
      description: 'What the token may do in which home. Left out or `null`: as much as its maker.',
      anyOf: [PERMISSIONS, { type: 'string', description: 'The same object as JSON text.' }, { type: 'null' }],
    })
    .optional(),
  expiresAt: z
    .unknown()
    .meta({
      description: 'With a time zone. Left out or `null`: never.',
      type: ['string', 'null'],
      format: 'date-time',
    })
    .optional(),
});
export type NewToken = Input<typeof NewToken>;

export const AccessToken = z
  .object({
    id: id(),
    name: text('For people.', 'Wall panel'),
    tokenPrefix: text('The first eleven characters, to distinguish tokens.', 'hc_3fK9xQ2b'),
    homePermissions: homePermissions('null: no limit of its own'),
    createdAt: time('When it was created.'),
    lastUsedAt: time('When it was used last, to the minute; null if it never was.').nullable(),
    expiresAt: time('When it expires; null: never.').nullable(),
    revokedAt: time('When it was revoked; null: it is active.').nullable(),
    made: z
      .array(MadeThing)
      .meta({ description: 'What it made, or changed, that goes on without it.', examples: [[]] }),
  })
  .meta({ id: 'AccessToken' });
export type AccessToken = Output<typeof AccessToken>;

export const CreatedToken = success({
  token: text('The whole token. It is never shown again.', 'hc_3fK9xQ2b…'),
  accessToken: AccessToken,
});

export const RevokedToken = success({ tokenId: id(), ...ENDING });
export type RevokedToken = Output<typeof RevokedToken>;
