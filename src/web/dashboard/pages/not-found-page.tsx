import shellTexts from 'texts:shell';
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { useTexts } from '../texts/texts.ts';
import { Page } from '../ui/page.tsx';

/** At an address that the dashboard does not have. */
export function NotFoundPage() {
  const t = useTexts(shellTexts);
  return (
    <Page title={t.notFound} lead={t.notFoundText} narrow>
      <Button component={Link} href="/" style={{ alignSelf: 'flex-start' }}>
        {t.toHome}
      </Button>
    </Page>
  );
}
