/** A name, and the members. */
import commonTexts from 'texts:common';
import groupsTexts from 'texts:groups';
import { Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core';
import { MAX_NAME_LENGTH } from '../../../../home/vocabulary/limits.ts';
import { useHome } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { EntityDialog } from '../../ui/entity-dialog.tsx';
import type { MemberOption } from './members.ts';
import { type NamedSet, type SetSort, saveSet } from './set-acts.ts';

interface SetDialogProps {
  readonly title: string;
  readonly sort: SetSort;
  /** The set to edit; undefined for a new one. */
  readonly set: NamedSet | undefined;
  readonly options: readonly MemberOption[];
  /** For members that depend on a choice. */
  readonly kinds?: {
    readonly value: string;
    readonly data: readonly { readonly value: string; readonly label: string }[];
    readonly onChange: (kind: string) => void;
  };
  readonly mayBeEmpty?: boolean;
  readonly onClose: () => void;
}

export function SetDialog({ title, sort, set, options, kinds, mayBeEmpty = false, onClose }: SetDialogProps) {
  const t = useTexts(groupsTexts);
  const common = useTexts(commonTexts);
  const { id: homeId } = useHome();
  const save = (values: { readonly name: string; readonly members: readonly string[] }) => {
    const { members } = values;
    const draft = { name: values.name.trim(), members, ...(set?.content !== undefined && { content: set.content }) };
    return saveSet(sort, homeId, draft, set?.id);
  };
  return (
    <EntityDialog
      title={title}
      action={common.save}
      initialValues={{ name: set?.name ?? '', members: set?.members ?? [] }}
      subjects={[]}
      onSubmit={async (values) => {
        await save(values);
      }}
      onClose={onClose}
      isIncomplete={({ name, members }) => !name.trim() || (members.length === 0 && !mayBeEmpty)}
    >
      {(form) => (
        <>
          <TextInput
            label={common.name}
            required
            maxLength={MAX_NAME_LENGTH}
            data-autofocus
            {...form.getInputProps('name')}
          />
          {kinds && !set && (
            <NativeSelect
              label={t.kind}
              value={kinds.value}
              onChange={({ currentTarget }) => {
                form.setFieldValue('members', []);
                kinds.onChange(currentTarget.value);
              }}
              data={[...kinds.data]}
            />
          )}
          <Checkbox.Group label={t.members} {...form.getInputProps('members')}>
            <Stack gap={14} mt={8} p={4} className="h-anywhere">
              {options.map(({ id, name: option, detail }) => (
                <Checkbox key={id} value={id} label={option} description={detail || undefined} />
              ))}
            </Stack>
            {options.length === 0 && <p>{t.noOptions}</p>}
          </Checkbox.Group>
        </>
      )}
    </EntityDialog>
  );
}
