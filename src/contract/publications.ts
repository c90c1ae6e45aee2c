/** Publications: a home, or a part of it, shown to another ecosystem over HomeKit or Matter. */
import { z } from 'zod';
import { MAX_LOCK_PIN, MIN_LOCK_PIN } from '../home/vocabulary/lock-pins.ts';
import { flag, id, integer, name, success, text, texts, time, word } from './fields.ts';
import { EXAMPLE_DEVICE_ID } from './pairings.ts';
import { type Input, invalidValue, type Output } from './parse.ts';

const EXAMPLE_CONTROLLER = 'F1B2C3D4-0000-4000-8000-0123456789AB';

const Kind = word(
  ['homekit', 'matter'],
  '`homekit`: a bridge for Apple Home. `matter`: one for any Matter controller.',
);
export type PublicationKind = z.output<typeof Kind>;

const ids = (description: string) =>
  texts(description).transform((given): readonly string[] => [...new Set(given.map((one) => one.toLowerCase()))]);

const Selection = z.strictObject({
  scope: word(
    ['home', 'selected'],
    '`home`: every accessory of the home, also those that come later. `selected`: those that the lists name.',
  ),
  roomIds: ids('Every accessory in these rooms. Only with `selected`.').default([]),
  types: texts('Every accessory of these types: `light`, `lock` … Only with `selected`.', ['light']).default([]),
  accessoryIds: ids('These accessories. Only with `selected`.').default([]),
  serviceGroupIds: ids('These service groups, each as one accessory.').default([]),
  sceneIds: ids('These scenes, each as a switch.').default([]),
  exceptIds: ids('Accessories that stay unpublished, even if another field names them.').default([]),
});
export type PublicationSelection = Output<typeof Selection>;

const NAME = name('Publication name', {
  description: 'Unique in the home, ignoring case. Controllers show it as the name of the bridge.',
  example: 'Hearth',
});
const WHOLE_HOME: z.input<typeof Selection> = { scope: 'home' };

const homeId = text('The home. May be left out if the caller manages only one.').nullish();

const LOCK_PIN_LENGTHS = `${MIN_LOCK_PIN} to ${MAX_LOCK_PIN} digits`;
const PIN_OF_LOCKS = new RegExp(`^[0-9]{${MIN_LOCK_PIN},${MAX_LOCK_PIN}}$`);

/** @param removal the text that stands for no PIN */
function lockPin(description: string, removal?: string) {
  return text(`${description} Never shown afterwards.`, '482915').refine(
    (given) => given === removal || PIN_OF_LOCKS.test(given),
    { error: invalidValue(`a PIN for locks has ${LOCK_PIN_LENGTHS}`) },
  );
}

export const NewPublication = z.strictObject({
  name: NAME,
  kind: Kind,
  homeId,
  selection: Selection.prefault(WHOLE_HOME),
  lockPin: lockPin(`Matter: controllers must give it to lock or unlock, ${LOCK_PIN_LENGTHS}.`).nullish(),
});
export type NewPublication = Input<typeof NewPublication>;

/** Absent fields stay. */
export const PublicationChanges = z
  .strictObject({
    name: NAME,
    selection: Selection,
    lockPin: lockPin(`Another PIN for locks, ${LOCK_PIN_LENGTHS}. \`null\` or an empty text removes it.`, '')
      .nullable()
      .transform((given) => given || null),
  })
  .partial();
export type PublicationChanges = Input<typeof PublicationChanges>;

/** A publication that is not saved, or a change to a saved one. */
export const PreviewRequest = z.strictObject({
  kind: Kind,
  homeId,
  selection: Selection.prefault(WHOLE_HOME),
  publicationId: text('The saved publication that would have this selection.').optional(),
});
export type PreviewRequest = Input<typeof PreviewRequest>;

export const WindowRequest = z.strictObject({
  durationSeconds: integer('How long controllers can be added, in seconds.', 900).min(180).max(900).default(900),
});
export type WindowRequest = Input<typeof WindowRequest>;

/** One server on the network. Fields of the other kind are `null`. */
export const PublicationBridge = z
  .object({
    id: id(),
    name: text('As controllers show it.', 'Hearth'),
    port: integer('Its port; null while it is not open.', 51_826).nullable(),
    deviceId: text('HomeKit: its device id.', EXAMPLE_DEVICE_ID).nullable(),
    setupCode: text('HomeKit: what people type to add it.', '031-45-154').nullable(),
    setupUri: text('HomeKit: the text of the QR code.', 'X-HM://0023ISYWY7HMS').nullable(),
    configNumber: integer('HomeKit: `c#`, which rises when what is published changes.', 3).nullable(),
    passcode: integer('Matter: the setup passcode.', 20_202_021).nullable(),
    discriminator: integer('Matter: the discriminator.', 3_840).nullable(),
    manualCode: text('Matter: what people type to add it.', '34970112332').nullable(),
    qrCode: text('Matter: the text of the QR code.', 'MT:Y.K9042C00KA0648G00').nullable(),
    hasMatterPort: flag(
      'Matter: whether it is on UDP port 5540, the only one on which Alexa finds a bridge; null while it is not open.',
      true,
    ).nullable(),
    windowEndsAt: time(
      'Matter: until when a further controller can be added; null while none can. The first one can be added at any time.',
    ).nullable(),
    accessories: integer('How many accessories it has, itself not counted.', 12),
    controllers: integer('How many controllers are paired with it.', 1),
  })
  .meta({ id: 'PublicationBridge' });
