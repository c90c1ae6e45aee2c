/** The apps that the user authorized through OAuth: their names, their access, and the way to revoke it. */

import appsTexts from 'texts:apps';
import commonTexts from 'texts:common';
import { AppWindow } from 'lucide-react';
import { useState } from 'react';
import { act } from '../../../api/client.ts';
import { present, type ResultOf } from '../../../api/graphql.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { attempt } from '../../../ui/attempt.ts';
import { Columns } from '../../../ui/columns.tsx';
import { confirm } from '../../../ui/confirm.ts';
import { CopyField } from '../../../ui/copy-field.tsx';
import { EntityDialog } from '../../../ui/entity-dialog.tsx';
import { ActsMenu, Badge, Entries, Entry, Hint } from '../../../ui/entries.tsx';
import { Answer, EmptyState, Section } from '../../../ui/page.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { relayAddress } from '../addresses.ts';
import { ConnectionFrame } from '../connection-frame.tsx';
import { HowSection } from '../how-section.tsx';
import { AppsQuery, LimitApp, RevokeApp } from './documents.ts';
import { MadeList } from './made-list.tsx';
import {
  parsePermissions,
  permissionsJson,
  permissionsWithin,
  reachAdds,
  reachesSomething,
  reachOf,
} from './permissions.ts';
import { PermissionsField, usePermissionsText } from './permissions-field.tsx';

type AuthorizedApp = NonNullable<NonNullable<ResultOf<typeof AppsQuery>['authorizedApps']>[number]>;

/** No live event reports the authorization or use of apps. */
const ASK_EVERY_MS = 15_000;

export function AppsPage() {
  const t = useTexts(appsTexts);
  const apps = useApiQuery(AppsQuery, {}, { subjects: ['apps'], everyMs: ASK_EVERY_MS });
  const [limited, setLimited] = useState<AuthorizedApp>();
  return (
    <ConnectionFrame title={t.title} lead={t.lead}>
      <Columns second={<ConnectSection />}>
        <Answer query={apps}>
          {({ authorizedApps }) => {
            const all = present(authorizedApps);
            if (all.length === 0) {
              return (
                <EmptyState icon={<AppWindow size={32} />} title={t.emptyTitle}>
                  {t.empty}
                </EmptyState>
              );
            }
            return (
              <Section lead={t.unverified}>
                <Entries label={t.title}>
                  {all.map((app) => (
                    <AppEntry key={app.clientId} app={app} onLimit={() => setLimited(app)} />
                  ))}
                </Entries>
              </Section>
            );
          }}
        </Answer>
      </Columns>
      {limited && <LimitDialog app={limited} onClose={() => setLimited(undefined)} />}
    </ConnectionFrame>
  );
}

/** How an app connects: it asks by OAuth, and the user agrees on a page of this relay. */
function ConnectSection() {
  const t = useTexts(appsTexts).connect;
  const first = (
    <>
      {t.step1}
      <CopyField label={t.address} value={relayAddress()} />
    </>
  );
  return <HowSection title={t.title} steps={[first, t.step2, t.step3]} />;
}

function AppEntry({ app, onLimit }: { readonly app: AuthorizedApp; readonly onLimit: () => void }) {
  const t = useTexts(appsTexts);
  const format = useFormat();
  const permissionsText = usePermissionsText();
  const { clientId, clientName: name, redirectDomain, scope, createdAt, lastUsedAt, made } = app;
  const reach = reachOf(scope);
  const permissions = permissionsWithin(parsePermissions(app.homePermissions), reach);
  const revoke = async () => {
    const body = (
      <>
        {t.revokeText}
        <MadeList lead={t.endsToo} made={made} />
      </>
    );
    if (!(await confirm({ title: t.revokeTitle({ name }), body, action: t.revoke, isDangerous: true }))) return;
    const done = await attempt(() => act(RevokeApp, { clientId }), 'apps');
    if (done) showToast({ text: t.revoked({ name }) });
  };
  return (
    <Entry
      icon={<AppWindow />}
      name={name}
      badges={
        reachAdds(permissions, reach) && <Badge tone={reach === 'read' ? 'neutral' : 'cool'}>{t.reach[reach]}</Badge>
      }
      menu={
        <ActsMenu
          label={t.actsFor({ name })}
          acts={[
            { label: t.limit, run: onLimit },
            { label: t.revoke, isDangerous: true, run: () => void revoke() },
          ]}
        />
      }
    >
      {redirectDomain !== null && (
        <>
          {t.leadsTo} <bdi>{redirectDomain}</bdi> ·{' '}
        </>
      )}
      {permissionsText(permissions)}
      <br />
      {createdAt !== null && t.since({ when: format.date(createdAt) })} ·{' '}
      {lastUsedAt === null ? (
        t.neverUsed
      ) : (
        <>
          {t.lastUsed} <TimeAgo at={lastUsedAt} />
        </>
      )}
    </Entry>
  );
}

function LimitDialog({ app, onClose }: { readonly app: AuthorizedApp; readonly onClose: () => void }) {
  const t = useTexts(appsTexts);
  const common = useTexts(commonTexts);
  return (
    <EntityDialog
      title={t.limitTitle({ name: app.clientName })}
      action={common.save}
      initialValues={{ homePermissions: parsePermissions(app.homePermissions) }}
      subjects={['apps']}
      onSubmit={async ({ homePermissions }) => {
        await act(LimitApp, { clientId: app.clientId, homePermissions: permissionsJson(homePermissions) });
      }}
      onClose={onClose}
      isIncomplete={({ homePermissions }) => !reachesSomething(homePermissions)}
    >
      {(form) => (
        <>
          <Hint>{t.limitHint}</Hint>
          <PermissionsField
            value={form.values.homePermissions}
            onChange={(chosen) => form.setFieldValue('homePermissions', chosen)}
          />
        </>
      )}
    </EntityDialog>
  );
}
