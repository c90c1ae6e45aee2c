/** The latest run of a scene: "Last run: 5 minutes ago · Anna". Nothing if none is known. */
import detailTexts from 'texts:scene-details';
import { Text } from '@mantine/core';
import { useActivityWords } from '../../activity/activity-words.ts';
import { useTexts } from '../../texts/texts.ts';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useLastRun } from './scene-documents.ts';

export function LastRun({ sceneId }: { readonly sceneId: string }) {
  const t = useTexts(detailTexts);
  const { by } = useActivityWords();
  const run = useLastRun(sceneId);
  if (!run) return null;
  return (
    <Text component="span" display="block" c="dimmed" fz="0.9375rem" mt={2} className="h-anywhere">
      {run.success ? t.lastRun : t.lastRunFailed}: <TimeAgo at={run.at} /> · {by(run.actor)}
    </Text>
  );
}
