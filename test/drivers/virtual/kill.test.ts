import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/kernel/clock.ts';
import { checkDatabase } from '../../../src/storage/database.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { TestClock } from '../../support/test-clock.ts';
import { forkTypeScript } from '../../support/typescript-process.ts';
import type { Reported } from './kill-child.ts';
import { openFixture } from './virtual-fixture.ts';

const KILLS = 5;
const CHILD = resolve(import.meta.dirname, 'kill-child.ts');

it('SIGKILL at any moment loses nothing that was acknowledged', async () => {
  const directory = createTempDirectory('virtual-kill');
  const path = directory.file('relay.db');
  let fixture = openFixture({ path });
  const counter = fixture.create({ type: 'counter' });
  const timer = fixture.create({ type: 'timer' });
  fixture.close();
  for (let round = 0; round < KILLS; round += 1) {
    const child = forkTypeScript(CHILD, { args: [path, counter.source, timer.source] });
    let reported: Reported | undefined;
    child.on('message', (message) => {
      reported = message as Reported;
    });
    await once(child, 'message');
    await setTimeout(Math.random() * 100);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(checkDatabase(path)).toBeUndefined();
    fixture = openFixture({ path, clock: new TestClock(systemClock.now()) });
    // What reached the disk but not us may be there as well.
    expect(Number(fixture.valueOf(counter))).toBeGreaterThanOrEqual(reported?.value ?? 0);
    expect(fixture.driver.timerOf(timer)?.status).toBe('active');
    expect(fixture.driver.timerOf(timer)?.endsAt ?? 0).toBeGreaterThanOrEqual(reported?.endsAt ?? 0);
    fixture.close();
  }
  directory.remove();
});
