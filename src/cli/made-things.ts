import type { MadeThing } from '../contract/made-things.ts';

const KINDS: Readonly<Record<string, string>> = {
  share: 'the share',
  flow: 'the automation',
  mqtt_broker: 'the MQTT broker',
  webhook: 'the webhook',
  access_token: 'the access token',
};

/** One line per item: `the share "Guests"`. */
export function madeLines(made: readonly MadeThing[]): string {
  return made.map(({ kind, name }) => `  ${KINDS[kind] ?? kind} "${name}"`).join('\n');
}
