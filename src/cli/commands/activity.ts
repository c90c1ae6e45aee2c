import type { ActivityReport } from '../../contract/activity.ts';
import { ACTIVITY_KINDS, ACTOR_KINDS, type ActorKind, MAX_ACTIVITY } from '../../home/vocabulary/activity-words.ts';
import { defineCommand } from '../define-command.ts';
import { EXIT, usageError } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';

const PATH = '/rest/activity';

const ACTOR_WORDS: Readonly<Record<ActorKind, string>> = {
  user: 'person',
  person: 'person',
  access_token: 'token',
  app: 'app',
  share_link: 'share link',
  automation: 'automation',
  mqtt_broker: 'MQTT',
  publication: 'publication',
  relay: 'relay or command line',
  device: 'the device itself',
};

/** `hearthd activity`: who did what in the home. */
export const activityCommand = defineCommand({
  name: 'activity',
  description: 'show who did what, and when',
  notes: ['Recorded while the history of a home is enabled, and kept for 90 days.'],
  examples: [
    'hearthd activity',
    'hearthd activity --accessory "Front Door" --limit 10',
    'hearthd activity --by automation --kind power',
    'hearthd activity --csv > activity.csv',
  ],
  options: [
    ['--home <home>', 'only in this home'],
    ['--room <room>', 'only in this room'],
    ['--accessory <accessory>', 'only of this accessory'],
    ['--by <kind>', `only by actors of this kind: ${ACTOR_KINDS.join(', ')}`],
    ['--actor <id>', 'only by the actor with this id'],
    ['--kind <kind>', `only about this: ${ACTIVITY_KINDS.join(', ')}`],
    ['--before <id>', 'only entries before the one with this id'],
    ['--limit <number>', `number (default: 50, maximum: ${MAX_ACTIVITY})`],
    ['--csv', 'print everything that matches as CSV'],
  ],
  async run({ api, output }, options) {
    if (options.csv && output.json) throw usageError('Pass either --csv or --json.');
    const inventory = await loadInventory(api);
    const home = options.home === undefined ? undefined : inventory.home(options.home);
    const query = {
      home: home?.id,
      room: options.room === undefined ? undefined : inventory.room(options.room, home).id,
      accessory: options.accessory === undefined ? undefined : inventory.accessory(options.accessory).id,
      actor_kind: options.by,
      actor: options.actor,
      kind: options.kind,
    };
    if (options.csv) {
      await api.download(PATH, { ...query, format: 'csv' }, (text) => output.terminal.out(text));
      return EXIT.ok;
    }
    const { before, limit } = options;
    output.list(
      await api.get<ActivityReport[]>(PATH, { ...query, before, limit }),
      (one) => ({
        When: output.when(one.at, inventory.zoneOf(one)),
        What: one.subject.name,
        Room: one.roomName,
        Value: one.value,
        By: byText(one),
      }),
      'No activity.',
    );
    return EXIT.ok;
  },
});

function byText({ actor: { kind, name }, subject }: ActivityReport): string {
  // What came home, or ran by itself.
  if (name === subject.name) return '';
  return name === null ? ACTOR_WORDS[kind] : `${name} (${ACTOR_WORDS[kind]})`;
}
