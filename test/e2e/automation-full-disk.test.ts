/**
 * A disk that fills up under the daemon: automations go on between genuine accessories, and what they did is known once
 * there is room.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BuiltDaemon, buildProgram } from '../support/built-daemon.ts';
import { eventually } from '../support/e2e-relay.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { AutomationClient } from './automation-fixture.ts';
import { AutomationHome, HOME_NAMES } from './automation-home.ts';

const PRESSES = 3;

it('control and automations go on, and all is saved again once there is room', async ({ skip }) => {
  using directory = createTempDirectory('automation-full');
  const data = directory.file('data');
  mkdirSync(data);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m,mode=700', 'none', data], { stdio: 'ignore' });
  } catch {
    skip('this user may not mount a file system');
  }
  using _mount = { [Symbol.dispose]: () => execFileSync('umount', ['-l', data]) };
  using program = buildProgram();
  await using inventory = await AutomationHome.start();
  inventory.share({ ...directory, file: (...names) => directory.file('data', ...names) });
  await using daemon = await BuiltDaemon.start({ program, directory });
  const client = new AutomationClient(daemon);
  await client.begin();
  await client.untilReachable(HOME_NAMES, 30_000);
  const press = { accessoryId: client.id('Button'), characteristicType: 'programmable_switch_event', to: 0 };
  const follow = await client.save({
    name: 'Follow',
    mode: 'parallel',
    triggers: [{ type: 'state', ...press }],
    actions: [client.dim('Echo', 50), { type: 'delay', duration: { seconds: 1 } }, client.dim('Echo', 51)],
  });
  const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();
  await client.save({
    name: 'Moment',
    triggers: [{ type: 'timer', fireDate: inSeconds(4) }],
    actions: [client.dim('Spare', 52)],
  });

  fill(`${data}/filler`);
  expect(await client.save({ name: 'No Room' }).catch((error: Error) => error.message)).toMatch(/The disk is full/);
  const written = (value: number): number => inventory.written('Echo').filter((one) => one === value).length;
  for (let n = 1; n <= PRESSES; n += 1) {
    inventory.press('Button');
    await eventually(() => written(50) === n, `what press ${n} does at once`);
    await eventually(() => written(51) === n, `what press ${n} does after a delay`);
  }
  const hall = { home: 'Test Home', room: 'Default Room', accessory: 'Hall Lamp', brightness: 33 };
  expect(await client.ask('POST', '/rest/state', hall)).toMatchObject({ updated: 1 });

  rmSync(`${data}/filler`);
  await eventually(async () => {
    const saved = await client.save({ name: 'Room Again' }).catch(() => undefined);
    return saved !== undefined;
  }, 'it to be saved again');
  // What must be marked as done before it is done waits for room, for as long as it is not too late.
  await eventually(() => inventory.written('Spare').includes(52), 'the moment that came due meanwhile', 20_000);
  const traces = await client.untilEnded(follow.id, PRESSES);
  expect(traces.map(({ status }) => status)).toEqual(Array(PRESSES).fill('success'));
  expect([written(50), written(51), inventory.written('Spare').length]).toEqual([PRESSES, PRESSES, 1]);
  expect(await daemon.end()).toBe(0);
});

/** Writes until nothing more fits. */
function fill(path: string): void {
  const handle = openSync(path, 'w');
  try {
    for (const size of [65_536, 4_096, 512, 1]) {
      try {
        for (;;) writeSync(handle, Buffer.alloc(size));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  } finally {
    closeSync(handle);
  }
}
