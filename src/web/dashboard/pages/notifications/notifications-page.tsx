/** The user's notifications, and the delivery channels. */
import notificationTexts from 'texts:notifications';
import { Button, Stack } from '@mantine/core';
import { BellOff } from 'lucide-react';
import { useState } from 'react';
import { present } from '../../api/graphql.ts';
import { useApiMutation, useApiQuery } from '../../api/query.ts';
import { useHome } from '../../home/use-home.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { confirm } from '../../ui/confirm.tsx';
import { errorText } from '../../ui/error-text.ts';
import { Answer, EmptyState, Page, Section } from '../../ui/page.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { ClearHistory, NotificationsQuery, SendTest } from './documents.ts';
import classes from './notifications.module.css';
import { PreferenceList } from './preference-list.tsx';

const SUBJECTS = ['notifications'] as const;
const PAGE_LENGTH = 50;

export function NotificationsPage() {
  const t = useTexts(notificationTexts);
  const { id: homeId } = useHome();
  const [limit, setLimit] = useState(PAGE_LENGTH);
  const query = useApiQuery(NotificationsQuery, { limit, homeId }, { subjects: SUBJECTS, keepPrevious: true });
  const notify = (error: unknown) => showToast({ tone: 'bad', text: errorText(error) });
  const test = useApiMutation(SendTest, { subjects: SUBJECTS });
  const clear = useApiMutation(ClearHistory, { subjects: SUBJECTS });
  const sendTest = () =>
    test.mutate({ message: t.testMessage }, { onSuccess: () => showToast({ text: t.tested }), onError: notify });
  const askToClear = async () => {
    if (await confirm({ title: t.clearTitle, body: t.clearText, action: t.clear, isDangerous: true })) {
      clear.mutate({}, { onSuccess: () => showToast({ text: t.cleared }), onError: notify });
    }
  };
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <Button variant="default" loading={test.isPending} onClick={sendTest}>
          {t.test}
        </Button>
      }
    >
      <Answer query={query}>
        {(data) => {
          const notification = present(data.notificationHistory);
          const flows = present(data.flows);
          return (
            <>
              {notification.length === 0 ? (
                <EmptyState icon={<BellOff size={36} />} title={t.emptyTitle}>
                  {t.emptyText}
                </EmptyState>
              ) : (
                <Section
                  title={t.count({ count: notification.length })}
                  actions={
                    <Button variant="default" loading={clear.isPending} onClick={() => void askToClear()}>
                      {t.clear}
                    </Button>
                  }
                >
                  <Stack component="ul" gap={0} className="h-bare">
                    {notification.map((one) => (
                      <NotificationRow
                        key={one.id}
                        notification={one}
                        automation={flows.find(({ id }) => id === one.automationId)?.name}
                      />
                    ))}
                  </Stack>
                  {notification.length === limit && (
                    <Button variant="default" onClick={() => setLimit(limit + PAGE_LENGTH)}>
                      {t.older}
                    </Button>
                  )}
                </Section>
              )}
              <PreferenceList
                preferences={present(data.notificationPreferences)}
                channels={present(data.notificationChannels)}
                flows={flows}
              />
            </>
          );
        }}
      </Answer>
    </Page>
  );
}

interface NotificationRowProps {
  readonly notification: {
    readonly title: string | null;
    readonly message: string;
    readonly channelsSent: string;
    readonly channelsFailed: string | null;
    readonly rateLimited: boolean;
    readonly createdAt: string;
  };
  readonly automation: string | undefined;
}

function NotificationRow({ notification, automation }: NotificationRowProps) {
  const t = useTexts(notificationTexts);
  const format = useFormat();
  const namesOf = (channels: string) =>
    format.list(
      channels
        .split(',')
        .filter((name) => name !== '')
        .map((name) => (t.sentBy as Readonly<Record<string, string>>)[name] ?? name),
    );
  const notes = [
    automation && t.ofAutomation({ name: automation }),
    notification.channelsSent && namesOf(notification.channelsSent),
    notification.channelsFailed && t.failedBy({ channels: namesOf(notification.channelsFailed) }),
    notification.rateLimited && t.heldBack,
  ].filter((note) => typeof note === 'string' && note !== '');
  return (
    <li
      className={classes.notification}
      data-failed={notification.channelsFailed || notification.rateLimited ? true : undefined}
    >
      {notification.title && <strong>{notification.title}</strong>}
      <span>{notification.message}</span>
      <small>
        <TimeAgo at={notification.createdAt} /> · {notes.join(' · ')}
      </small>
    </li>
  );
}
