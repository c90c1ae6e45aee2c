/** Backups in the browser: a home that lost a room gets it back, while the page waits for the relay. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard, expectAccessible, expectToFit, NO_BROWSER, PATIENCE_MS, picture } from './dashboard.ts';
import { Keyboard, Pointer } from './hands.ts';

const SECRET = 'a password for the file';

describe.skipIf(NO_BROWSER)('the backups of a home', { retry: 1 }, () => {
  let dashboard: Dashboard;

  beforeAll(async () => {
    dashboard = await Dashboard.start();
  }, PATIENCE_MS);
  afterAll(() => dashboard.stop(), PATIENCE_MS);

  const rooms = async (): Promise<readonly string[]> =>
    (await dashboard.graphql('{ homes { rooms { name } } }')).homes[0].rooms.map(({ name }: { name: string }) => name);
  const addRoom = async (name: string) => {
    const [{ id }] = (await dashboard.graphql('{ homes { id } }')).homes;
    await dashboard.graphql('mutation ($id: String!, $name: String!) { createRoom(homeId: $id, name: $name) { id } }', {
      id,
      name,
    });
  };

  it(
    'are made by the keyboard, restored in two clicks and undone by the keyboard, and the page comes back by itself',
    async () => {
      await addRoom('Study');
      const { page, complaints } = await dashboard.open({ path: '/system/backups', width: 1280, height: 900 });
      const keyboard = new Keyboard(page);
      await keyboard.press(page.getByRole('button', { name: 'Back up now' }));
      await page.getByText('Manual').waitFor();
      await page.getByText('Next automatic backup: within the hour').waitFor();
      await addRoom('Attic');
      await picture(page, 'backups-list');

      const restore = page.getByRole('button', { name: /^Restore the backup of/ });
      await keyboard.press(restore);
      await page.getByText('Devices stay paired').waitFor();
      await picture(page, 'backups-restore');
      await keyboard.press(page.getByRole('button', { name: 'Cancel' }));
      await page.getByText('Devices stay paired').waitFor({ state: 'detached' });
      const pointer = new Pointer(page);
      await pointer.press(restore);
      await pointer.press(page.getByRole('button', { name: 'Restore and restart' }));
      expect(pointer.clicks).toBe(2);
      await page.getByRole('heading', { name: 'Restarting the relay' }).waitFor();
      await page.getByText(/^Restored/).waitFor();
      await expectAccessible(page);
      expect(await rooms()).not.toContain('Attic');

      await keyboard.press(page.getByRole('button', { name: 'Undo the restore' }));
      await keyboard.press(page.getByRole('button', { name: 'Restore and restart' }));
      await page.getByRole('heading', { name: 'Restarting the relay' }).waitFor();
      await page.getByText(/^Restored/).waitFor();
      expect(await rooms()).toContain('Attic');
      await picture(page, 'backups-restored');
      // What it asked while the relay was away is no fault of the page.
      expect(complaints.filter((complaint) => !/ERR_CONNECTION|Failed to load resource/.test(complaint))).toEqual([]);
      await page.context().close();
    },
    PATIENCE_MS,
  );

  it(
    'leave encrypted, come back as a file with their password, and are deleted after a question',
    async () => {
      const { page, complaints } = await dashboard.open({
        path: '/system/backups',
        width: 390,
        height: 844,
        dark: true,
      });
      await page
        .getByRole('button', { name: /^Download the backup of/ })
        .first()
        .click();
      await page.getByLabel('Password for the file').fill(SECRET);
      await picture(page, 'backups-download');
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download', exact: true }).click();
      const download = await downloading;
      expect(download.suggestedFilename()).toMatch(/\.hearthd$/);
      const file = await download.path();
      expect(readFileSync(file).subarray(0, 15).toString()).toBe('hearthd-backup\n');

      await page.locator('input[type=file]').setInputFiles({
        name: 'house.hearthd',
        mimeType: 'application/octet-stream',
        buffer: readFileSync(file),
      });
      await page.getByLabel('Password of the backup').fill('not the password');
      await page.getByRole('button', { name: 'Restore and restart' }).click();
      await page.getByRole('alert').getByText('The password is wrong').waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('Encrypted', { exact: true }).waitFor();
      await expectToFit(page);
      await expectAccessible(page);
      await picture(page, 'backups-phone-dark');

      await page
        .getByRole('button', { name: /^Delete the backup of/ })
        .first()
        .click();
      await page.getByRole('button', { name: 'Delete backup' }).click();
      await page.getByText('Encrypted', { exact: true }).waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
      await page.context().close();
    },
    PATIENCE_MS,
  );
});
