/** The built daemon reads YAML in a worker thread, which is a file of its own in the build. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BuiltDaemon, type BuiltProgram, buildProgram } from '../support/built-daemon.ts';

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program[Symbol.dispose]());

const IMPORT = 'mutation ($homeId: String!, $data: String!) { importFlow(homeId: $homeId, data: $data) { id name } }';

async function importFlow(daemon: BuiltDaemon, data: string): Promise<string> {
  const homes = await daemon.asSystem('POST', '/graphql', { query: '{ homes { id } }' });
  const [homeId] = /[0-9a-f-]{36}/.exec(JSON.stringify(homes.body)) ?? [];
  const { body } = await daemon.asSystem('POST', '/graphql', { query: IMPORT, variables: { homeId, data } });
  return JSON.stringify(body);
}

it('the built daemon imports a flow from YAML, reports where a fault is, and stops in the middle of one', async () => {
  await using daemon = await BuiltDaemon.start({ program });
  expect(await importFlow(daemon, 'hearthd: flow/1\nname: Tea\nactions: []\n')).toContain('"name":"Tea"');
  expect(await importFlow(daemon, 'hearthd: flow/1\nname: [a\nactions: []\n')).toMatch(/at line \d+, column \d+/);
  const underWay = importFlow(daemon, `a: ${'"x" '.repeat(50_000)}`).catch(() => {});
  process.kill(daemon.pid, 'SIGTERM');
  expect(await daemon.ended).toBe(0);
  await underWay;
});
