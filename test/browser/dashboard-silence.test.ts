/**
 * An accessory that hangs, as people see it: a genuine one in a process that is stopped, so that its connection stays
 * open and nothing answers on it.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChildAccessory } from '../drivers/hap/hap-nodejs-child.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { forkTypeScript } from '../support/typescript-process.ts';
import { Dashboard, expectAccessible, NO_BROWSER, PATIENCE_MS, picture } from './dashboard.ts';

let dashboard: Dashboard;
let child: ChildProcess;
let lamp: ChildAccessory;
const directory = createTempDirectory('silence');

/** `T`: stopped. A busy machine takes its time for that. */
function stateOf({ pid }: ChildProcess): string | undefined {
  return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
}

describe.skipIf(NO_BROWSER)('an accessory that hangs', { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    dashboard = await Dashboard.start({ discoversAll: true });
    const args = [directory.path, 'Reading Lamp'];
    child = forkTypeScript(join(import.meta.dirname, '../drivers/hap/hap-nodejs-child.ts'), { args });
    [lamp] = (await once(child, 'message')) as [ChildAccessory];
    const { status, body } = await dashboard.relay.pair(lamp);
    expect([status, body.error]).toEqual([200, undefined]);
    await dashboard.relay.untilStatus(lamp.deviceId, 'connected');
  }, PATIENCE_MS);

  afterAll(async () => {
    child?.kill('SIGKILL');
    await dashboard?.stop();
    directory.remove();
  });

  it('is waited for, then shown as not responding everywhere, and never as on', async () => {
    const { page, complaints } = await dashboard.open();
    // It has a number where another one is on the network.
    const tile = page.getByRole('button', { name: /^Reading Lamp/ });
    await tile.and(page.locator('[aria-pressed=false]')).waitFor();
    // What is shown is noted as it changes: on a busy machine no picture of it may be painted in time.
    await page.evaluate(`
      const item = [...document.querySelectorAll('[data-id]')].find(({ textContent }) => /Reading Lamp/.test(textContent));
      window.noted = [];
      const note = () => {
        const pressed = item.querySelector('[aria-pressed]')?.ariaPressed ?? '';
        noted.push({ text: item.textContent, pressed, isWaiting: item.querySelector('[data-waiting]') !== null });
      };
      new MutationObserver(note).observe(item, { subtree: true, childList: true, characterData: true, attributes: true });
    `);
    child.kill('SIGSTOP');
    await expect.poll(() => stateOf(child)).toBe('T');
    await tile.click();
    await picture(page, 'tile-waiting');
    const silent = page.getByRole('link', { name: /^Reading Lamp.*, No response/ });
    await silent.waitFor();
    const noted = await page.evaluate<{ text: string; pressed: string; isWaiting: boolean }[]>('noted');
    const wait = noted.findIndex(({ isWaiting }) => isWaiting);
    expect(wait).toBeGreaterThanOrEqual(0);
    expect(noted.slice(0, wait).some(({ text }) => /Turning on …/.test(text))).toBe(true);
    expect(noted.slice(wait).some(({ text }) => /Waiting for the device/.test(text))).toBe(true);
    expect(noted.filter(({ text, pressed }) => /\bOn\b/.test(text) || pressed === 'true')).toEqual([]);
    await page.getByText(/Reading Lamp.*: no response/).waitFor();
    await expectAccessible(page);
    await picture(page, 'tile-silent');

    const { body } = await dashboard.relay.get('/rest/accessories');
    expect(body.map(({ reachable }: { reachable: boolean }) => reachable)).toEqual([false]);
    expect((await dashboard.relay.pairing(lamp.deviceId)).status).toBe('offline');

    await silent.click();
    await page.getByRole('status').getByText('No response').waitFor();
    await page.getByText(/It didn’t respond in time/).waitFor();
    const again = page.getByRole('button', { name: /^Connect again: Reading Lamp/ });
    await again.waitFor();
    await expectAccessible(page);
    await picture(page, 'sheet-silent');
    await page.getByText('Details', { exact: true }).click();
    await page.getByRole('link', { name: 'Connection, firmware, remove' }).click();
    await page.waitForURL(/\/system\/devices/);
    await page.getByText('No response').first().waitFor();
    await page
      .getByText(/It didn’t respond in time/)
      .first()
      .waitFor();
    await page.goto(new URL('/system', page.url()).href);
    await page.getByText('Devices not responding: 1.').waitFor();

    await page.goto(new URL('/system/devices', page.url()).href);
    await again.click();
    child.kill('SIGCONT');
    await page.getByText(/Reading Lamp.* is connected\./).waitFor();
    await again.waitFor({ state: 'detached' });
    await dashboard.relay.untilStatus(lamp.deviceId, 'connected');
    await page.goto(new URL('/', page.url()).href);
    // It may yet do what it was asked before it was stopped.
    await page.getByRole('button', { name: /^Reading Lamp.*, (On|Off)/ }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
