/** Publishes the home, or changes a publication: what goes out, with a preview of it. */

import commonTexts from 'texts:common';
import publishTexts from 'texts:publish';
import { Checkbox, MultiSelect, PasswordInput, Radio, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import type { PublicationKind } from '../../../../contract/publications.ts';
import { MAX_NAME_LENGTH } from '../../../../home/vocabulary/limits.ts';
import { MAX_LOCK_PIN } from '../../../../home/vocabulary/lock-pins.ts';
import { ask } from '../../api/client.ts';
import { useApiQuery } from '../../api/query.ts';
import { useHome } from '../../home/use-home.ts';
import { ToggleList } from '../../pickers/toggle-list.tsx';
import { useFormat } from '../../texts/format.ts';
import { textOf, useTexts } from '../../texts/texts.ts';
import { EntityDialog } from '../../ui/entity-dialog.tsx';
import { Hint } from '../../ui/entries.tsx';
import { Answer } from '../../ui/page.tsx';
import { useNamedRooms } from '../rooms/room-name.ts';
import { PreviewList } from './preview-list.tsx';
import {
  isEmptySelection,
  isNoLockPin,
  KINDS,
  lacksLockPin,
  lockPinOf,
  type PublicationValues,
  selectionOf,
  valuesOf,
} from './publication.ts';
import classes from './publish.module.css';
import { CreatePublication, PreviewQuery, type Publication, UpdatePublication } from './publish-documents.ts';

interface PublicationDialogProps {
  /** The publication to edit; none to create one. */
  readonly publication?: Publication;
  readonly suggestedName: string;
  readonly onClose: () => void;
}

/** People choose several parts in a row. */
const PREVIEW_AFTER_MS = 300;

export function PublicationDialog({ publication, suggestedName, onClose }: PublicationDialogProps) {
  const { form: t, publish } = useTexts(publishTexts);
  const common = useTexts(commonTexts);
  const { id: homeId } = useHome();
  const hasLockPin = publication?.hasLockPin ?? false;
  const save = async (values: PublicationValues) => {
    const lockPin = lockPinOf(values, hasLockPin);
    const fields = {
      ...{ name: values.name.trim(), selection: selectionOf(values) },
      ...(lockPin !== undefined && { lockPin }),
    };
    if (publication) await ask(UpdatePublication, { publicationId: publication.id, ...fields });
    else await ask(CreatePublication, { homeId, kind: values.kind, ...fields });
  };
  return (
    <EntityDialog
      title={publication ? t.editTitle({ name: publication.name }) : t.title}
      action={publication ? common.save : publish}
      initialValues={valuesOf(publication, suggestedName)}
      subjects={['publications']}
      onSubmit={save}
      onClose={onClose}
      isIncomplete={(values) => isEmptySelection(values) || lacksLockPin(values, hasLockPin) || isNoLockPin(values)}
      size="xl"
    >
      {(form) => (
        <div className={classes.columns}>
          <Stack>
            {!publication && <KindField form={form} />}
            <TextInput
              label={t.name}
              description={t.nameHint}
              required
              maxLength={MAX_NAME_LENGTH}
              {...form.getInputProps('name')}
            />
            <ScopeFields form={form} />
            {form.values.kind === 'matter' && <LockPinFields form={form} hasLockPin={hasLockPin} />}
          </Stack>
          <PreviewPart values={form.values} {...(publication && { publicationId: publication.id })} />
        </div>
      )}
    </EntityDialog>
  );
}

interface FieldsProps {
  readonly form: UseFormReturnType<PublicationValues>;
}

function KindField({ form }: FieldsProps) {
  const { form: t, kinds } = useTexts(publishTexts);
  return (
    <Radio.Group
      label={t.kind}
      value={form.values.kind}
      onChange={(kind) => form.setFieldValue('kind', kind as PublicationKind)}
      error={form.errors.kind}
    >
      <Stack gap="sm" mt="xs">
        {KINDS.map((kind) => (
          <Radio key={kind} value={kind} label={kinds[kind].title} description={kinds[kind].text} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

function ScopeFields({ form }: FieldsProps) {
  const { form: t } = useTexts(publishTexts);
  const { scope } = form.values;
  return (
    <>
      <Radio.Group label={t.scope} value={scope} onChange={(value) => form.setFieldValue('scope', value)}>
        <Stack gap="sm" mt="xs">
          <Radio value="home" label={t.wholeHome} description={t.wholeHomeHint} />
          <Radio value="selected" label={t.selected} description={t.selectedHint} />
        </Stack>
      </Radio.Group>
      {scope !== 'home' && <PartFields form={form} />}
      <ExtraFields form={form} />
    </>
  );
}

function LockPinFields({ form, hasLockPin }: FieldsProps & { readonly hasLockPin: boolean }) {
  const { form: t } = useTexts(publishTexts);
  return (
    <>
      <Checkbox
        label={t.asksForPin}
        description={t.asksForPinHint}
        {...form.getInputProps('asksForPin', { type: 'checkbox' })}
      />
      {form.values.asksForPin && (
        <PasswordInput
          label={hasLockPin ? t.lockPinNew : t.lockPin}
          description={hasLockPin ? t.lockPinKeep : t.lockPinHint}
          required={!hasLockPin}
          inputMode="numeric"
          maxLength={MAX_LOCK_PIN}
          autoComplete="new-password"
          {...form.getInputProps('lockPin')}
          error={isNoLockPin(form.values) ? t.lockPinDigits : form.errors.lockPin}
        />
      )}
    </>
  );
}

function PartFields({ form }: FieldsProps) {
  const { form: t, types: names } = useTexts(publishTexts);
  const { accessories } = useHome();
  const rooms = useNamedRooms();
  const { compare } = useFormat();
  const { roomIds, types } = form.values;
  const typeOptions = [...new Set([...accessories.map(({ type }) => type), ...types])]
    .map((value) => ({ value, label: textOf(names, value) ?? value }))
    .sort((a, b) => compare(a.label, b.label));
  return (
    <>
      <ToggleList
        label={t.rooms}
        options={rooms.map(({ id, name }) => ({ value: id, label: name }))}
        value={roomIds}
        onChange={(value) => form.setFieldValue('roomIds', [...value])}
      />
      <ToggleList
        label={t.types}
        options={typeOptions}
        value={types}
        onChange={(value) => form.setFieldValue('types', [...value])}
      />
      <NamedField form={form} field="accessoryIds" label={t.accessories} options={useAccessoryOptions()} />
    </>
  );
}

/** Groups and scenes, which the whole home does not include, and what stays out. */
function ExtraFields({ form }: FieldsProps) {
  const { form: t } = useTexts(publishTexts);
  const { serviceGroups, scenes } = useHome();
  const named = (one: { readonly id: string; readonly name: string }) => ({ value: one.id, label: one.name });
  return (
    <>
      {serviceGroups.length > 0 && (
        <NamedField form={form} field="serviceGroupIds" label={t.groups} options={serviceGroups.map(named)} />
      )}
      <NamedField form={form} field="sceneIds" label={t.scenes} hint={t.scenesHint} options={scenes.map(named)} />
      <NamedField form={form} field="exceptIds" label={t.except} hint={t.exceptHint} options={useAccessoryOptions()} />
    </>
  );
}

interface NamedFieldProps extends FieldsProps {
  readonly field: 'accessoryIds' | 'serviceGroupIds' | 'sceneIds' | 'exceptIds';
  readonly label: string;
  readonly hint?: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** What is gone from the home stays chosen until it is removed here, and is not shown. */
function NamedField({ form, field, label, hint, options }: NamedFieldProps) {
  const { form: t } = useTexts(publishTexts);
  return (
    <MultiSelect
      label={label}
      placeholder={form.values[field].length === 0 ? t.none : ''}
      description={hint}
      data={options}
      searchable
      clearable
      comboboxProps={{ withinPortal: true }}
      {...form.getInputProps(field)}
    />
  );
}

function useAccessoryOptions() {
  const { accessories } = useHome();
  const rooms = useNamedRooms();
  const { compare } = useFormat();
  const roomName = new Map(rooms.map(({ id, name }) => [id, name]));
  return accessories
    .map(({ id, name, roomId }) => {
      const room = roomName.get(roomId ?? '');
      return { value: id, label: room === undefined ? name : `${name} – ${room}` };
    })
    .sort((a, b) => compare(a.label, b.label));
}

interface PreviewPartProps {
  readonly values: PublicationValues;
  readonly publicationId?: string;
}

function PreviewPart({ values, publicationId }: PreviewPartProps) {
  const { form: t, preview: words, kinds } = useTexts(publishTexts);
  const { id: homeId } = useHome();
  const { kind } = values;
  const isEmpty = isEmptySelection(values);
  const [selection] = useDebouncedValue(selectionOf(values), PREVIEW_AFTER_MS);
  const query = useApiQuery(
    PreviewQuery,
    { homeId, kind, selection, ...(publicationId !== undefined && { publicationId }) },
    { subjects: ['publications', 'inventory'], enabled: !isEmpty, keepPrevious: true },
  );
  return (
    <section className={classes.box} aria-label={words.title} aria-busy={query.isFetching}>
      <h3 className={classes.partTitle}>{words.title}</h3>
      {isEmpty ? (
        <Hint>{t.nothing}</Hint>
      ) : (
        <Answer query={query}>
          {({ publicationPreview: preview }) => preview && <PreviewList preview={preview} />}
        </Answer>
      )}
      <Hint>{kinds[kind].expect}</Hint>
    </section>
  );
}
