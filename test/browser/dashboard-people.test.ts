/**
 * People and access in the browser: a person is invited and comes in, roles act at once, links open what they should,
 * apps lose access.
 */
import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, stepAt } from '../../src/app/users/totp.ts';
import { openPage } from './chromium.ts';
import {
  Dashboard,
  expectAccessible,
  expectToFit,
  MARKUP,
  NO_BROWSER,
  OWNER,
  PATIENCE_MS,
  picture,
} from './dashboard.ts';
import { registerApp } from './oauth-app.ts';

const GRACE = { email: 'grace@example.org', name: MARKUP, password: 'correct horse battery' };
/** Turns the line around for a reader that does not isolate it. */
const APP_NAME = `Evil ${MARKUP}`;
/** Where apps are sent back to: the relay answers a browser there. */
const CALLBACK = '/page.css';
const PASSCODE = '493817';

let dashboard: Dashboard;

describe.skipIf(NO_BROWSER)('people and doors', { timeout: PATIENCE_MS, retry: 1 }, () => {
  beforeAll(async () => {
    dashboard = await Dashboard.start({ accessories: ['Desk Lamp', 'Front Door'] });
  }, PATIENCE_MS);
  afterAll(() => dashboard?.stop());

  it('invites a person by a link, who joins with the role that it gave; another role acts at once', async () => {
    const { page, complaints } = await dashboard.open({ path: '/people', width: 390, height: 844 });
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const choices = page.getByRole('dialog', { name: 'Add people' });
    await choices.getByRole('button', { name: 'Invite person' }).waitFor();
    expect(await choices.getByRole('listitem').getByRole('strong').allInnerTexts()).toEqual([
      'Invite person',
      'Add person',
      'New account',
    ]);
    expect(await page.getByRole('button', { name: 'More actions' }).count()).toBe(0);
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'people-add');
    await choices.getByRole('button', { name: 'Invite person' }).press('Enter');
    await page.getByLabel('Email address').fill(GRACE.email);
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('img', { name: 'QR code for the invitation link' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'people-invitation');
    const link = await page.getByRole('textbox', { name: 'Invitation link' }).inputValue();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('invited, no account yet').waitFor();

    const guest = await dashboard.open({ path: new URL(link).pathname, token: null });
    await guest.page.getByLabel('Your name').fill(GRACE.name);
    await guest.page.getByLabel(/^Password/).fill(GRACE.password);
    await guest.page.locator('button.primary').click();
    await guest.page.waitForURL((url) => !url.pathname.startsWith('/invite'));
    const { login } = await dashboard.graphql(
      'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { token } }',
      { email: GRACE.email, password: GRACE.password },
      '',
    );
    const inside = await dashboard.open({ path: '/people', token: login.token });
    await inside.page.getByText('Your role in this home is “Control”.').waitFor();
    expect(await inside.page.getByRole('button', { name: 'Invite person' }).count()).toBe(0);

    // The owner's page learns of it by itself; the name is shown as it is.
    const role = page.getByLabel(`Role of ${MARKUP}`);
    await role.selectOption('admin');
    await page.getByText('now has the role “Admin”').waitFor();
    await inside.page.getByRole('button', { name: 'Invite person' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await inside.page.getByText('Your role in this home is “Control”.').waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    expect([...complaints, ...inside.complaints]).toEqual([]);
    for (const each of [page, guest.page, inside.page]) await each.context().close();
  });

  it('turns two-step sign-in on with an app; the next sign-in takes a recovery code, once', async () => {
    const hedy = {
      email: `hedy.${randomBytes(4).toString('hex')}@example.org`,
      name: 'Hedy',
      password: 'a torpedo that hops',
    };
    await dashboard.graphql(
      'mutation ($name: String!, $email: String!, $password: String!) { createCommunityUser(name: $name, email: $email, password: $password, role: "view") { id } }',
      hedy,
    );
    const { login } = await dashboard.graphql(
      'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { token } }',
      { email: hedy.email, password: hedy.password },
      '',
    );
    const { page, complaints } = await dashboard.open({
      path: '/settings#two-step',
      token: login.token,
      width: 390,
      height: 844,
    });
    const section = page.locator('#two-step');
    await section.getByRole('button', { name: 'Turn on' }).click();
    await section.getByLabel('Your password, to confirm').fill(hedy.password);
    await section.getByRole('button', { name: 'Continue' }).click();
    await section.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'two-step-setup');
    const secret = await section.getByRole('textbox', { name: 'Key' }).inputValue();
    await section.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret, stepAt(Date.now()) + 1));
    await section.getByRole('button', { name: 'Turn on' }).click();
    const codes = section.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    const [first = '', second = '', ...others] = await codes.allTextContents();
    expect(others).toHaveLength(8);
    await expectToFit(page);
    await expectAccessible(page);
    await section.getByRole('button', { name: 'I’ve kept them' }).click();
    await section.getByText('10 recovery codes are left.').waitFor();

    const next = await dashboard.open({ path: '/settings', token: null, width: 390, height: 844 });
    await next.page.getByLabel('Email address').fill(hedy.email);
    await next.page.getByLabel('Password', { exact: true }).fill(hedy.password);
    await next.page.getByRole('button', { name: 'Sign in' }).click();
    await next.page.locator('input[name="code"]:focus').waitFor();
    await expectToFit(next.page);
    await expectAccessible(next.page);
    await next.page.getByRole('textbox', { name: 'Code' }).fill(`${first}X`);
    await next.page.keyboard.press('Enter');
    await next.page.getByRole('alert').getByText('This code is wrong').waitFor();
    await next.page.getByRole('textbox', { name: 'Code' }).fill(first);
    await next.page.keyboard.press('Enter');
    const there = next.page.locator('#two-step');
    await there.getByRole('button', { name: 'Two-step sign-in' }).click();
    await there.getByText('9 recovery codes are left.').waitFor();
    await there.getByRole('button', { name: 'Turn off' }).click();
    await there.getByRole('textbox', { name: 'Code' }).fill(second);
    await there.getByRole('button', { name: 'Turn off' }).click();
    await there.getByRole('button', { name: 'Turn on' }).waitFor();

    // With a lost phone: the founder turns it off.
    const { beginSecondFactor: setup } = await dashboard.graphql(
      'mutation ($password: String!) { beginSecondFactor(currentPassword: $password) { secret } }',
      { password: hedy.password },
      login.token,
    );
    const { confirmSecondFactor: on } = await dashboard.graphql(
      'mutation ($code: String!) { confirmSecondFactor(code: $code) { success } }',
      { code: codeOf(setup.secret, stepAt(Date.now())) },
      login.token,
    );
    expect(on.success).toBe(true);
    const people = await dashboard.open({ path: '/people', width: 390, height: 844 });
    const accounts = people.page.getByRole('list', { name: 'People', exact: true });
    const account = accounts.getByRole('listitem').filter({ hasText: hedy.email });
    await account.getByText('Two-step sign-in').waitFor();
    await account.getByRole('button', { name: 'Actions for Hedy' }).click();
    await people.page.getByRole('menuitem', { name: 'Turn off two-step sign-in' }).click();
    await people.page.getByRole('dialog').getByRole('button', { name: 'Turn off two-step sign-in' }).click();
    await account.getByText('Two-step sign-in').waitFor({ state: 'detached' });
    const isOn = async () => (await dashboard.graphql('{ secondFactor { isOn } }', {}, login.token)).secondFactor.isOn;
    expect(await isOn()).toBe(false);
    expect([...complaints, ...next.complaints, ...people.complaints]).toEqual([]);
    for (const each of [page, next.page, people.page]) await each.context().close();
  });

  it('creates a passkey, signs in with it alone, and refuses it once it is removed', async () => {
    const ida = {
      email: `ida.${randomBytes(4).toString('hex')}@example.org`,
      name: 'Ida',
      password: 'a comet at noon',
    };
    await dashboard.graphql(
      'mutation ($name: String!, $email: String!, $password: String!) { createCommunityUser(name: $name, email: $email, password: $password, role: "view") { id } }',
      ida,
    );
    // Browsers have passkeys under a name alone.
    const origin = `http://localhost:${new URL(dashboard.relay.url).port}`;
    const { page, complaints } = await openPage(dashboard.browser, origin, { width: 390, height: 844 });
    const browser = await page.context().newCDPSession(page);
    await browser.send('WebAuthn.enable', { enableUI: false });
    const { authenticatorId } = await browser.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto(`${origin}/settings`);
    await page.getByLabel('Email address').fill(ida.email);
    await page.getByLabel('Password', { exact: true }).fill(ida.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const section = page.locator('#passkeys');
    const row = section.getByRole('button', { name: 'Passkeys', exact: true });
    await row.click();
    await section.getByRole('button', { name: 'Create a passkey' }).click();
    await section.getByLabel('Name').fill(MARKUP);
    await section.getByLabel('Your password, to confirm').fill(ida.password);
    await expectToFit(page);
    await expectAccessible(page);
    await section.getByRole('button', { name: 'Continue' }).click();
    const entry = section.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');
    await entry.getByText('never used').waitFor();
    await entry.getByRole('button', { name: `Actions for ${MARKUP}` }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await entry.getByLabel('Name').fill('Key ring');
    await entry.getByRole('button', { name: 'Save' }).click();
    await entry.getByText('Key ring', { exact: true }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'passkeys');

    // A person who does not confirm signs no one in, and gets another try.
    await browser.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.evaluate("localStorage.removeItem('hearthd.session')");
    await page.goto(`${origin}/settings`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').getByText('The browser used no passkey').waitFor();
    await expectAccessible(page);
    await browser.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await row.click();
    await entry.getByText('last used').waitFor();

    // The relay's own sign-in page, on the way to an app, and in the place of a code.
    const app = await startApp(origin);
    await page.goto(app.address);
    const usePasskey = page.getByRole('button', { name: 'Sign in with a passkey' });
    await usePasskey.waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'sign-in-page');
    await browser.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await usePasskey.click();
    await page.getByRole('alert').getByText('The browser used no passkey').waitFor();
    await browser.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await usePasskey.click();
    await page.getByLabel('Your password').fill(ida.password);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.waitForURL((url) => url.pathname === CALLBACK);
    expect(await app.exchange(page)).toEqual(expect.any(String));

    await page.goto(`${origin}/settings`);
    await row.click();
    await section.getByText('Turn two-step sign-in on too').waitFor();
    const token = await page.evaluate<string>("JSON.parse(localStorage.getItem('hearthd.session')).token");
    const secret = await turnCodesOn(token, ida.password);
    await page.context().clearCookies();
    await page.goto(`${origin}/login`);
    await page.getByLabel('Email address').fill(ida.email);
    await page.getByLabel('Password').fill(ida.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    await usePasskey.waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'sign-in-page-code');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 1280, height: 900 });
    await expectAccessible(page);
    await picture(page, 'sign-in-page-dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 390, height: 844 });
    await usePasskey.click();
    await page.waitForURL(`${origin}/account`);
    await turnCodesOff(token, secret);
    await page.goto(`${origin}/settings`);

    await row.click();
    await entry.getByRole('button', { name: 'Actions for Key ring' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    // As the relay answers when the sign-in was long ago.
    let refusals = 0;
    await page.route('**/graphql', (route) => {
      if (refusals > 0 || !(route.request().postData() ?? '').includes('removePasskey(')) return route.continue();
      refusals += 1;
      const extensions = { code: 'FORBIDDEN', reason: 'insufficient_permissions', cause: 'proof_needed' };
      return route.fulfill({ json: { data: null, errors: [{ message: 'You signed in long ago.', extensions }] } });
    });
    await page
      .getByRole('dialog', { name: 'Remove the passkey Key ring?' })
      .getByRole('button', { name: 'Remove' })
      .click();
    const proof = page.getByRole('dialog', { name: 'Confirm that it’s you' });
    await proof.getByLabel('Your password', { exact: true }).fill('not it');
    await proof.getByRole('button', { name: 'Confirm', exact: true }).click();
    await proof.getByText('The password is wrong.').waitFor();
    await expectAccessible(page);
    await proof.getByRole('button', { name: 'Use a passkey' }).click();
    await entry.waitFor({ state: 'detached' });
    expect(refusals).toBe(1);
    await page.evaluate("localStorage.removeItem('hearthd.session')");
    await page.goto(`${origin}/settings`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').getByText('doesn’t know this passkey').waitFor();

    const { page: there, complaints: others } = await dashboard.open({
      path: '/settings#passkeys',
      width: 390,
      height: 844,
    });
    await there.locator('#passkeys').getByText('Browsers have no passkeys at an IP address').waitFor();
    expect([...complaints, ...others]).toEqual([]);
    for (const each of [page, there]) await each.context().close();
  });

  it('leads a person who must have a second step through setting one up at the sign-in', async () => {
    const mary = { email: `mary.${randomBytes(4).toString('hex')}@example.org`, name: 'Mary', password: 'a compiler' };
    await dashboard.graphql(
      'mutation ($name: String!, $email: String!, $password: String!) { createCommunityUser(name: $name, email: $email, password: $password, role: "view") { id } }',
      mary,
    );
    const requireFor = (audience: string) =>
      dashboard.graphql('mutation ($settings: JSON!) { updateRelaySettings(settings: $settings) { name } }', {
        settings: { second_step_required_for: audience },
      });
    await requireFor('all');
    const { page, complaints } = await dashboard.open({ path: '/settings', token: null, width: 390, height: 844 });
    await page.getByLabel('Email address').fill(mary.email);
    await page.getByLabel('Password', { exact: true }).fill(mary.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Your role in this home needs a second step').waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Use an authenticator app' }).click();
    const secret = await page.getByRole('textbox', { name: 'Key' }).inputValue();
    await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret, stepAt(Date.now()) + 1));
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('button', { name: 'I’ve kept them' }).click();
    const section = page.locator('#two-step');
    await section.getByRole('button', { name: 'Two-step sign-in' }).click();
    await section.getByText('10 recovery codes are left.').waitFor();
    await requireFor('none');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows who is at home, by hand and by keyboard, and how a phone does it', async () => {
    const { page, complaints } = await dashboard.open({ path: '/people', dark: true });
    await page.getByRole('button', { name: 'Add person' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(MARKUP);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page
      .getByRole('radiogroup', { name: `Presence of ${MARKUP}` })
      .getByLabel('Away')
      .focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('list', { name: 'People', exact: true }).getByRole('paragraph').getByText('At home').waitFor();
    await page
      .getByRole('listitem')
      .filter({ has: page.getByRole('radiogroup', { name: `Presence of ${MARKUP}` }) })
      .getByRole('button', { name: `Actions for ${MARKUP}` })
      .focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Connect a phone' }).click();
    expect(await page.getByLabel('URL').inputValue()).toContain('/owntracks?home=');
    await expectAccessible(page);
    await picture(page, 'people-phone');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('has presence, account and role of a person on one card: linked by choice, never by name', async () => {
    // A second try is in the same home.
    const mark = randomBytes(2).toString('hex');
    const joan = { email: `joan.${mark}@example.org`, name: `Joan ${mark}`, password: 'an enigma' };
    const [called, mia] = [`joan ${mark}`, `Mia ${mark}`];
    const { homes } = await dashboard.graphql('{ homes { id } }');
    const homeId = homes[0].id;
    const { createCommunityUser: made } = await dashboard.graphql(
      'mutation ($name: String!, $email: String!, $password: String!, $homeIds: [String!]) { createCommunityUser(name: $name, email: $email, password: $password, role: "control", homeIds: $homeIds) { id } }',
      { ...joan, homeIds: [homeId] },
    );
    await dashboard.graphql(
      'mutation ($homeId: String!, $joan: String!, $mia: String!) { joan: createPerson(homeId: $homeId, name: $joan) { id } mia: createPerson(homeId: $homeId, name: $mia) { id } }',
      { homeId, joan: called, mia },
    );
    const linkOf = async (name: string) => {
      const { people } = await dashboard.graphql(
        'query ($homeId: String!) { people(homeId: $homeId) { name userId } }',
        {
          homeId,
        },
      );
      return people.find((one: { name: string }) => one.name === name)?.userId;
    };
    const { page, complaints } = await dashboard.open({ path: '/people', width: 320, height: 640 });
    const cards = page.getByRole('list', { name: 'People', exact: true }).getByRole('listitem');
    const account = cards.filter({ hasText: joan.email });
    const named = cards.filter({ has: page.getByRole('radiogroup', { name: `Presence of ${called}` }) });
    const act = async (item: string) => {
      await named.getByRole('button', { name: `Actions for ${called}` }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: item }).click();
    };

    // Two cards, and an offer, which is a choice.
    await account.getByText('No presence').waitFor();
    await named.getByText('No account').waitFor();
    const offer = page.getByRole('button', { name: `Link ${called}`, exact: true });
    await offer.waitFor();
    expect(await linkOf(called)).toBeNull();
    await expectToFit(page);
    await expectAccessible(page);
    await offer.focus();
    await page.keyboard.press('Enter');
    await page.getByText(`${called} is now linked to ${joan.email}.`).waitFor();
    await account.getByRole('radiogroup', { name: `Presence of ${called}` }).waitFor();
    await account.getByLabel(`Role of ${called}`).selectOption('view');
    await page.getByText(`${called} now has the role “View”.`).waitFor();
    expect(await linkOf(called)).toBe(made.id);
    expect(await account.count()).toBe(1);
    await picture(page, 'people-card');

    // Unlinked, undone, unlinked again; what is refused stays refused on this device.
    await act('Unlink account');
    const undone = page.getByText(`${called} is no longer linked to an account.`);
    await undone.waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await account.getByRole('radiogroup', { name: `Presence of ${called}` }).waitFor();
    expect(await linkOf(called)).toBe(made.id);
    await act('Unlink account');
    await page.getByRole('button', { name: `Not the same: ${called}` }).click();
    await offer.waitFor({ state: 'detached' });
    await page.reload();
    await account.getByText('No presence').waitFor();
    expect(await offer.count()).toBe(0);

    // From the person, and for a new one.
    await act('Link account');
    await page.getByRole('dialog').getByLabel('Account').selectOption(made.id);
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Link', exact: true }).click();
    await account.getByRole('radiogroup', { name: `Presence of ${called}` }).waitFor();
    await act('Remove presence');
    await page.getByRole('dialog').getByText('Their account, if they have one, is kept.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await account.getByRole('button', { name: `Add presence for ${joan.name}` }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe(joan.name);
    expect(await dialog.getByLabel('Account').inputValue()).toBe(made.id);
    await dialog.getByRole('textbox', { name: 'Name' }).fill(mia);
    await page.keyboard.press('Enter');
    await dialog.getByText('That name is taken').waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill(called);
    await page.keyboard.press('Enter');
    await account.getByRole('radiogroup', { name: `Presence of ${called}` }).waitFor();
    expect(await linkOf(called)).toBe(made.id);

    // She sees her own link; the addresses of others stay with those who manage the home.
    const { login } = await dashboard.graphql(
      'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { token } }',
      { email: joan.email, password: joan.password },
      '',
    );
    const own = await dashboard.open({ path: '/people', token: login.token });
    const ownCard = own.page.getByRole('listitem').filter({ hasText: joan.email });
    await ownCard.getByText('You', { exact: true }).waitFor();
    await ownCard.getByText('Can see the state of everything').waitFor();
    await own.page.getByRole('listitem').filter({ hasText: mia }).waitFor();
    expect(await own.page.getByText(OWNER.email).count()).toBe(0);
    expect(await own.page.getByRole('button', { name: /^(Add|Link|Invite)/ }).count()).toBe(0);

    // The person outlives the account.
    await act('Delete account');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click();
    await account.waitFor({ state: 'detached' });
    await named.getByText('No account').waitFor();
    expect(await linkOf(called)).toBeNull();
    expect([...complaints, ...own.complaints]).toEqual([]);
    for (const each of [page, own.page]) await each.context().close();
  });

  it('shares a door with care: a passcode, times in words, buttons only; the link opens without an account', async () => {
    const { homes } = await dashboard.graphql('{ homes { accessories { id name } } }');
    const door = homes[0].accessories.find(({ name }: { name: string }) => name === 'Front Door');
    const { page, complaints } = await dashboard.open({ path: `/people/shares?new=accessory:${door.id}` });
    await page.getByRole('radio', { name: 'With a passcode' }).click();
    await page.getByLabel(/^Passcode/).fill(PASSCODE);
    await page.getByRole('radio', { name: 'Control' }).click();
    expect(await page.getByLabel('Require a tap on the page').isChecked()).toBe(true);
    await page.getByText('Recommended: this includes a lock or a door').waitFor();
    await page.getByRole('switch', { name: 'Only at certain times' }).click();
    await page.getByRole('button', { name: 'Add times' }).click();
    await page.getByText('Open Mon–Fri 08:00–18:00').waitFor();
    for (const day of ['Saturday', 'Sunday']) await page.getByLabel(day).check();
    await page.getByLabel('Opens').fill('00:00');
    await page.getByLabel('Closes').fill('00:00');
    await page.getByText('Open every day all day').waitFor();
    await expectAccessible(page);
    await picture(page, 'shares-schedule');
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('img', { name: 'QR code for Front Door' }).waitFor();
    const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    const ways = page.getByRole('list', { name: 'Access to Front Door' });
    await ways.getByText('Open now').waitFor();
    await ways.getByText('Requires a tap').waitFor();
    await expectAccessible(page);
    expect(page.url()).not.toContain('new=');

    const hash = new URL(link).pathname.split('/').pop();
    const guest = await dashboard.open({ path: `/s/${hash}`, token: null, width: 390, height: 844 });
    await guest.page.getByLabel(/passcode/i).fill(PASSCODE);
    await guest.page.keyboard.press('Enter');
    await guest.page.getByText('Front Door').first().waitFor();

    await page.getByRole('button', { name: 'Actions for “With a passcode” of Front Door' }).click();
    await page.getByRole('menuitem', { name: 'Stop sharing' }).click();
    await page.getByText('The link and printed codes stop working permanently').waitFor();
    await page.getByRole('button', { name: 'Stop sharing' }).click();
    await page.getByRole('heading', { name: 'Nothing is shared' }).waitFor();
    expect((await fetch(new URL(`/s/${hash}`, dashboard.relay.url))).status).toBe(404);
    expect(complaints).toEqual([]);
    for (const each of [page, guest.page]) await each.context().close();
  });

  it('keeps the buttons of a long dialog in sight, with nothing below them, on the smallest screen', async () => {
    const { homes } = await dashboard.graphql('{ homes { accessories { id name } } }');
    const door = homes[0].accessories.find(({ name }: { name: string }) => name === 'Front Door');
    const path = `/people/shares?new=accessory:${door.id}`;
    const { page, complaints } = await dashboard.open({ path, width: 320, height: 480 });
    const dialog = page.getByRole('dialog', { name: 'Share something' });
    await dialog.getByRole('radio', { name: 'With a passcode' }).click();
    await dialog.getByRole('switch', { name: 'Only at certain times' }).click();
    await dialog.getByRole('button', { name: 'Add times' }).click();
    const cancel = dialog.getByRole('button', { name: 'Cancel' });
    const content = dialog.locator('[data-scrolls]');
    const [foot, area] = [await cancel.boundingBox(), await content.boundingBox()];
    expect(foot && area && foot.y >= area.y + area.height && foot.y + foot.height <= 480).toBe(true);
    for (const share of [0, 0.2, 0.4, 0.6, 0.8, 1]) {
      await content.evaluate((element, part) => element.scrollTo(0, part * element.scrollHeight), share);
      await expectAccessible(page);
    }
    // All the way by the keyboard: parts of a time are stops within its field.
    await dialog.getByRole('button', { name: 'Close' }).focus();
    const covered: string[] = [];
    for (let stops = 0; stops < 60; stops += 1) {
      await page.keyboard.press('Tab');
      if (await cancel.evaluate((button) => button.matches(':focus'))) break;
      const focused = (await page.evaluateHandle('document.activeElement')).asElement();
      const box = await focused?.boundingBox();
      if (!box || !area || box.y < area.y || box.y + box.height > area.y + area.height + 1) {
        covered.push(`${await focused?.evaluate(({ outerHTML }) => outerHTML)}`);
      }
    }
    expect(await cancel.evaluate((button) => button.matches(':focus'))).toBe(true);
    expect(covered).toEqual([]);
    // On its side, all of it scrolls.
    await page.setViewportSize({ width: 640, height: 320 });
    await content.waitFor({ state: 'detached' });
    await dialog.getByRole('textbox', { name: /^Passcode/ }).fill(PASSCODE);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('img', { name: 'QR code for Front Door' }).waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('button', { name: 'Actions for “With a passcode” of Front Door' }).click();
    await page.getByRole('menuitem', { name: 'Stop sharing' }).click();
    await page.getByRole('button', { name: 'Stop sharing' }).click();
    await page.getByRole('heading', { name: 'Nothing is shared' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows apps by an unverified name, and removes their access', async () => {
    const token = await authorizeApp();
    const { page, complaints } = await dashboard.open({ path: '/connections/apps', width: 320, height: 640 });
    const actions = page.getByRole('button', { name: `Actions for ${APP_NAME}` });
    await actions.waitFor();
    await page.getByText('these aren’t verified').waitFor();
    // Its homes show what it may do; a badge beside them would repeat it.
    await page.getByRole('main').getByText('(Control)').waitFor();
    expect(await page.getByText('can control').count()).toBe(0);
    await expectToFit(page);
    await expectAccessible(page);
    await picture(page, 'apps');
    // Without a limit, it is the badge that shows it.
    await actions.click();
    await page.getByRole('menuitem', { name: 'Limit homes' }).click();
    await page.getByRole('radio', { name: 'All my homes' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('can control').waitFor();
    await page.getByText('all your homes').waitFor();
    expect(await statusOf(token)).toBe(200);
    await actions.click();
    await page.getByRole('menuitem', { name: 'Remove access' }).click();
    await page.getByRole('button', { name: 'Remove access' }).click();
    await page.getByRole('heading', { name: 'No connected apps' }).waitFor();
    await expect.poll(() => statusOf(token), { timeout: PATIENCE_MS / 3 }).toBe(401);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

async function statusOf(token: string): Promise<number> {
  const response = await fetch(new URL('/rest/state', dashboard.relay.url), {
    headers: { Authorization: `Bearer ${token}` },
  });
  return response.status;
}

async function turnCodesOn(token: string, currentPassword: string): Promise<string> {
  const { beginSecondFactor: setup } = await dashboard.graphql(
    'mutation ($password: String!) { beginSecondFactor(currentPassword: $password) { secret } }',
    { password: currentPassword },
    token,
  );
  const { confirmSecondFactor: on } = await dashboard.graphql(
    'mutation ($code: String!) { confirmSecondFactor(code: $code) { success } }',
    { code: codeOf(setup.secret, stepAt(Date.now())) },
    token,
  );
  expect(on.success).toBe(true);
  return setup.secret;
}

async function turnCodesOff(token: string, secret: string): Promise<void> {
  const { turnOffSecondFactor: off } = await dashboard.graphql(
    'mutation ($code: String!) { turnOffSecondFactor(code: $code) { success } }',
    { code: codeOf(secret, stepAt(Date.now()) + 1) },
    token,
  );
  expect(off.success).toBe(true);
}

interface TestApp {
  /** Where it sends the browser. */
  readonly address: string;
  /** @returns its token, for the code that the browser came back with. */
  exchange(page: Page): Promise<string>;
}

/** An app registers itself under a name of its own choice. */
async function startApp(origin: string): Promise<TestApp> {
  const redirectUri = `${origin}${CALLBACK}`;
  const { clientId, verifier, path } = await registerApp(origin, { name: APP_NAME, redirectUri });
  return {
    address: `${origin}${path}`,
    async exchange(page) {
      const answer = await fetch(`${origin}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: new URL(page.url()).searchParams.get('code') ?? '',
          client_id: clientId,
          redirect_uri: redirectUri,
          code_verifier: verifier,
        }),
      });
      const { access_token: token } = (await answer.json()) as { readonly access_token: string };
      return token;
    },
  };
}

/** The owner lets an app in. @returns its token */
async function authorizeApp(): Promise<string> {
  const app = await startApp(new URL(dashboard.relay.url).origin);
  const { page } = await dashboard.open({
    path: new URL(app.address).pathname + new URL(app.address).search,
    token: null,
  });
  await signIn(page);
  await page.getByLabel('Your password').fill(OWNER.password);
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.waitForURL((url) => url.pathname === CALLBACK);
  const token = await app.exchange(page);
  await page.context().close();
  return token;
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email address').fill(OWNER.email);
  await page.getByLabel('Password').fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
