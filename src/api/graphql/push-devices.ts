/** Where single people receive notifications (API §2.4): their browsers and their ntfy topic. */
import { NewPushDevice, NewTestNotification, NtfyTopic, PushDevice, PushTest } from '../../contract/notifications.ts';
import { presentNtfyTopic, presentPushDevice } from '../present/notification.ts';
import { builder, LIST } from './builder.ts';
import { argumentsOf, fieldsOf } from './contract-fields.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';

/** The Cloud edition's push tokens. No relay holds any. */
interface PushToken {
  readonly id: string;
  readonly platform: string;
  readonly deviceName: string | null;
  readonly deviceFingerprint: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

const PushTokenInfo = builder.objectRef<PushToken>('PushTokenInfo').implement({
  description: 'A device that push messages are sent to. A Cloud feature: a relay has none, and pushes through ntfy.',
  fields: (t) => ({
    id: t.exposeString('id', { nullable: false, description: 'A UUID.' }),
    platform: t.exposeString('platform', { nullable: false, description: '`web`, `macos` or `ios`.' }),
    deviceName: t.exposeString('deviceName', { description: 'What its owner calls it.' }),
    deviceFingerprint: t.exposeString('deviceFingerprint', {
      nullable: false,
      description: 'Identifies the device.',
    }),
    createdAt: t.exposeString('createdAt', { nullable: false, description: 'ISO 8601.' }),
    lastUsedAt: t.exposeString('lastUsedAt', { description: 'ISO 8601.' }),
  }),
});

const RegisterPushTokenResult = builder.objectRef<ActionResult>('RegisterPushTokenResult').implement({
  description: 'Always fails: push tokens are a Cloud feature.',
  interfaces: [MutationResult],
});

const PushDeviceInfo = builder.objectRef<PushDevice>('PushDeviceInfo').implement({
  description: 'A browser on which a person receives notifications, also while no page is open (Web Push).',
  fields: (t) => fieldsOf(t, PushDevice),
});

const NtfyTopicInfo = builder.objectRef<NtfyTopic>('NtfyTopicInfo').implement({
  description: 'The ntfy topic of a person. It is as secret as a password.',
  fields: (t) => fieldsOf(t, NtfyTopic),
});

interface NtfyTopicOutcome extends ActionResult {
  readonly topic: NtfyTopic | null;
}

const CreateNtfyTopicResult = builder.objectRef<NtfyTopicOutcome>('CreateNtfyTopicResult').implement({
  description: 'A topic that gets the notifications of its person from now on.',
  interfaces: [MutationResult],
  fields: (t) => ({
    topic: t.expose('topic', { type: NtfyTopicInfo, description: 'Null where it failed.' }),
  }),
});

interface PushDeviceOutcome extends ActionResult {
  readonly device: PushDevice | null;
}

const AddPushDeviceResult = builder.objectRef<PushDeviceOutcome>('AddPushDeviceResult').implement({
  description: 'A device that receives notifications from now on.',
  interfaces: [MutationResult],
  fields: (t) => ({
    device: t.expose('device', { type: PushDeviceInfo, description: 'Null where it failed.' }),
  }),
});

const RemovePushDeviceResult = builder.objectRef<ActionResult>('RemovePushDeviceResult').implement({
  description: 'Whether the device is gone.',
  interfaces: [MutationResult],
});

const PushTestInfo = builder.objectRef<PushTest>('PushTestInfo').implement({
  description: 'The answer of a push service.',
  fields: (t) => fieldsOf(t, PushTest),
});

builder.queryFields((t) => ({
  pushTokens: t.field({
    type: [PushTokenInfo],
    nullable: LIST,
    description: 'Always empty: push tokens are a Cloud feature.',
    resolve: () => [],
  }),
  ntfyTopic: t.field({
    type: NtfyTopicInfo,
    nullable: true,
    description: 'The signed-in user’s own ntfy topic, if there is one.',
    resolve: (_, __, { caller, deps }) => {
      const topic = deps.ntfyTopics.find(caller);
      return topic ? presentNtfyTopic(topic) : null;
    },
  }),
  pushKey: t.string({
    nullable: true,
    description: 'The key that browsers subscribe with: `applicationServerKey`. For a signed-in user.',
    resolve: (_, __, { caller, deps }) => deps.pushDevices.publicKey(caller),
  }),
  pushDevices: t.field({
    type: [PushDeviceInfo],
    nullable: LIST,
    description: 'The signed-in user’s browsers that receive notifications, oldest first.',
    resolve: (_, __, { caller, deps }) => deps.pushDevices.list(caller).map(presentPushDevice),
  }),
}));

builder.mutationFields((t) => ({
  registerPushToken: t.field({
    type: RegisterPushTokenResult,
    description: 'Always fails: push tokens are a Cloud feature.',
    args: {
      token: t.arg.string({ required: true }),
      platform: t.arg.string({ required: true }),
      deviceFingerprint: t.arg.string({ required: true }),
      deviceName: t.arg.string(),
    },
    resolve: (_, __, { caller, deps }) => reportOutcome(() => deps.notifications.registerPushToken(caller), {}),
  }),
  unregisterPushToken: t.boolean({
    nullable: true,
    description: 'Whether a token was removed. False always: there is none.',
    args: { deviceFingerprint: t.arg.string({ required: true }) },
    resolve: () => false,
  }),
  createNtfyTopic: t.field({
    type: CreateNtfyTopicResult,
    description: 'Makes an ntfy topic with a random name for the signed-in user. The one before gets nothing more.',
    resolve: (_, __, { caller, deps }) =>
      reportOutcome<Pick<NtfyTopicOutcome, 'topic'>, Pick<NtfyTopicOutcome, 'topic'>>(
        () => ({ topic: presentNtfyTopic(deps.ntfyTopics.create(caller)) }),
        { topic: null },
      ),
  }),
  removeNtfyTopic: t.boolean({
    nullable: true,
    description: 'Sends nothing more to the signed-in user’s ntfy topic. False if there was none.',
    resolve: (_, __, { caller, deps }) => deps.ntfyTopics.remove(caller),
  }),
  testNtfyTopic: t.field({
    type: PushTestInfo,
    nullable: true,
    description: 'Sends a message to the signed-in user’s ntfy topic, and waits for the server.',
    args: argumentsOf(t.arg, NewTestNotification),
    resolve: async (_, { message }, { caller, deps }) => {
      const failure = await deps.notifications.sendTestToTopic(caller, message ?? null);
      return { success: failure === null, failure };
    },
  }),
  addPushDevice: t.field({
    type: AddPushDeviceResult,
    description:
      'Sends notifications to a browser of the signed-in user, also while no page is open. The device goes with the account, and when the session that added it is ended.',
    args: argumentsOf(t.arg, NewPushDevice),
    resolve: (_, device, { caller, deps }) =>
      reportOutcome<Pick<PushDeviceOutcome, 'device'>, Pick<PushDeviceOutcome, 'device'>>(
        () => ({ device: presentPushDevice(deps.pushDevices.add(caller, device)) }),
        { device: null },
      ),
  }),
  removePushDevice: t.field({
    type: RemovePushDeviceResult,
    description: 'Sends no more notifications to a browser of the signed-in user.',
    args: { id: t.arg.string({ required: true }) },
    resolve: (_, { id }, { caller, deps }) =>
      reportOutcome(() => {
        deps.pushDevices.remove(caller, id);
        return {};
      }, {}),
  }),
  testPushDevice: t.field({
    type: PushTestInfo,
    nullable: true,
    description: 'Sends a message to a browser of the signed-in user, and waits for the push service.',
    args: { id: t.arg.string({ required: true }), ...argumentsOf(t.arg, NewTestNotification) },
    resolve: async (_, { id, message }, { caller, deps }) => {
      const failure = await deps.notifications.sendTestToDevice(caller, id, message ?? null);
      return { success: failure === null, failure };
    },
  }),
}));
