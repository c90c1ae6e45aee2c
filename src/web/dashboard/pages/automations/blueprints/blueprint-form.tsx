/** A blueprint with the fields of its inputs, and what the automation would do. */
import blueprintTexts from 'texts:automation-blueprints';
import commonTexts from 'texts:common';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { OfferedBlueprint } from '../../../../../contract/blueprints.ts';
import { MAX_NAME_LENGTH } from '../../../../../home/vocabulary/limits.ts';
import { ApiError } from '../../../api/api-error.ts';
import { useApiMutation, useApiQuery } from '../../../api/query.ts';
import { useHome } from '../../../home/use-home.ts';
import { useLanguage } from '../../../texts/language.ts';
import { textOf, useTexts } from '../../../texts/texts.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { useErrorText } from '../../../ui/error-text.ts';
import { FormActions } from '../../../ui/form-actions.tsx';
import { ErrorNotice, Page, Section } from '../../../ui/page.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { FlowOutline } from '../flow/flow-outline.tsx';
import { type FlowRecord, toFlowRecord } from '../flow/flow-record.ts';
import { pageOf } from '../list/addresses.ts';
import { NoPlaceNotice } from '../list/no-place-notice.tsx';
import { BLUEPRINTS_PAGE } from './addresses.ts';
import { type BlueprintValues, emptyInputs, initialValues, inputOf, sentValues } from './blueprint-values.ts';
import { ApplyBlueprint, PreviewBlueprint } from './blueprints-document.ts';
import { InputField } from './input-field.tsx';

/** People choose several things in a row. */
const PREVIEW_AFTER_MS = 300;

interface BlueprintFormProps {
  readonly offered: OfferedBlueprint;
  readonly onCancel: () => void;
}

export function BlueprintForm({ offered, onCancel }: BlueprintFormProps) {
  const t = useTexts(blueprintTexts);
  const common = useTexts(commonTexts);
  const [, navigate] = useLocation();
  const { blueprint, choices } = offered;
  const [values, setValues] = useState<BlueprintValues>(() => initialValues(offered));
  const [name, setName] = useState('');
  const [isTried, setTried] = useState(false);
  const choice = useChoice(offered, values);
  const empty = emptyInputs(blueprint.inputs, values);
  const preview = usePreview(offered, values);
  const apply = useApiMutation(ApplyBlueprint, { subjects: ['automations'] });
  const errorText = useErrorText();
  const refusals = [apply.error, preview.error];
  const errorOf = (id: string): string | undefined => {
    if (isTried && empty.includes(id)) return t.missing;
    const refusal = refusals.find((one) => one instanceof ApiError && inputOf(one.field) === id);
    return refusal ? errorText(refusal) : undefined;
  };
  const create = () => {
    setTried(true);
    if (empty.length > 0) return;
    apply.mutate(
      { ...choice, ...(name.trim() !== '' && { name: name.trim() }) },
      {
        onSuccess: ({ applyBlueprint }) => {
          if (!applyBlueprint) return;
          showToast({ text: t.created({ name: applyBlueprint.name }) });
          navigate(pageOf('flows', applyBlueprint.id));
        },
      },
    );
  };
  const others = apply.error && inputOf(apply.error.field) === undefined && apply.error.field !== 'name';
  return (
    <Page
      title={blueprint.name}
      lead={blueprint.description}
      above={offered.id !== null && <BackLink href={BLUEPRINTS_PAGE}>{t.title}</BackLink>}
      narrow
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          create();
        }}
      >
        <Stack gap={16}>
          <Section title={t.inputs}>
            {blueprint.inputs.map((input) => (
              <InputField
                key={input.id}
                input={input}
                choices={choices[input.id]}
                value={values[input.id]}
                error={errorOf(input.id)}
                onChange={(value) => {
                  apply.reset();
                  setValues((before) => ({ ...before, [input.id]: value }));
                }}
              />
            ))}
            <TextInput
              label={t.name}
              placeholder={preview.name ?? blueprint.name}
              maxLength={MAX_NAME_LENGTH}
              value={name}
              error={apply.error?.field === 'name' ? errorText(apply.error) : undefined}
              onChange={({ currentTarget }) => {
                apply.reset();
                setName(currentTarget.value);
              }}
            />
          </Section>
          <Section title={t.preview}>
            <Preview {...preview} isComplete={empty.length === 0} />
          </Section>
          {others && <ErrorNotice error={apply.error} />}
          <FormActions>
            <Button type="submit" loading={apply.isPending}>
              {t.create}
            </Button>
            <Button variant="default" onClick={onCancel}>
              {common.cancel}
            </Button>
          </FormActions>
        </Stack>
      </form>
    </Page>
  );
}

/** The arguments that the preview and the creation share. */
function useChoice({ id, blueprint }: OfferedBlueprint, values: BlueprintValues) {
  const { id: homeId } = useHome();
  const language = useLanguage();
  const inputs = sentValues(blueprint.inputs, values);
  return id === null ? { homeId, blueprint, inputs } : { homeId, blueprintId: id, language, inputs };
}

function usePreview(offered: OfferedBlueprint, values: BlueprintValues) {
  const [settled] = useDebouncedValue(values, PREVIEW_AFTER_MS);
  const choice = useChoice(offered, settled);
  const isComplete = emptyInputs(offered.blueprint.inputs, settled).length === 0;
  const { data, error } = useApiQuery(PreviewBlueprint, choice, {
    subjects: ['automations', 'inventory'],
    enabled: isComplete,
    keepPrevious: true,
  });
  const shown = isComplete && !error ? (data?.previewBlueprint ?? undefined) : undefined;
  return {
    error: isComplete ? error : null,
    name: shown?.name,
    flow: shown && toFlowRecord({ name: shown.name, ...(shown.automation as object) }),
  };
}

interface PreviewProps {
  readonly error: unknown;
  readonly flow: FlowRecord | undefined;
  readonly isComplete: boolean;
}

function Preview({ error, flow, isComplete }: PreviewProps) {
  const t = useTexts(blueprintTexts);
  const { latitude } = useHome();
  if (error) return <PreviewError error={error} />;
  if (!flow) return <Text c="dimmed">{isComplete ? t.previewing : t.previewLater}</Text>;
  const needsPlace = latitude === null && JSON.stringify(flow).includes('"type":"sun"');
  return (
    <>
      {needsPlace && <NoPlaceNotice />}
      <FlowOutline flow={flow} />
    </>
  );
}

/** An error of an input is beside its field. */
function PreviewError({ error }: { readonly error: unknown }) {
  const t = useTexts(blueprintTexts);
  const { reasons } = useTexts(commonTexts);
  if (!(error instanceof ApiError) || textOf(reasons, error.reason) !== undefined) return <ErrorNotice error={error} />;
  return <Text role="alert">{t.notPossible({ sentence: error.message })}</Text>;
}
