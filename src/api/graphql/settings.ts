/**
 * Settings that clients store for a user, as one string that holds a JSON object; the relay defines `developerMode` in
 * it (decisions §7).
 */
import { builder } from './builder.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';
import { decodeJson } from './scalars.ts';

/** The settings as an object. */
interface StoredSettings {
  readonly data: object;
}

const UserSettings = builder.objectRef<StoredSettings>('UserSettings').implement({
  description: 'What clients keep for a person.',
  fields: (t) => ({
    data: t.string({
      nullable: false,
      description:
        'A text that holds a JSON object. `developerMode`: whether sessions may manage access tokens and webhooks.',
      resolve: ({ data }) => JSON.stringify(data),
    }),
  }),
});

const UpdateSettingsResult = builder
  .objectRef<ActionResult & { readonly settings: StoredSettings | null }>('UpdateSettingsResult')
  .implement({
    description: 'The settings as they are now, or why they are as they were.',
    interfaces: [MutationResult],
    fields: (t) => ({
      settings: t.expose('settings', { type: UserSettings, description: 'All of them; null where it failed.' }),
    }),
  });

builder.queryFields((t) => ({
  settings: t.field({
    type: UserSettings,
    description: 'What clients keep for the user that the caller acts for.',
    resolve: (_, __, { caller, deps }) => ({ data: deps.userSettings.get(caller) }),
  }),
}));

builder.mutationFields((t) => ({
  updateSettings: t.field({
    type: UpdateSettingsResult,
    description:
      'Replaces those keys that are given; null takes one away. All together 64 KiB at most. For sessions only.',
    args: { data: t.arg({ type: 'JSON', required: true, description: 'A JSON object, as a text or as it is.' }) },
    resolve: (_, { data }, { caller, deps }) =>
      reportOutcome<{ settings: StoredSettings | null }, { settings: null }>(
        () => ({ settings: { data: deps.userSettings.update(caller, decodeJson(data, 'data')) } }),
        { settings: null },
      ),
  }),
}));
