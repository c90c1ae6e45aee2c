/**
 * The built daemon under systemd's watchdog: signs of life from the event loop itself, and a quick end and return
 * without them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { BuiltDaemon, buildProgram } from '../support/built-daemon.ts';
import { eventually } from '../support/e2e-relay.ts';
import { NotifySocket, whyNoNotifySocket } from '../support/notify-socket.ts';
import { createTempDirectory } from '../support/temp-directory.ts';

const WATCHDOG_MS = 600;
/** What was under way when the loop froze has arrived by then. */
const SETTLED_MS = 2_000;
/** C6-56 of the security checklist. */
const BACK_WITHIN_S = 40;
/** What is left for the start on a slow computer; `npm run bench` measures it. */
const START_S = 5;

it('systemd learns that it is up and alive, and nothing more once its event loop is blocked', async ({ skip }) => {
  const missing = whyNoNotifySocket();
  skip(missing !== undefined, missing);
  using program = buildProgram();
  using directory = createTempDirectory('watchdog');
  using systemd = await NotifySocket.open(directory.file('notify'));
  const blocker = directory.file('block.cjs');
  writeFileSync(blocker, `process.on('SIGUSR2', () => { for (;;); });`);
  await using daemon = await BuiltDaemon.start({
    program,
    directory,
    nodeFlags: ['--require', blocker],
    variables: { NOTIFY_SOCKET: systemd.path, WATCHDOG_USEC: String(WATCHDOG_MS * 1_000) },
  });
  await eventually(() => systemd.signs >= 5, 'signs of life');
  expect(systemd.received.slice(0, 2)).toEqual(['READY=1', `STATUS=Serving ${daemon.url}`]);

  daemon.signal('SIGUSR2');
  await delay(SETTLED_MS);
  const before = systemd.signs;
  await delay(3 * WATCHDOG_MS);
  expect(systemd.signs).toBe(before);
  expect(daemon.isRunning).toBe(true);

  // What systemd does then; the signal needs no event loop.
  expect(await daemon.end('SIGABRT')).toBe('SIGABRT');
  await using next = await BuiltDaemon.start({ program, directory });
  expect((await fetch(`${next.url}/ready`)).status).toBe(200);
  const unit = readFileSync(resolve(import.meta.dirname, '../../systemd/hearthd.service'), 'utf8');
  const seconds = (name: string): number => Number(new RegExp(`^${name}=(\\d+)$`, 'm').exec(unit)?.[1]);
  expect(seconds('WatchdogSec') + seconds('RestartSec') + START_S).toBeLessThan(BACK_WITHIN_S);
});
