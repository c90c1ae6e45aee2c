/** One setting: what it is, what holds and who says so, and changing it. A switch and a choice act at once, what is typed when it is saved. */
import { Button, NativeSelect, NumberInput, PasswordInput, Switch, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useAct } from '../../../api/query.ts';
import { commonTexts } from '../../../texts/common/common.ts';
import { useTexts } from '../../../texts/texts.ts';
import { useErrorText } from '../../../ui/error-text.ts';
import { showToast } from '../../../ui/toasts.tsx';
import { systemTexts } from '../texts/texts.ts';
import { type Setting, textOfValue, UpdateRelaySettings, valueOfText } from './relay-settings.ts';
import classes from './settings-page.module.css';

export function SettingField({ setting }: { readonly setting: Setting }) {
  const t = useTexts(systemTexts).settings;
  const textOf = useErrorText();
  const { name, source, setBy } = setting;
  const update = useAct(UpdateRelaySettings, { subjects: ['relay'] });
  const [label = name, help = setting.meaning] = Object.hasOwn(t.names, name)
    ? t.names[name as keyof typeof t.names]
    : [];
  const set = async (value: unknown, said: string): Promise<boolean> => {
    try {
      await update.mutateAsync({ settings: { [name]: value } });
      showToast({ text: said });
      return true;
    } catch {
      // Told at the field.
      return false;
    }
  };
  return (
    <div className={classes.setting}>
      <Input
        // What was set elsewhere takes the place of what stands in the field.
        key={textOfValue(setting.value)}
        setting={setting}
        label={label}
        help={setBy ? t.fixed(setBy) : help}
        error={update.error ? textOf(update.error) : undefined}
        isBusy={update.isPending}
        onSet={(value) => set(value, t.saved)}
      />
      {source !== 'default' && (
        <p className={classes.origin}>
          <span className={classes.source} data-source={source}>
            {Object.hasOwn(t.source, source) ? t.source[source as keyof typeof t.source] : source}
          </span>
          {source === 'stored' && (
            <button
              type="button"
              className={classes.reset}
              aria-label={`${t.reset}: ${label}`}
              onClick={() => void set(null, t.resetDone(label))}
            >
              {t.reset}
            </button>
          )}
        </p>
      )}
    </div>
  );
}

interface InputProps {
  readonly setting: Setting;
  readonly label: string;
  readonly help: string;
  readonly error: string | undefined;
  readonly isBusy: boolean;
  /** @returns whether it was taken. */
  onSet(value: unknown): Promise<boolean>;
}

function Input(props: InputProps) {
  const { setting, label, help, error, isBusy, onSet } = props;
  const t = useTexts(systemTexts).settings;
  const isFixed = setting.setBy !== null;
  const shared = { label, description: help, error, size: 'md', disabled: isFixed || isBusy } as const;
  if (setting.kind === 'switch') {
    return (
      <Switch
        {...shared}
        checked={setting.value === true}
        onChange={({ currentTarget }) => void onSet(currentTarget.checked)}
      />
    );
  }
  if (setting.kind === 'choice') {
    const data = (setting.choices ?? []).map((value) => ({
      value,
      label: Object.hasOwn(t.levels, value) ? t.levels[value as keyof typeof t.levels] : value,
    }));
    return (
      <NativeSelect
        {...shared}
        data={data}
        value={textOfValue(setting.value)}
        onChange={({ currentTarget }) => void onSet(currentTarget.value)}
      />
    );
  }
  return <TypedInput {...props} />;
}

function TypedInput({ setting, label, help, error, isBusy, onSet }: InputProps) {
  const t = useTexts(systemTexts).settings;
  const common = useTexts(commonTexts);
  const kept = setting.isSecret ? '' : textOfValue(setting.value);
  const [text, setText] = useState(kept);
  const isFixed = setting.setBy !== null;
  const shared = { label, description: help, error, size: 'md', disabled: isFixed } as const;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const value = valueOfText(text, setting.isList);
    const done = await onSet(setting.kind === 'number' && value !== null ? Number(value) : value);
    if (done && setting.isSecret) setText('');
  };
  const onText = ({ currentTarget }: { currentTarget: { value: string } }) => setText(currentTarget.value);
  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)}>
      {setting.kind === 'number' ? (
        <NumberInput
          {...shared}
          value={text}
          onChange={(value) => setText(String(value))}
          allowDecimal={false}
          hideControls
        />
      ) : setting.isSecret ? (
        <PasswordInput
          {...shared}
          value={text}
          onChange={onText}
          placeholder={setting.isSet ? t.secretSet : t.secretUnset}
          autoComplete="off"
        />
      ) : setting.isList ? (
        <Textarea
          {...shared}
          description={`${help} · ${t.listHint}`}
          value={text}
          onChange={onText}
          autosize
          minRows={1}
        />
      ) : (
        <TextInput {...shared} value={text} onChange={onText} placeholder={t.notSet} spellCheck={false} />
      )}
      {text !== kept && (
        <div className={classes.buttons}>
          <Button type="submit" loading={isBusy}>
            {t.save}
          </Button>
          <Button variant="default" onClick={() => setText(kept)}>
            {common.cancel}
          </Button>
        </div>
      )}
    </form>
  );
}
