/** The settings of one subject. Text fields are saved together, because some depend on others. */
import commonTexts from 'texts:common';
import systemTexts from 'texts:system';
import { Button, Group } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ApiError } from '../../../api/api-error.ts';
import { refreshed, useApiMutation } from '../../../api/query.ts';
import { useTexts } from '../../../texts/texts.ts';
import { useErrorText } from '../../../ui/error-text.ts';
import { useLeaveGuard } from '../../../ui/leave-guard.ts';
import { ErrorNotice, Section } from '../../../ui/page.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import {
  isTyped,
  keptText,
  type Setting,
  UpdateRelaySettings,
  valueOfTyped,
  withDependents,
  wordsOf,
} from './relay-settings.ts';
import { SettingField } from './setting-field.tsx';

interface Draft {
  readonly text: string;
  /** The value before editing: if another client changes the setting, the new value replaces the draft. */
  readonly over: string;
}

interface SettingSectionProps {
  /** The address of the section within the page. */
  readonly id: string;
  readonly title: string;
  readonly settings: readonly Setting[];
}

export function SettingSection({ id, title, settings }: SettingSectionProps) {
  const t = useTexts(systemTexts).settings;
  const common = useTexts(commonTexts);
  const errorAt = useErrorAt(settings);
  const form = useForm<Readonly<Record<string, Draft | undefined>>>({ initialValues: {} });
  const update = useApiMutation(UpdateRelaySettings, { subjects: ['relay'] });
  const textOf = (setting: Setting) => {
    const kept = keptText(setting);
    const draft = form.values[setting.name];
    return draft?.over === kept ? draft.text : kept;
  };
  const changed = settings.filter((setting) => isTyped(setting) && textOf(setting) !== keptText(setting));
  useLeaveGuard(changed.length > 0);
  const set = async (values: Readonly<Record<string, unknown>>, given: string): Promise<void> => {
    const sent = form.values;
    try {
      await update.mutateAsync({ settings: values });
      showToast({ text: given });
      // Until the relay returns the stored value, the field shows the submitted one; input made meanwhile stays.
      await refreshed('relay');
      for (const name of Object.keys(values)) {
        form.setFieldValue(name, (draft) => (draft?.text === sent[name]?.text ? undefined : draft));
      }
    } catch {
      // The field shows the error.
    }
  };
  const submit = () => {
    if (changed.length === 0) return;
    void set(Object.fromEntries(changed.map((one) => [one.name, valueOfTyped(one, textOf(one))])), t.saved);
  };
  const cancel = () => {
    form.reset();
    update.reset();
  };
  const error = errorAt(update.error);
  return (
    <Section id={id} title={title}>
      {/* The relay's error texts are more precise than the browser's own validation messages. */}
      <form noValidate onSubmit={form.onSubmit(submit)}>
        {settings.map((setting) => (
          <SettingField
            key={setting.name}
            setting={setting}
            text={textOf(setting)}
            error={error?.at === setting.name ? error.text : undefined}
            isBusy={update.isPending}
            onType={(text) => form.setFieldValue(setting.name, { text, over: keptText(setting) })}
            onSet={(value) => void set({ [setting.name]: value }, t.saved)}
            onReset={() =>
              void set(
                Object.fromEntries(withDependents(setting, settings).map((name) => [name, null])),
                t.resetDone({ name: wordsOf(setting, t.names).label }),
              )
            }
          />
        ))}
        {update.error && !error && <ErrorNotice error={update.error} />}
        {changed.length > 0 && (
          <Group gap={8} align="stretch">
            <Button type="submit" loading={update.isPending}>
              {t.save}
            </Button>
            <Button variant="default" onClick={cancel}>
              {common.cancel}
            </Button>
          </Group>
        )}
      </form>
    </Section>
  );
}

/** The error, and the field that it belongs to. */
function useErrorAt(settings: readonly Setting[]) {
  const t = useTexts(systemTexts).settings;
  const textOf = useErrorText();
  return (error: unknown): { readonly at: string; readonly text: string } | undefined => {
    if (!(error instanceof ApiError)) return undefined;
    const at = settings.find(({ name }) => name === error.field)?.name;
    if (at === undefined) return undefined;
    const isBad = error.reason === 'bad_setting' && Object.hasOwn(t.wrong, at);
    return { at, text: isBad ? t.wrong[at as keyof typeof t.wrong] : textOf(error) };
  };
}
