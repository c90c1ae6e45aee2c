/** A name, and the members. */

import commonTexts from 'texts:common';
import groupsTexts from 'texts:groups';
import { Button, Checkbox, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useHome } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { ErrorNotice } from '../../ui/page.tsx';
import shared from '../../ui/shared.module.css';
import type { Option } from './members.ts';
import { type NamedSet, type SetSort, saveSet } from './set-acts.ts';

interface SetDialogProps {
  readonly title: string;
  readonly sort: SetSort;
  /** The set to edit; undefined for a new one. */
  readonly set: NamedSet | undefined;
  readonly options: readonly Option[];
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
  const [name, setName] = useState(set?.name ?? '');
  const [members, setMembers] = useState<readonly string[]>(set?.members ?? []);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      const draft = { name: name.trim(), members, ...(set?.content !== undefined && { content: set.content }) };
      await saveSet(sort, homeId, draft, set?.id);
      onClose();
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  };
  const changeKind = (kind: string) => {
    setMembers([]);
    kinds?.onChange(kind);
  };
  return (
    <Modal opened centered onClose={onClose} title={title} closeButtonProps={{ 'aria-label': common.close }}>
      <form onSubmit={(event) => void save(event)}>
        <Stack>
          <TextInput
            label={common.name}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            required
            maxLength={64}
            data-autofocus
          />
          {kinds && !set && (
            <NativeSelect
              label={t.kind}
              value={kinds.value}
              onChange={({ currentTarget }) => changeKind(currentTarget.value)}
              data={[...kinds.data]}
            />
          )}
          <Checkbox.Group label={t.members} value={[...members]} onChange={setMembers}>
            <Stack gap={14} mt={8} p={4} className={shared.anywhere}>
              {options.map(({ id, name: option, detail }) => (
                <Checkbox key={id} value={id} label={option} description={detail || undefined} />
              ))}
            </Stack>
            {options.length === 0 && <p>{t.noOptions}</p>}
          </Checkbox.Group>
          {error !== undefined && <ErrorNotice error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={isBusy} disabled={!name.trim() || (members.length === 0 && !mayBeEmpty)}>
              {common.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
