/** What an app or an access token created that outlives it. */
import { z } from 'zod';
import { id, text, word } from './fields.ts';
import type { Output } from './parse.ts';

export const MadeThing = z
  .object({
    kind: word(
      ['share', 'flow', 'mqtt_broker', 'webhook', 'access_token'],
      'A flow is one with a webhook trigger or a request.',
    ),
    id: id(),
    name: text('For people.', 'Guests'),
    homeId: id('Null for what belongs to no home.').nullable(),
  })
  .meta({ id: 'MadeThing' });
export type MadeThing = Output<typeof MadeThing>;

/** The answer when an app or a token ends. */
export const ENDING = {
  made: z.array(MadeThing).describe('What it made, or changed: it goes on, or has ended now (`hasEndedWhatItMade`).'),
  hasEndedWhatItMade: z.boolean().describe('Whether what it made has ended with it.'),
};
