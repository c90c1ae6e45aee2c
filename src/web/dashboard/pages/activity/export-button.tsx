import activityTexts from 'texts:activity';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { fetchRest } from '../../api/client.ts';
import { useTexts } from '../../texts/texts.ts';
import { errorText } from '../../ui/error-text.ts';
import { saveFile } from '../../ui/save-file.ts';
import { showToast } from '../../ui/toasts.tsx';
import type { variablesOf } from './view.ts';

type ExportFilter = ReturnType<typeof variablesOf> & { readonly homeId: string };

/** The filters by their names in REST. */
const NAMES = {
  homeId: 'home',
  roomId: 'room',
  accessoryId: 'accessory',
  actorKind: 'actor_kind',
  actorId: 'actor',
} as const;

/** Saves everything that matches as CSV. */
export function ExportButton({ variables }: { readonly variables: ExportFilter }) {
  const t = useTexts(activityTexts);
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const query = new URLSearchParams({ format: 'csv' });
      for (const [field, value] of Object.entries(variables)) query.set(NAMES[field as keyof ExportFilter], value);
      const response = await fetchRest(`/rest/activity?${query}`);
      saveFile('activity.csv', new Blob([await response.text()], { type: 'text/csv' }));
    } catch (error) {
      showToast({ tone: 'bad', text: errorText(error) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button variant="default" loading={isBusy} onClick={() => void save()}>
      {t.export}
    </Button>
  );
}
