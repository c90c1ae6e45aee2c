/** What an app or an access token created that outlives it. */
import { arrayOf, id, object, oneOf, orNull, ref, text } from '../json-schema.ts';
import { HOME_ID } from './homes.ts';

export const MADE_THING = object({
  kind: oneOf(
    ['share', 'flow', 'mqtt_broker', 'webhook', 'access_token'],
    'Flows: those with a webhook trigger or a request.',
  ),
  id: id(),
  name: text(),
  homeId: orNull(id('`null` for what belongs to no home.')),
});

export const MADE_THINGS = arrayOf(ref('MadeThing'));

export const MADE = [
  { kind: 'share', id: '0c7f3c26-7c5b-4c3f-9a53-6f0a4f6b1d22', name: 'Guests', homeId: HOME_ID },
] as const;
