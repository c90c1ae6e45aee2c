/**
 * What the home itself adds to its devices, made through the public API: virtual accessories, a group, a scene,
 * history, automations.
 */
import type { ApiClient } from '../../src/cli/api-client.ts';

interface Item {
  readonly id: string;
  readonly name: string;
  readonly type?: string;
}

const SCENE = 'Movie Night';
/** The Royal Observatory: the demo's sun has to rise somewhere. */
const GREENWICH = { latitude: 51.4779, longitude: -0.0015 };

/** A second run on the same data directory finds everything there and adds nothing. */
export async function embellish(api: ApiClient, homeId: string, accessories: readonly Item[]): Promise<void> {
  const virtual = await api.get<Item[]>('/rest/virtual-accessories', { home: homeId });
  const make = async (name: string, more: object): Promise<void> => {
    if (virtual.some((one) => one.name === name)) return;
    await api.send('POST', '/rest/virtual-accessories', { homeId, name, ...more });
  };
  await make('Guests', { type: 'input_boolean' });
  await make('Home Mode', { type: 'input_select', options: ['Home', 'Away', 'Night'], initialValue: 'Home' });
  await make('Egg Timer', { type: 'timer', duration: 300 });

  const lamps = accessories.filter(({ type }) => type === 'light').map(({ id }) => id);
  const groups = await api.get<Item[]>('/rest/service-groups', { home: homeId });
  if (groups.length === 0) {
    await api.send('POST', '/rest/service-groups', { homeId, name: 'All Lamps', accessoryIds: lamps });
  }

  const scenes = await api.get<Item[]>('/rest/scenes', { home: homeId });
  if (!scenes.some(({ name }) => name === SCENE)) {
    const actions = lamps.map((accessoryId) => ({
      accessoryId,
      characteristicType: 'public.hap.characteristic.on',
      targetValue: false,
    }));
    await api.send('POST', '/rest/scenes', { homeId, name: SCENE, actions });
  }
  await api.send('PATCH', `/rest/history/homes/${homeId}`, { enabled: true });
  await automate(api, homeId, accessories);
}

/** One automation of each shape: a flow that lights the way for a minute, and a native one at sunset. */
async function automate(api: ApiClient, homeId: string, accessories: readonly Item[]): Promise<void> {
  await api.send('PATCH', `/rest/homes/${homeId}`, { timeZone: 'Europe/London', location: GREENWICH });
  const idOf = (name: string): string => {
    const found = accessories.find((accessory) => accessory.name.startsWith(name));
    if (!found) throw new Error(`the daemon lists no ${name}`);
    return found.id;
  };
  const isNew = async (path: string, name: string): Promise<boolean> =>
    !(await api.get<Item[]>(path, { home: homeId })).some((one) => one.name === name);

  const light = { accessoryId: idOf('Ceiling Light'), characteristicType: 'on' };
  if (await isNew('/rest/flows', 'Light the way')) {
    await api.send('POST', '/rest/flows', {
      homeId,
      name: 'Light the way',
      mode: 'restart',
      triggers: [
        { type: 'state', accessoryId: idOf('Motion Sensor'), characteristicType: 'motion_detected', to: true },
      ],
      actions: [
        { type: 'set_characteristic', ...light, value: true },
        { type: 'delay', duration: { minutes: 1 } },
        { type: 'set_characteristic', ...light, value: false },
      ],
    });
  }
  if (await isNew('/rest/automations', 'Evening')) {
    await api.send('POST', '/rest/automations', {
      homeId,
      name: 'Evening',
      trigger: { type: 'event', events: [{ type: 'significantTime', significantEvent: 'sunset', offsetMinutes: -15 }] },
      actions: [{ accessoryId: idOf('Reading Lamp'), characteristicType: 'on', targetValue: true }],
    });
  }
}
