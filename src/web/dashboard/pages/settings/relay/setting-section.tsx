/**
 * The settings of one subject. A change applies at once, text when its field is left; fields that are valid only
 * together wait until the section is left. What was refused stays in its field.
 */
import commonTexts from 'texts:common';
import systemTexts from 'texts:system';
import { useForm } from '@mantine/form';
import { type FocusEvent, useRef, useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { refreshed, useApiMutation } from '../../../api/query.ts';
import { useTexts } from '../../../texts/texts.ts';
import { useErrorText } from '../../../ui/error-text.ts';
import { useLeaveGuard } from '../../../ui/leave-guard.ts';
import { ErrorNotice } from '../../../ui/page.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { SettingsSection } from '../settings-section.tsx';
import {
  isTyped,
  keptText,
  needsOthers,
  type Setting,
  UpdateRelaySettings,
  valueBefore,
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
  const [isSaving, setSaving] = useState(false);
  const refused = useRef('');
  const place = useRef<HTMLFormElement>(null);
  useLeaveGuard(changed.length > 0 && !isSaving);
  const set = async (values: Readonly<Record<string, unknown>>, given: string): Promise<void> => {
    const sent = form.values;
    const before = Object.keys(values).map((name) => {
      const setting = settings.find((one) => one.name === name);
      return [name, setting && valueBefore(setting)] as const;
    });
    const undo = { label: common.undo, run: () => void set(Object.fromEntries(before), t.undone) };
    const canUndo = given === t.saved && before.every(([, value]) => value !== undefined);
    setSaving(true);
    try {
      await update.mutateAsync({ settings: values });
      refused.current = '';
      showToast({ text: given, ...(canUndo && { action: undo }) });
      // Until the relay returns the stored value, the field shows the submitted one; input made meanwhile stays.
      await refreshed('relay');
      for (const name of Object.keys(values)) {
        form.setFieldValue(name, (draft) => (draft?.text === sent[name]?.text ? undefined : draft));
      }
    } catch (error) {
      // The field shows the error, if the page still does.
      if (error instanceof ApiError && error.field) refused.current = JSON.stringify(values);
      if (!place.current) showToast({ text: t.notSaved, tone: 'bad' });
    } finally {
      setSaving(false);
    }
  };
  const typed = Object.fromEntries(changed.map((one) => [one.name, valueOfTyped(one, textOf(one))]));
  const submit = () => {
    if (changed.length > 0) void set(typed, t.saved);
  };
  const leave = ({ target, currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    const field = target.closest<HTMLElement>('[data-setting]');
    const setting = settings.find(({ name }) => name === field?.dataset.setting);
    if (!setting || field?.contains(relatedTarget)) return;
    if (needsOthers(setting) && currentTarget.contains(relatedTarget)) return;
    // A text that was refused is not sent again until it changes.
    if (refused.current !== JSON.stringify(typed)) submit();
  };
  const error = errorAt(update.error);
  return (
    <SettingsSection id={id} title={title}>
      {/* The relay's error texts are more precise than the browser's own validation messages. */}
      <form ref={place} noValidate onSubmit={form.onSubmit(submit)} onBlur={leave}>
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
        {/* Without a button, a form with several fields ignores Enter. */}
        <button type="submit" hidden />
      </form>
    </SettingsSection>
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
