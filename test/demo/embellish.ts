/** What the home itself adds to its devices, made through the public API: virtual accessories, a group, a scene, history. */
import type { ApiClient } from '../../src/cli/api-client.ts';

interface Item {
  readonly id: string;
  readonly name: string;
  readonly type?: string;
}

const SCENE = 'Movie Night';

/** A second run on the same data directory finds everything there and adds nothing. */
export async function embellish(api: ApiClient, homeId: string, accessories: readonly Item[]): Promise<void> {
  const virtual = await api.get<Item[]>('/rest/virtual-accessories', { home: homeId });
  const make = async (name: string, more: object): Promise<void> => {
    if (virtual.some((one) => one.name === name)) return;
    await api.send('POST', '/rest/virtual-accessories', { homeId, name, ...more });
  };
  await make('Guests', { type: 'input_boolean' });
  await make('House Mode', { type: 'input_select', options: ['Home', 'Away', 'Night'], initialValue: 'Home' });
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
}
