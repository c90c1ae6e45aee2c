import { readdirSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { IS_MUTATION_RUN } from '../../mutation/tests-variable.ts';
import { E2eRelay } from '../../support/e2e-relay.ts';

it.skipIf(IS_MUTATION_RUN)(
  'a whole daemon records, goes on after a restart, and restarts where its history is damaged',
  async () => {
    await using relay = await E2eRelay.start();
    const ask = async (method: string, path: string, body?: object) => {
      const answer = await relay.asSystem(method, path, body);
      expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
      return answer.body;
    };
    const [home] = await ask('GET', '/rest/homes');
    const lamp = { homeId: home.id, name: 'Night', type: 'input_boolean' };
    const { id } = await ask('POST', '/rest/virtual-accessories', lamp);
    const set = (operation: string) => ask('POST', `/rest/virtual-accessories/${id}/operate`, { operation });
    const transitions = async () => {
      const { series } = await ask('GET', `/rest/history?accessory=${id}`);
      // Where the window opens with a state, that one is no transition.
      return series.map(({ transitions: all }: { transitions: [string, string][] }) => all.map(([, state]) => state));
    };

    await set('turn_on');
    await ask('PATCH', `/rest/history/homes/${home.id}`, { enabled: true });
    await set('turn_off');
    // The window ends before the millisecond in which it is asked for.
    await expect.poll(transitions).toEqual([['on', 'off']]);

    await relay.stop();
    expect(readdirSync(relay.directory.path)).toContain('history.db');
    await relay.start();
    await set('turn_on');
    await expect.poll(transitions).toEqual([['on', 'off', 'on']]);

    await relay.stop();
    writeFileSync(relay.directory.file('history.db'), 'what a failing disk made of it'.repeat(1_000));
    await relay.start();
    await expect.poll(transitions).toEqual([['on']]);
    expect(readdirSync(relay.directory.path).some((name) => name.startsWith('history.db.damaged-'))).toBe(true);
  },
);
