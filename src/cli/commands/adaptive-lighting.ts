import type { AdaptiveAccessory, AdaptiveLighting } from '../../contract/adaptive-lighting.ts';
import { ADAPTIVE_SETTINGS, type AdaptiveSetting } from '../../home/adaptive-lighting/setting.ts';
import { HOME_OPTION } from '../action.ts';
import { type CommandBuilder, defineCommand } from '../define-command.ts';
import { loadInventory } from '../inventory.ts';
import type { CommandOutput } from '../output.ts';

const SETTING = ['<setting>', 'inherit: as the level above', ADAPTIVE_SETTINGS] as const;

const pathOf = (homeId: string): string => `/rest/homes/${homeId}/adaptive-lighting`;

const status = defineCommand({
  name: 'status',
  description: 'show the settings of a home, and which lamps follow the day',
  options: [HOME_OPTION],
  async run({ api, output }, options) {
    const inventory = await loadInventory(api);
    const home = inventory.home(options.home);
    const lighting = await api.get<AdaptiveLighting>(pathOf(home.id));
    const nameOf = (id: string): string => inventory.accessory(id).name;
    output.result(lighting, () => show(output, lighting, nameOf));
  },
});

const set = defineCommand({
  name: 'set',
  description: 'change the settings of a home',
  options: [
    HOME_OPTION,
    ['--warmest <mireds>', 'colour temperature of the night', Number],
    ['--coldest <mireds>', 'colour temperature of noon', Number],
    ['--wake <time>', 'when the household wakes, HH:MM'],
    ['--sleep <time>', 'when it goes to sleep, HH:MM'],
    ['--pause-hours <hours>', 'how long a colour that someone sets stays, or none: until the lamp is off'],
  ],
  async run({ api, output }, { home: text, pauseHours, ...others }) {
    const changes = { ...others, ...(pauseHours !== undefined && { pauseHours: hoursOf(pauseHours) }) };
    const home = (await loadInventory(api)).home(text);
    const lighting = await api.send<AdaptiveLighting>('PATCH', pathOf(home.id), changes);
    output.done(lighting, `${home.name}: ${summaryOf(lighting)}.`);
  },
});

const room = defineCommand({
  name: 'room',
  description: 'set whether the lamps of a room follow the day',
  arguments: [['<room>', 'name, "Home/Room", slug key or id'], SETTING],
  async run({ api, output }, text, setting) {
    const { id, name } = (await loadInventory(api)).room(text);
    const lighting = await api.send<AdaptiveLighting>('PATCH', `/rest/rooms/${id}/adaptive-lighting`, { setting });
    output.done(lighting, `${name}: ${WORDS[setting]}.`);
  },
});

const lamp = defineCommand({
  name: 'lamp',
  description: 'set whether a lamp follows the day, and end its pause',
  arguments: [['<accessory>', 'name, "Room/Accessory", slug key or id'], SETTING],
  async run({ api, output }, text, setting) {
    const { id, name } = (await loadInventory(api)).accessory(text);
    const path = `/rest/accessories/${id}/adaptive-lighting`;
    const answer = await api.send<AdaptiveAccessory>('PATCH', path, { setting });
    output.done(answer, `${name}: ${WORDS[setting]}.`);
  },
});

/** `hearthd adaptive-lighting …`: lamps whose colour temperature follows the day. */
export const adaptiveLightingCommand = defineCommand({
  name: 'adaptive-lighting',
  description: 'manage lamps whose colour temperature follows the day',
  examples: [
    'hearthd adaptive-lighting on',
    'hearthd adaptive-lighting set --wake 06:30 --sleep 23:00',
    'hearthd adaptive-lighting room Bathroom off',
    'hearthd adaptive-lighting lamp "Desk Lamp" on',
  ],
  commands: [
    status,
    homeSwitch('on', 'let the lamps of a home follow the day'),
    homeSwitch('off', 'let only rooms and lamps follow the day that are set so'),
    set,
    room,
    lamp,
  ],
});

const WORDS: Readonly<Record<AdaptiveSetting, string>> = {
  on: 'follows the day',
  off: 'does not follow the day',
  inherit: 'is as the level above',
};

function homeSwitch(name: 'on' | 'off', description: string): CommandBuilder {
  return defineCommand({
    name,
    description,
    options: [HOME_OPTION],
    async run({ api, output }, options) {
      const home = (await loadInventory(api)).home(options.home);
      const lighting = await api.send<AdaptiveLighting>('PATCH', pathOf(home.id), { enabled: name === 'on' });
      output.done(lighting, `${home.name}: ${summaryOf(lighting)}.`);
    },
  });
}

function hoursOf(text: string): number | null {
  return text === 'none' ? null : Number(text);
}

function summaryOf({ enabled, coldest, warmest, wake, sleep }: AdaptiveLighting): string {
  return `${enabled ? 'on' : 'off'}, ${coldest} to ${warmest} mireds, awake from ${wake} to ${sleep}`;
}

function show(output: CommandOutput, lighting: AdaptiveLighting, nameOf: (accessoryId: string) => string): void {
  output.line(`Home: ${summaryOf(lighting)}; now ${lighting.mireds} mireds`);
  const rows = lighting.lamps.map(({ accessoryId, setting, status, runBy, pausedUntil }) => [
    nameOf(accessoryId),
    setting,
    status,
    runBy,
    pausedUntil ?? '',
  ]);
  output.table(['Lamp', 'Setting', 'Status', 'Run by', 'Paused until'], rows, 'No lamp with a colour temperature.');
}