export type PublicationBridge = Output<typeof PublicationBridge>;

export const Publication = z
  .object({
    id: id(),
    homeId: id('The home.'),
    name: NAME,
    kind: Kind,
    selection: Selection,
    hasLockPin: flag('Matter: whether controllers need a PIN to lock or unlock a lock.', false),
    paused: flag('Whether an admin paused it: controllers find nothing until it is resumed.'),
    status: word(['open', 'paused', 'starting', 'error'], '`open`: controllers can reach it.'),
    error: text('Why it is not open, as a sentence.').nullable(),
    bridges: z
      .array(PublicationBridge)
      .describe('One, and another for each 149 accessories and what must stand alone.'),
    createdAt: time('When it was created.'),
  })
  .meta({ id: 'Publication' });
export type Publication = Output<typeof Publication>;

/** Why something can't be published, and what to expect of what can. */
export const PUBLICATION_REMARKS = [
  ...(['from_hearthd', 'member_from_hearthd', 'members_missing', 'not_known_yet', 'too_many_options'] as const),
  ...(['apple_home_counter', 'apple_home_number', 'apple_home_text', 'apple_home_datetime'] as const),
  ...(['apple_home_nothing', 'camera_video', 'camera_without_video', 'camera_video_direct'] as const),
  ...(['alone_in_apple_home', 'new_in_apple_home', 'apple_home_empty', 'leaves_apple_home', 'bridge_full'] as const),
  ...(['matter_garage_door', 'matter_security_system', 'matter_humidifier', 'matter_television'] as const),
  ...(['matter_camera', 'matter_virtual', 'matter_nothing', 'matter_devices', 'new_in_matter'] as const),
  ...(['matter_uncertified', 'matter_empty', 'leaves_matter', 'alexa_limit'] as const),
] as const;
export type PublicationRemarkCode = (typeof PUBLICATION_REMARKS)[number];

const Remark = z
  .object({
    code: word(PUBLICATION_REMARKS, 'Which remark it is.'),
    count: integer('How many it is about; null where its sentence has no such number.', 2).nullable(),
    limit: integer('How many there can be; null where its sentence has no such number.', 149).nullable(),
  })
  .meta({ id: 'PublicationRemark' });
export type PublicationRemark = Output<typeof Remark>;

const PreviewItem = z
  .object({
    id: id('The accessory, the service group or the scene.'),
    kind: word(['accessory', 'group', 'scene']),
    name: text('Its name in the home.', 'Ceiling Lamp'),
    room: text('Its room; null for a scene.', 'Kitchen').nullable(),
    publishedAs: text('What controllers see: `light`, `switch` …; null if it can’t be published.', 'light').nullable(),
    bridge: text('The bridge that it is on; null if it can’t be published.', 'Hearth').nullable(),
    reason: text('Why it can’t be published, as a sentence; null if it can.').nullable(),
    note: text('What to expect, as a sentence: that Apple Home will treat it as a new accessory.').nullable(),
    remarks: z.array(Remark).describe('What `reason` or `note` consists of, for sentences in another language.'),
  })
  .meta({ id: 'PublicationPreviewItem' });
export type PublicationPreviewItem = Output<typeof PreviewItem>;

export const PublicationPreview = z
  .object({
    items: z.array(PreviewItem).describe('Everything that the selection names, by name.'),
    bridges: z
      .array(
        z
          .object({
            name: text('As controllers show it.', 'Hearth'),
            accessories: integer('How many accessories it would have.', 12),
          })
          .meta({ id: 'PublicationPreviewBridge' }),
      )
      .describe('The bridges that this takes.'),
    warnings: z.array(z.string()).describe('What else to expect, a sentence each.'),
    remarks: z.array(Remark).describe('One for each of `warnings`, for sentences in another language.'),
  })
  .meta({ id: 'PublicationPreview' });
export type PublicationPreview = Output<typeof PublicationPreview>;

export const PublicationController = z
  .object({
    identifier: text('How the bridge knows it.', EXAMPLE_CONTROLLER),
    bridgeId: id('The bridge that it is paired with.'),
    name: text('Matter: its ecosystem, and the name that it gave itself; null if unknown.', 'Alexa').nullable(),
    isAdmin: flag('Whether it may add and remove controllers.', true),
    pairedAt: time('When it was paired.'),
    lastSeenAt: time('When it was last connected; null if not since it was paired.').nullable(),
    isConnected: flag('Whether it is connected now.', true),
    address: text('Its network address while it is connected.', '192.168.1.30').nullable(),
  })
  .meta({ id: 'PublicationController' });
export type PublicationController = Output<typeof PublicationController>;

export const DeletedPublication = success({ publicationId: id() });
export const RemovedPublicationController = success({
  publicationId: id(),
  identifier: text('The controller.', EXAMPLE_CONTROLLER),
});
