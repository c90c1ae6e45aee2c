/** Adds accessories to the displayed home. */

import homeTexts from 'texts:home';
import pairTexts from 'texts:pair';
import { Button } from '@mantine/core';
import { Link, useLocation, useSearch } from 'wouter';
import { useHome, useRights } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Columns } from '../../ui/columns.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { OFFERED } from './discovered.ts';
import { PairingFlow } from './pairing-flow.tsx';

export function PairPage() {
  const t = useTexts(pairTexts);
  const { toHome } = useTexts(homeTexts);
  const { id } = useHome();
  const { canManage } = useRights();
  const [, navigate] = useLocation();
  const deviceId = new URLSearchParams(useSearch()).get(OFFERED) ?? undefined;
  return (
    <Page title={t.title} lead={t.lead} above={<BackLink href="/">{toHome}</BackLink>} narrow isTimeless>
      {canManage ? (
        <Columns
          second={
            <Section title={t.move} lead={t.moveText}>
              <div>
                <Button component={Link} href="/pair/import" variant="default">
                  {t.moveAct}
                </Button>
              </div>
            </Section>
          }
        >
          <Section>
            <PairingFlow homeId={id} deviceId={deviceId} onDone={() => navigate('/')} />
          </Section>
        </Columns>
      ) : (
        <EmptyState title={t.notAllowed}>{t.notAllowedText}</EmptyState>
      )}
    </Page>
  );
}
