/** Publications over GraphQL, through the whole API. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPublishedHome, type PublishedHome } from '../../app/publications/publication-fixture.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../../support/rest-client.ts';

const SELECTION = 'scope roomIds types accessoryIds serviceGroupIds sceneIds exceptIds';
const PUBLICATION = `id homeId name kind hasLockPin paused status error createdAt selection { ${SELECTION} }
  bridges { id name port deviceId setupCode setupUri configNumber passcode discriminator manualCode qrCode
    hasMatterPort windowEndsAt accessories controllers }
  controllers { identifier bridgeId isAdmin pairedAt lastSeenAt isConnected address }`;
const CREATE = `mutation($homeId: String, $name: String!, $kind: String!, $selection: PublicationSelectionInput) {
  createPublication(homeId: $homeId, name: $name, kind: $kind, selection: $selection) { ${PUBLICATION} } }`;
const PREVIEW = `query($homeId: String, $kind: String!, $selection: PublicationSelectionInput, $publicationId: String) {
  publicationPreview(homeId: $homeId, kind: $kind, selection: $selection, publicationId: $publicationId) {
    items { id kind name room publishedAs bridge reason note } bridges { name accessories } warnings } }`;
const WHOLE = { roomIds: [], types: [], accessoryIds: [], serviceGroupIds: [], sceneIds: [], exceptIds: [] };
const PHONE = 'F1B2C3D4-0000-4000-8000-0123456789AB';

let home: PublishedHome;
let client: RestClient;

beforeEach(async () => {
  home = await openPublishedHome();
  client = createRestClient(createTestApi(home), undefined, { viaSocket: true });
});
afterEach(() => home.close());

async function ask(query: string, variables?: object) {
  const { body } = await client.post('/graphql', { query, variables });
  expect(body.errors).toBeUndefined();
  return body.data;
}

async function publish(input: object = {}) {
  const variables = { homeId: home.home.id, name: 'Hearth', kind: 'homekit', ...input };
  return (await ask(CREATE, variables)).createPublication;
}

describe('publications in GraphQL', () => {
  it('are created for the whole home, with what it takes to add the bridge, and are listed', async () => {
    const created = await publish();
    expect(created).toMatchObject({
      homeId: home.home.id,
      ...{ name: 'Hearth', kind: 'homekit', paused: false, status: 'open', error: null },
      selection: { scope: 'home', ...WHOLE },
      controllers: [],
    });
    expect(created.bridges).toEqual([
      expect.objectContaining({
        name: 'Hearth',
        port: expect.any(Number),
        setupCode: expect.stringMatching(/^\d{3}-\d{2}-\d{3}$/),
        setupUri: expect.stringMatching(/^X-HM:\/\//),
        ...{ passcode: null, manualCode: null, qrCode: null, controllers: 0 },
        ...{ hasMatterPort: null, windowEndsAt: null },
      }),
    ]);
    expect(await ask(`{ publications { ${PUBLICATION} } }`)).toEqual({ publications: [created] });
    expect(await ask(`query($id: String!) { publication(publicationId: $id) { ${PUBLICATION} } }`, created)).toEqual({
      publication: created,
    });
  });

  it('are renamed without losing their selection, and get another one as a whole', async () => {
    const lamp = home.named('Lamp');
    const { id } = await publish({ selection: { scope: 'selected', accessoryIds: [lamp.id] } });
    const change = `mutation($id: String!, $name: String, $selection: PublicationSelectionInput) {
      updatePublication(publicationId: $id, name: $name, selection: $selection) { ${PUBLICATION} } }`;
    const renamed = (await ask(change, { id, name: 'Home' })).updatePublication;
    expect(renamed).toMatchObject({ name: 'Home', selection: { scope: 'selected', accessoryIds: [lamp.id] } });
    const selection = { scope: 'selected', roomIds: [lamp.roomId], accessoryIds: null };
    const changed = (await ask(change, { id, selection })).updatePublication;
    expect(changed.selection).toEqual({ scope: 'selected', ...WHOLE, roomIds: [lamp.roomId] });
  });

  it('have a PIN for locks that is never shown; an empty text removes it, null does not', async () => {
    const create = `mutation($homeId: String, $lockPin: String) {
      createPublication(homeId: $homeId, name: "Hearth", kind: "matter", lockPin: $lockPin) { id hasLockPin } }`;
    const { id, hasLockPin } = (await ask(create, { homeId: home.home.id, lockPin: '482915' })).createPublication;
    expect(hasLockPin).toBe(true);
    const change = `mutation($id: String!, $lockPin: String) {
      updatePublication(publicationId: $id, lockPin: $lockPin) { hasLockPin } }`;
    const changed = async (lockPin: string | null) => (await ask(change, { id, lockPin })).updatePublication.hasLockPin;
    expect([await changed(null), await changed('4711'), await changed('')]).toEqual([true, true, false]);
    const { body, text } = await client.post('/graphql', { query: change, variables: { id, lockPin: 'secret' } });
    expect(body.errors[0].extensions).toMatchObject({ code: 'INVALID_VALUE', field: 'lockPin' });
    expect(text).not.toContain('secret');
  });

  it('are previewed before they are saved, and afterwards', async () => {
    const variables = { homeId: home.home.id, kind: 'homekit' };
    const { publicationPreview } = await ask(PREVIEW, variables);
    expect(publicationPreview.bridges).toEqual([{ name: 'New publication', accessories: expect.any(Number) }]);
    expect(publicationPreview.items).toContainEqual(
      expect.objectContaining({ kind: 'accessory', name: 'Lamp', publishedAs: 'light', reason: null, note: null }),
    );
    expect(await ask('{ publications { id } }')).toEqual({ publications: [] });
    const { id } = await publish();
    const selection = { scope: 'home', exceptIds: [home.named('Lamp').id] };
    const changed = await ask(PREVIEW, { ...variables, publicationId: id, selection });
    expect(changed.publicationPreview.items.map(({ name }: { name: string }) => name)).not.toContain('Lamp');
  });

  it('are paused and resumed, and reset with other codes', async () => {
    const { id, bridges } = await publish();
    const act = async (name: string) => {
      return (await ask(`mutation($id: String!) { ${name}(publicationId: $id) { ${PUBLICATION} } }`, { id }))[name];
    };
    expect(await act('pausePublication')).toMatchObject({ paused: true, status: 'paused' });
    expect(home.bridges.running).toEqual([]);
    expect(await act('resumePublication')).toMatchObject({ paused: false, status: 'open' });
    const reset = await act('resetPublication');
    expect(reset.status).toBe('open');
    expect(reset.bridges[0].deviceId).not.toBe(bridges[0].deviceId);
  });

  it('lose a controller that an admin removes, and end', async () => {
    const { id, bridges } = await publish();
    const { deps } = home.bridges.named('Hearth');
    deps.controllers.put({ identifier: PHONE, publicKey: Buffer.alloc(32), isAdmin: true });
    const controllers = `query($id: String!) { publicationControllers(publicationId: $id) { identifier bridgeId isAdmin isConnected } }`;
    expect((await ask(controllers, { id })).publicationControllers).toEqual([
      { identifier: PHONE, bridgeId: bridges[0].id, isAdmin: true, isConnected: false },
    ]);
    const remove = `mutation($id: String!, $identifier: String!) {
      removePublicationController(publicationId: $id, identifier: $identifier) { success code publicationId identifier } }`;
    const outcome = { publicationId: id, identifier: PHONE };
    expect((await ask(remove, { id, identifier: PHONE })).removePublicationController).toEqual({
      ...{ success: true, code: null },
      ...outcome,
    });
    expect((await ask(remove, { id, identifier: PHONE })).removePublicationController).toEqual({
      ...{ success: false, code: 'not_found' },
      ...outcome,
    });
    const end = 'mutation($id: String!) { deletePublication(publicationId: $id) { success code publicationId } }';
    expect((await ask(end, { id })).deletePublication).toEqual({ success: true, code: null, publicationId: id });
    expect((await ask(end, { id })).deletePublication).toMatchObject({ success: false, code: 'not_found' });
  });

  it('report what is wrong with a request as errors of the field', async () => {
    await publish();
    const refused = async (input: object) => {
      const variables = { homeId: home.home.id, name: 'Second', kind: 'homekit', ...input };
      const { body } = await client.post('/graphql', { query: CREATE, variables });
      return body.errors[0].extensions;
    };
    expect(await refused({ name: 'hearth' })).toMatchObject({ reason: 'conflict', field: 'name' });
    expect(await refused({ kind: 'zigbee' })).toMatchObject({ code: 'INVALID_VALUE', field: 'kind' });
    expect(await refused({ selection: { scope: 'selected', roomIds: ['nowhere'] } })).toMatchObject({
      field: 'selection.roomIds',
    });
  });

  it('are not shown to an access token, which acts for an admin', async () => {
    await publish();
    const program = createRestClient(createTestApi(home), createToken(home));
    const { body, text } = await program.post('/graphql', { query: '{ publications { bridges { setupCode } } }' });
    expect(body.errors[0].extensions.code).toBe('FORBIDDEN');
    expect(text).not.toMatch(/\d{3}-\d{2}-\d{3}/);
  });
});
