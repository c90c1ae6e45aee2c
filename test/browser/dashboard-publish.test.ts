/**
 * The page about publishing: the home goes out as a bridge, another author's controller pairs with it by the code on
 * the page and switches a lamp, and the page shows and ends that. Matter’s bridge is a fake.
 */
import { Characteristic, Service } from '@homebridge/hap-nodejs';
import { HttpClient } from 'hap-controller';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakeMatterBridges } from '../support/fake-matter-bridges.ts';
import { Dashboard, expectAccessible, expectToFit, MARKUP, NO_BROWSER, PATIENCE_MS, picture } from './dashboard.ts';

let dashboard: Dashboard;
let homeId: string;
const matter = new FakeMatterBridges();

describe.skipIf(NO_BROWSER)('publishing', { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    dashboard = await Dashboard.start({
      accessories: ['Desk Lamp', 'Front Door'],
      overrides: { openMatterBridge: matter.open },
    });
    homeId = (await dashboard.graphql('{ homes { id } }')).homes[0].id;
    for (const type of ['switch', 'counter']) {
      await dashboard.graphql(
        `mutation ($homeId: String!, $type: String!, $name: String!) {
          createVirtualAccessory(homeId: $homeId, type: $type, name: $name) { id }
        }`,
        { homeId, type, name: type === 'switch' ? MARKUP : 'Visits' },
      );
    }
  }, PATIENCE_MS);
  afterAll(() => dashboard?.stop());

  it('shows what can’t go out, and why, in the language of the person', async () => {
    const { page, complaints } = await dashboard.open({ path: '/publish', lang: 'de' });
    await page.getByRole('button', { name: 'Veröffentlichen' }).click();
    const preview = page.getByRole('dialog').getByRole('region', { name: 'Vorschau' });
    await preview.getByText('Apple Home kennt keine Zähler.').waitFor();
    await page.getByRole('dialog').getByText('Matter: Alexa, Google und andere').click();
    await preview
      .getByText('Es spricht Matter ohne Zertifizierung: Die Apps fragen vor dem Hinzufügen nach.')
      .waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows what goes out before it does, then the code; a controller pairs by it and switches a lamp', async () => {
    const { page, complaints } = await dashboard.open({ path: '/publish' });
    await page.getByRole('heading', { name: 'Keep Siri, HomePods and Apple Home' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'publish-empty');
    await page.getByRole('button', { name: 'Publish' }).click();
    const dialog = page.getByRole('dialog');
    const preview = dialog.getByRole('region', { name: 'Preview' });
    await preview.getByText('3 accessories are published.').waitFor();
    await preview.getByText('Apple Home has nothing for a counter.').waitFor();
    await expectAccessible(page);
    await expectToFit(page);
    await picture(page, 'publish-dialog');
    await dialog.getByRole('radio', { name: 'Only what I choose' }).check();
    await preview.getByText('Choose something to publish.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Lights', exact: true }).click();
    await preview.getByText('1 accessory is published.').waitFor();
    await expectAccessible(page);
    await picture(page, 'publish-selection');
    await dialog.getByRole('textbox', { name: 'Name' }).fill(MARKUP);
    await dialog.getByRole('button', { name: 'Publish' }).click();
    const card = page.getByRole('region', { name: MARKUP });
    await card.getByText('Published', { exact: true }).waitFor();
    await card.getByRole('img', { name: `QR code that adds ${MARKUP}` }).waitFor();
    const code = /\d{3}-\d{2}-\d{3}/.exec(await card.innerText())?.[0] ?? '';
    await card.getByText('1 accessory published').click();
    await card.getByText('Desk Lamp').waitFor();
    await expectAccessible(page);
    await expectToFit(page);
    await picture(page, 'publish-code');

    const home = await dashboard.open({ path: '/', width: 390, height: 844 });
    await home.page.getByRole('button', { name: 'Desk Lamp, Off' }).waitFor();
    const client = await pairWith(code);
    await client.setCharacteristics({ [await lampId(client)]: true });
    await card.getByText('Connected', { exact: true }).waitFor();
    await card.getByText('Paired with Apple Home · Show the setup code').waitFor();
    await card.getByRole('img', { name: `QR code that adds ${MARKUP}` }).waitFor({ state: 'hidden' });
    const lamp = dashboard.device('Desk Lamp').accessory.getService(Service.Lightbulb);
    expect(lamp?.getCharacteristic(Characteristic.On).value).toBe(true);
    await home.page.getByRole('button', { name: /^Desk Lamp, On/ }).waitFor();
    await picture(page, 'publish-paired');
    await expectAccessible(page);

    await card.getByRole('button', { name: /^Remove Controller/ }).click();
    await page.getByText(/the last one that manages this bridge/).waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await card.getByText('Nothing is paired yet. Scan the code to begin.').waitFor();
    await card.getByRole('img', { name: `QR code that adds ${MARKUP}` }).waitFor();
    client.close();
    expect([...complaints, ...home.complaints]).toEqual([]);
    for (const each of [page, home.page]) await each.context().close();
  });

  it('pauses, resumes, renames, resets and deletes; another browser sees each step by itself', async () => {
    const { page, complaints } = await dashboard.open({ path: '/publish', width: 390, height: 844, dark: true });
    const other = await dashboard.open({ path: '/publish', lang: 'de', width: 320, height: 640 });
    const menu = page.getByRole('button', { name: 'Actions for' });
    const choose = async (name: string) => {
      await menu.click();
      await page.getByRole('menuitem', { name }).click();
    };
    const before = await setupCode();
    await choose('Pause');
    await page.getByText('Paused', { exact: true }).waitFor();
    await other.page.getByText('Pausiert', { exact: true }).waitFor();
    await expectAccessible(page);
    await picture(page, 'publish-paused');
    await choose('Resume');
    await page.getByText('Published', { exact: true }).waitFor();
    await expectToFit(page);
    await picture(page, 'publish-phone');
    await other.page.getByText('Veröffentlicht', { exact: true }).waitFor();
    await expectToFit(other.page);
    await expectAccessible(other.page);
    await picture(other.page, 'publish-german');
    await choose('Edit');
    await page.getByRole('textbox', { name: 'Name' }).fill('Everything');
    await page.getByRole('radio', { name: 'Every accessory of the home' }).check();
    await expectToFit(page);
    await picture(page, 'publish-edit-phone');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Everything' }).waitFor();
    await page.getByText('3 accessories published').waitFor();
    await choose('Reset codes and pairings');
    await page.getByText(/Every controller must pair again/).waitFor();
    await expectAccessible(page);
    await picture(page, 'publish-reset');
    await page.getByRole('button', { name: 'Reset codes and pairings' }).click();
    await page.getByText('Everything has new codes.').waitFor();
    expect(await setupCode()).not.toBe(before);
    await choose('Delete');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Keep Siri, HomePods and Apple Home' }).waitFor();
    await other.page.getByRole('heading', { name: 'Behalte Siri, HomePods und Apple Home' }).waitFor();
    expect([...complaints, ...other.complaints]).toEqual([]);
    for (const each of [page, other.page]) await each.context().close();
  });

  it('shows over Matter until when an app can be added, that the port is taken, and the PIN for locks', async () => {
    const { id: publicationId } = (
      await dashboard.graphql(
        'mutation ($homeId: String!) { createPublication(homeId: $homeId, kind: "matter", name: "Alexa") { id } }',
        { homeId },
      )
    ).createPublication;
    const { page, complaints } = await dashboard.open({ path: '/publish', width: 390, height: 844 });
    const card = page.getByRole('region', { name: 'Alexa' });
    const choose = async (name: string) => {
      await card.getByRole('button', { name: 'Actions for' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    const codeImage = card.getByRole('img', { name: 'QR code that adds Alexa' });
    await codeImage.waitFor();
    const portTaken = card.getByText(/Alexa finds a bridge only on that port/);
    expect(await portTaken.count()).toBe(0);

    matter.last.port = 5_541;
    matter.last.setFabrics([
      { index: 1, label: 'Phone', vendorId: 1, fabricId: 'A', nodeId: 'B', isConnected: true, lastSeenAt: null },
    ]);
    await portTaken.waitFor();
    await codeImage.waitFor({ state: 'hidden' });
    await card.getByText('Paired with 1 app · Show the setup code').waitFor();
    await choose('Let another app in');
    await card.getByText(/^Another app can add it until \d\d:\d\d\.$/).waitFor();
    await codeImage.waitFor();
    await expectAccessible(page);
    await expectToFit(page);
    await picture(page, 'publish-window');
    await choose('Let no further app in');
    await card.getByText(/^Another app can add it until/).waitFor({ state: 'hidden' });
    await codeImage.waitFor({ state: 'hidden' });
    const dialog = page.getByRole('dialog');
    const asksForPin = dialog.getByRole('checkbox', { name: 'Locks ask for a PIN' });
    const locks = card.getByText('Locks ask for a PIN.');
    await choose('Edit');
    await asksForPin.check();
    await dialog.getByLabel('PIN for locks').fill('12');
    await dialog.getByText('The PIN has 4 to 8 digits.').waitFor();
    await expect.poll(() => dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await expectToFit(page);
    await picture(page, 'publish-lock-pin');
    await dialog.getByLabel('PIN for locks').fill('482915');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await locks.waitFor();
    await choose('Edit');
    await dialog.getByLabel('New PIN for locks').waitFor();
    await asksForPin.uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await locks.waitFor({ state: 'hidden' });
    await dashboard.graphql(
      'mutation ($publicationId: String!) { deletePublication(publicationId: $publicationId) { success } }',
      {
        publicationId,
      },
    );
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('is not shown to a viewer, who sees no code either', async () => {
    await dashboard.graphql(
      'mutation ($homeId: String!) { createPublication(homeId: $homeId, kind: "homekit", name: "Hearth") { id } }',
      { homeId },
    );
    const { page, complaints } = await dashboard.open({
      path: '/publish',
      token: await dashboard.signUpViewer(homeId),
    });
    await page.getByText(/Only owners and admins of this home can publish it/).waitFor();
    expect(await page.getByRole('link', { name: 'Apple Home & Matter' }).count()).toBe(0);
    expect(await page.content()).not.toContain(await setupCode());
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
async function bridge(): Promise<any> {
  const query = 'query ($homeId: String) { publications(homeId: $homeId) { bridges { port deviceId setupCode } } }';
  return (await dashboard.graphql(query, { homeId })).publications[0].bridges[0];
}

async function setupCode(): Promise<string> {
  return (await bridge()).setupCode;
}

async function pairWith(code: string): Promise<HttpClient> {
  const { deviceId, port } = await bridge();
  const client = new HttpClient(deviceId, '127.0.0.1', port, undefined, { usePersistentConnections: true });
  await client.pairSetup(code);
  return client;
}

/** The `aid.iid` of the lamp's power, as the bridge has it. */
async function lampId(client: HttpClient): Promise<string> {
  const { accessories } = await client.getAccessories();
  for (const { aid, services } of accessories) {
    const lamp = services.find(({ type }) => isType(type, Service.Lightbulb.UUID));
    const power = lamp?.characteristics.find(({ type }) => isType(type ?? '', Characteristic.On.UUID));
    if (power) return `${aid}.${power.iid}`;
  }
  throw new Error('The bridge has no lamp');
}

/** @param type short or whole */
function isType(type: string, uuid: string): boolean {
  return uuid.startsWith(`${(type.split('-')[0] ?? '').padStart(8, '0')}-`);
}
