/** The actions of a scene to change: a tile opens its accessory's values, each with an input that fits it. */
import commonTexts from 'texts:common';
import scenesTexts from 'texts:scenes';
import { Button, CloseButton, Group, Stack } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useHome } from '../../home/use-home.ts';
import { AccessoryPropertyPicker } from '../../pickers/accessory-property-picker.tsx';
import { choicesOf, findProperty, isChoice, type Property, type PropertyRef } from '../../pickers/property.ts';
import { setText, useWords } from '../../pickers/property-words.ts';
import { ValueInput } from '../../pickers/value-input.tsx';
import { useTexts } from '../../texts/texts.ts';
import { ActionTiles } from './action-tiles.tsx';
import classes from './actions.module.css';
import {
  type DraftAction,
  keyOf,
  refOf,
  type SceneDraft,
  withAction,
  withoutAction,
  withValue,
} from './scene-draft.ts';

interface ActionEditorProps {
  readonly draft: SceneDraft;
  readonly onChange: (draft: SceneDraft) => void;
}

export function ActionEditor({ draft, onChange }: ActionEditorProps) {
  const [isAdding, setAdding] = useState(false);
  const [openId, setOpenId] = useState<string>();
  const t = useTexts(scenesTexts);
  const inputs = (actions: readonly DraftAction[]) => (
    <Stack component="ul" gap={10} className="h-bare">
      {actions.map((action) => (
        <ActionRow key={keyOf(action)} action={action} draft={draft} onChange={onChange} />
      ))}
    </Stack>
  );
  return (
    <>
      <ActionTiles actions={draft.actions} editing={{ openId, onOpen: setOpenId, inputs }} />
      {isAdding ? (
        <AddAction
          onAdd={(ref, value) => {
            onChange(withAction(draft, ref, value));
            setAdding(false);
            setOpenId(ref.accessoryId);
          }}
          onCancel={() => setAdding(false)}
        />
      ) : (
        <Button
          variant="default"
          leftSection={<Plus size={18} aria-hidden />}
          onClick={() => setAdding(true)}
          style={{ alignSelf: 'flex-start' }}
        >
          {t.addAction}
        </Button>
      )}
    </>
  );
}

function ActionRow({ action, draft, onChange }: ActionEditorProps & { readonly action: DraftAction }) {
  const t = useTexts(scenesTexts);
  const inventory = useHome();
  const words = useWords();
  const key = keyOf(action);
  const property = findProperty(inventory, refOf(action));
  const sentence = property
    ? setText(inventory, refOf(action), action.value, words)
    : (action.kept?.accessoryName ?? t.gone);
  return (
    <li className={classes.action}>
      <span>{sentence}</span>
      <div className={classes.value}>
        {property && (
          <ValueInput
            property={property}
            value={action.value}
            onChange={(value) => value !== undefined && onChange(withValue(draft, key, value))}
          />
        )}
      </div>
      <CloseButton
        size="xl"
        className={classes.remove ?? ''}
        aria-label={t.removeAction({ what: sentence })}
        title={t.removeAction({ what: sentence })}
        onClick={() => onChange(withoutAction(draft, key))}
      />
    </li>
  );
}

interface AddActionProps {
  readonly onAdd: (ref: PropertyRef, value: unknown) => void;
  readonly onCancel: () => void;
}

const isSettable = ({ characteristic }: Property) => characteristic.canWrite;

function AddAction({ onAdd, onCancel }: AddActionProps) {
  const t = useTexts(scenesTexts);
  const common = useTexts(commonTexts);
  const inventory = useHome();
  const [ref, setRef] = useState<PropertyRef>();
  const [value, setValue] = useState<unknown>();
  const property = ref && findProperty(inventory, ref);
  const choose = (next: PropertyRef) => {
    const found = findProperty(inventory, next);
    setRef(next);
    setValue(found && firstValue(found));
  };
  return (
    <fieldset className={classes.adding} aria-label={t.addAction}>
      <AccessoryPropertyPicker value={ref} onChange={choose} filter={isSettable} />
      {property && <ValueInput property={property} value={value} onChange={setValue} />}
      <Group gap={12} wrap="nowrap" miw={0}>
        <Button disabled={!ref || value === undefined} onClick={() => ref && onAdd(ref, value)}>
          {common.add}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {common.cancel}
        </Button>
      </Group>
    </fieldset>
  );
}

/** The current value, else the first possible one. */
function firstValue(property: Property): unknown {
  const { value, minValue } = property.characteristic;
  return value ?? (isChoice(property) ? choicesOf(property)[0] : (minValue ?? undefined));
}
