/** Every session of the user, each with a button to end it. */
import settingsTexts from 'texts:settings';
import { Button, Group, Stack, Text } from '@mantine/core';
import { MonitorSmartphone } from 'lucide-react';
import { deviceName } from '../../../../home/vocabulary/device-names.ts';
import { present, type ResultOf } from '../../api/graphql.ts';
import { useApiMutation, useApiQuery } from '../../api/query.ts';
import { signOut } from '../../api/sign-out.ts';
import { useTexts } from '../../texts/texts.ts';
import { confirm } from '../../ui/confirm.ts';
import { errorText } from '../../ui/error-text.ts';
import { Answer } from '../../ui/page.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { EndOtherSessions, EndSession, SessionsQuery } from './account-documents.ts';
import classes from './settings.module.css';
import { SettingsSection } from './settings-section.tsx';

export function SessionsSection() {
  const t = useTexts(settingsTexts);
  const query = useApiQuery(SessionsQuery, {}, { subjects: ['sessions'] });
  const endOne = useApiMutation(EndSession, { subjects: ['sessions'], onDone: () => showToast({ text: t.signedOut }) });
  const endOthers = useApiMutation(EndOtherSessions, {
    subjects: ['sessions'],
    onDone: () => showToast({ text: t.signedOut }),
  });
  const onError = (error: unknown) => showToast({ text: errorText(error), tone: 'bad' });
  const askForOthers = async (count: number) => {
    const question = { title: t.signOutOthersTitle, body: t.signOutOthersText({ count }), action: t.signOutOthers };
    if (await confirm({ ...question, isDangerous: true })) endOthers.mutate({}, { onError });
  };
  return (
    <SettingsSection id="sessions" title={t.sessions}>
      <Answer query={query}>
        {({ sessions }) => {
          const all = present(sessions).toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
          const others = all.filter(({ isCurrent }) => !isCurrent);
          return (
            <>
              <Stack component="ul" gap={0} className="h-bare">
                {all.map((session) => (
                  <SessionRow
                    key={session.id}
                    session={session}
                    onEnd={() => (session.isCurrent ? void signOut() : endOne.mutate({ id: session.id }, { onError }))}
                  />
                ))}
              </Stack>
              {others.length === all.length && (
                <>
                  <p className={classes.dim}>{t.tokenAccount}</p>
                  <Button variant="default" className={classes.button ?? ''} onClick={() => void signOut()}>
                    {t.signOut}
                  </Button>
                </>
              )}
              {others.length > 0 && (
                <Button
                  variant="default"
                  c="var(--h-bad-ink)"
                  className={classes.button ?? ''}
                  onClick={() => void askForOthers(others.length)}
                >
                  {t.signOutOthers}
                </Button>
              )}
            </>
          );
        }}
      </Answer>
    </SettingsSection>
  );
}

interface SessionRowProps {
  readonly session: NonNullable<NonNullable<ResultOf<typeof SessionsQuery>['sessions']>[number]>;
  readonly onEnd: () => void;
}

function SessionRow({ session: { name, address, lastSeenAt, isCurrent }, onEnd }: SessionRowProps) {
  const t = useTexts(settingsTexts);
  const device = deviceName(name) ?? t.unknownDevice;
  return (
    <li className={classes.session}>
      <MonitorSmartphone aria-hidden size={22} className={classes.icon} />
      <Stack component="span" gap={0} miw="9rem" flex={1}>
        <Group component="span" gap="4px 8px" fw={600} className="h-anywhere" title={name ?? undefined}>
          {device}
          {isCurrent && (
            <Text span fz="0.8125rem" p="1px 8px" bdrs={999} className="h-good">
              {t.here}
            </Text>
          )}
        </Group>
        <span className={classes.dim}>
          {address}
          {lastSeenAt && (
            <>
              {address && ' · '}
              {t.lastSeen} <TimeAgo at={lastSeenAt} />
            </>
          )}
        </span>
      </Stack>
      <Button variant="default" aria-label={isCurrent ? undefined : t.signOutOf({ name: device })} onClick={onEnd}>
        {t.signOut}
      </Button>
    </li>
  );
}
