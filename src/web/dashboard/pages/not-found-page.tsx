import shellTexts from 'texts:shell';
import { Button } from '@mantine/core';
import { SearchX } from 'lucide-react';
import { Link } from 'wouter';
import { useTexts } from '../texts/texts.ts';
import { EmptyState } from '../ui/page.tsx';

/** At an address that the dashboard does not have. */
export function NotFoundPage() {
  const t = useTexts(shellTexts);
  const action = (
    <Button component={Link} href="/">
      {t.toHome}
    </Button>
  );
  return (
    <EmptyState isPage icon={<SearchX size={32} />} title={t.notFound} action={action}>
      {t.notFoundText}
    </EmptyState>
  );
}
