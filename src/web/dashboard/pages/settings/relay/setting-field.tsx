/**
 * One setting: its name, its value, and the source of the value. Switches and selects apply at once, text when the
 * field is left.
 */
import systemTexts from 'texts:system';
import { Group, NativeSelect, NumberInput, PasswordInput, Switch, Textarea, TextInput } from '@mantine/core';
import { useTexts } from '../../../texts/texts.ts';
import classes from './relay-settings.module.css';
import { type Setting, textOfValue, wordsOf } from './relay-settings.ts';

interface SettingFieldProps {
  readonly setting: Setting;
  /** The input; empty for a setting that is not a text field. */
  readonly text: string;
  readonly error: string | undefined;
  readonly isBusy: boolean;
  onType(text: string): void;
  onSet(value: unknown): void;
  /** Resets the setting to its default. */
  onReset(): void;
}

export function SettingField(props: SettingFieldProps) {
  const t = useTexts(systemTexts).settings;
  const { source } = props.setting;
  const { label } = wordsOf(props.setting, t.names);
  return (
    <div className={classes.setting} data-setting={props.setting.name}>
      <Input {...props} />
      {source !== 'default' && (
        <Group component="p" gap="4px 12px" m={0} mih="var(--h-target)">
          <span className={classes.source} data-source={source}>
            {Object.hasOwn(t.source, source) ? t.source[source as keyof typeof t.source] : source}
          </span>
          {source === 'stored' && (
            <button
              type="button"
              className={classes.reset}
              aria-label={`${t.reset}: ${label}`}
              onClick={() => props.onReset()}
            >
              {t.reset}
            </button>
          )}
        </Group>
      )}
    </div>
  );
}

function Input({ setting, text, error, isBusy, onType, onSet }: SettingFieldProps) {
  const t = useTexts(systemTexts).settings;
  const { label, help } = wordsOf(setting, t.names);
  const description = setting.setBy ? t.fixed({ by: setting.setBy }) : help;
  const isFixed = setting.setBy !== null;
  const shared = { label, description, error, size: 'md', disabled: isFixed } as const;
  const typed = {
    ...shared,
    value: text,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onType(currentTarget.value),
  } as const;
  if (setting.kind === 'switch') {
    return (
      <Switch
        {...shared}
        disabled={isFixed || isBusy}
        checked={setting.value === true}
        onChange={({ currentTarget }) => onSet(currentTarget.checked)}
      />
    );
  }
  if (setting.kind === 'choice') {
    const labels: Readonly<Record<string, string>> = { ...t.levels, ...t.audiences };
    const data = (setting.choices ?? []).map((value) => ({ value, label: labels[value] ?? value }));
    return (
      <NativeSelect
        {...shared}
        disabled={isFixed || isBusy}
        data={data}
        value={textOfValue(setting.value)}
        onChange={({ currentTarget }) => onSet(currentTarget.value)}
      />
    );
  }
  if (setting.kind === 'number') {
    return <NumberInput {...typed} onChange={(value) => onType(String(value))} allowDecimal={false} hideControls />;
  }
  if (setting.isSecret) {
    return <PasswordInput {...typed} placeholder={setting.isSet ? t.secretSet : t.notSet} autoComplete="off" />;
  }
  if (setting.isList) {
    return (
      <Textarea
        {...typed}
        description={`${description} · ${t.listHint}`}
        placeholder={t.notSet}
        spellCheck={false}
        autosize
        minRows={1}
      />
    );
  }
  return <TextInput {...typed} placeholder={t.notSet} spellCheck={false} />;
}
