/**
 * Settings that clients store for a user, as one string that holds a JSON object; the relay defines `developerMode` in
 * it (decisions §7).
 */
import { describeFields } from '../../contract/json-schema.ts';
import { Settings, SettingsChanges } from '../../contract/settings.ts';
import { builder } from './builder.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';
import { decodeJson } from './scalars.ts';

interface SettingsView {
  readonly data: Settings;
}

const UserSettings = builder.objectRef<SettingsView>('UserSettings').implement({
  description: 'What clients keep for a person.',
  fields: (t) => ({
    data: t.string({
      nullable: false,
      description: `A text that holds a JSON object. ${describedKeys()}`,
      resolve: ({ data }) => JSON.stringify(data),
    }),
  }),
});

const UpdateSettingsResult = builder
  .objectRef<ActionResult & { readonly settings: SettingsView | null }>('UpdateSettingsResult')
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
    description: `${SettingsChanges.description} For sessions only.`,
    args: { data: t.arg({ type: 'JSON', required: true, description: 'A JSON object, as a text or as it is.' }) },
    resolve: (_, { data }, { caller, deps }) =>
      reportOutcome<{ settings: SettingsView | null }, { settings: null }>(
        () => ({ settings: { data: deps.userSettings.update(caller, decodeJson(data, 'data')) } }),
        { settings: null },
      ),
  }),
}));

function describedKeys(): string {
  return describeFields(Settings)
    .map(({ name, description }) => `\`${name}\`: ${description}`)
    .join(' ');
}
