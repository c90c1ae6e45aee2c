/** Saves an automation as a blueprint, and shows before what its file will ask for. */
import blueprintTexts from 'texts:automation-blueprints';
import commonTexts from 'texts:common';
import { Text, Textarea, TextInput } from '@mantine/core';
import type { Blueprint } from '../../../../../contract/blueprints.ts';
import { MAX_BLUEPRINT_DESCRIPTION, MAX_NAME_LENGTH } from '../../../../../home/vocabulary/limits.ts';
import { ask } from '../../../api/client.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useFormat } from '../../../texts/format.ts';
import { useLanguage } from '../../../texts/language.ts';
import { useTexts } from '../../../texts/texts.ts';
import { EntityDialog } from '../../../ui/entity-dialog.tsx';
import { Answer } from '../../../ui/page.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { fileName } from '../details/use-keeping.ts';
import { ExportBlueprint } from './blueprints-document.ts';

interface ExportBlueprintDialogProps {
  readonly automationId: string;
  readonly name: string;
  readonly onClose: () => void;
}

export function ExportBlueprintDialog({ automationId, name, onClose }: ExportBlueprintDialogProps) {
  const t = useTexts(blueprintTexts);
  const common = useTexts(commonTexts);
  const language = useLanguage();
  const save = async (values: { readonly name: string; readonly description: string }) => {
    const { exportBlueprint } = await ask(ExportBlueprint, { automationId, language, ...values });
    const text = `${JSON.stringify(exportBlueprint, null, 2)}\n`;
    saveFile(`${fileName(values.name)}.blueprint.json`, new Blob([text], { type: 'application/json' }));
  };
  return (
    <EntityDialog
      title={t.exportTitle}
      action={common.download}
      initialValues={{ name, description: '' }}
      subjects={[]}
      onSubmit={save}
      onClose={onClose}
      isIncomplete={(values) => values.name.trim() === ''}
    >
      {(form) => (
        <>
          <Text>{t.exportText}</Text>
          <TextInput label={common.name} required maxLength={MAX_NAME_LENGTH} {...form.getInputProps('name')} />
          <Textarea
            label={t.description}
            autosize
            maxLength={MAX_BLUEPRINT_DESCRIPTION}
            {...form.getInputProps('description')}
          />
          <InputsOfFile automationId={automationId} />
        </>
      )}
    </EntityDialog>
  );
}

function InputsOfFile({ automationId }: { readonly automationId: string }) {
  const t = useTexts(blueprintTexts);
  const { list } = useFormat();
  const language = useLanguage();
  const query = useApiQuery(ExportBlueprint, { automationId, language }, { subjects: ['automations'] });
  return (
    <Answer query={query}>
      {({ exportBlueprint }) => {
        const { inputs } = exportBlueprint as Blueprint;
        if (inputs.length === 0) return <Text c="dimmed">{t.asksNothing}</Text>;
        return <Text c="dimmed">{t.asksFor({ what: list(inputs.map(({ name }) => name)) })}</Text>;
      }}
    </Answer>
  );
}
