/** Replaces the page while the relay restarts. */
import backupTexts from 'texts:backups';
import { Box, Loader, Stack, Text } from '@mantine/core';
import { useTexts } from '../../../texts/texts.ts';

export function Restarting({ isSlow }: { readonly isSlow: boolean }) {
  const t = useTexts(backupTexts).restarting;
  return (
    <Stack gap={12} align="center" ta="center" m="48px auto" p={16} maw={480} role="status">
      <Loader aria-hidden />
      <Box component="h2" fz="xl" m={0}>
        {t.title}
      </Box>
      <Text c="dimmed">{isSlow ? t.slow : t.text}</Text>
    </Stack>
  );
}
