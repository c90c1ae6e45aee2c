/** The user's notifications, and the delivery channels. */
import notificationTexts from 'texts:notifications';
import { ActionIcon, Button, Group, Stack } from '@mantine/core';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useLocationProperty } from 'wouter/use-browser-location';
import { useActivityWords } from '../../activity/activity-words.ts';
import { present } from '../../api/graphql.ts';
import { useApiMutation, useApiQuery } from '../../api/query.ts';
import { useHome } from '../../home/use-home.ts';
import { PressButton } from '../../live/notification-buttons.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { Columns } from '../../ui/columns.tsx';
import { confirm } from '../../ui/confirm.ts';
import { Hint } from '../../ui/entries.tsx';
import { errorText } from '../../ui/error-text.ts';
import { useHashTarget } from '../../ui/hash-target.ts';
import { Answer, Page, Section } from '../../ui/page.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { ClearHistory, LISTED_NOTIFICATIONS, MarkRead, NotificationsQuery, SendTest } from './documents.ts';
import classes from './notifications.module.css';
import { NtfySection } from './ntfy-section.tsx';
import { MainPreference, PreferenceList } from './preference-list.tsx';
import { groupRepeats, type Repeatable, type RepeatedNotification } from './repeats.ts';

const SUBJECTS = ['notifications'] as const;

export function NotificationsPage() {
  const t = useTexts(notificationTexts);
  const { id: homeId } = useHome();
  const [limit, setLimit] = useState(LISTED_NOTIFICATIONS);
  const query = useApiQuery(NotificationsQuery, { limit, homeId }, { subjects: SUBJECTS, keepPrevious: true });
  const notify = (error: unknown) => showToast({ tone: 'bad', text: errorText(error) });
  const test = useApiMutation(SendTest, { subjects: SUBJECTS });
  const clear = useApiMutation(ClearHistory, { subjects: SUBJECTS });
  const read = useApiMutation(MarkRead, { subjects: SUBJECTS });
  const markRead = (ids?: string[]) => read.mutate(ids ? { ids } : {}, { onError: notify });
  const sendTest = () =>
    test.mutate({ message: t.testMessage }, { onSuccess: () => showToast({ text: t.tested }), onError: notify });
  const askToClear = async () => {
    if (await confirm({ title: t.clearTitle, body: t.clearText, action: t.clear, isDangerous: true })) {
      clear.mutate({}, { onSuccess: () => showToast({ text: t.cleared }), onError: notify });
    }
  };
  return (
    <Page title={t.title} lead={t.lead}>
      <Answer query={query}>
        {(data) => {
          const notification = present(data.notificationHistory);
          const flows = present(data.flows);
          return (
            <Columns
              second={
                <>
                  <MainPreference
                    preferences={present(data.notificationPreferences)}
                    channels={present(data.notificationChannels)}
                    action={
                      <Button variant="default" loading={test.isPending} onClick={sendTest}>
                        {t.test}
                      </Button>
                    }
                  />
                  <PreferenceList
                    preferences={present(data.notificationPreferences)}
                    channels={present(data.notificationChannels)}
                    flows={flows}
                  />
                  <NtfySection />
                </>
              }
            >
              {notification.length === 0 ? (
                <Section title={t.emptyTitle}>
                  <Hint>{t.emptyText}</Hint>
                </Section>
              ) : (
                <Section
                  title={t.count({ count: notification.length })}
                  actions={
                    data.unreadNotifications ? (
                      <Button variant="default" loading={read.isPending} onClick={() => markRead()}>
                        {t.markAllRead}
                      </Button>
                    ) : null
                  }
                >
                  <Stack component="ul" gap={0} className="h-bare">
                    {groupRepeats(notification).map((repeats) => (
                      <NotificationRow
                        key={repeats[0].id}
                        repeats={repeats}
                        automation={flows.find(({ id }) => id === repeats[0].automationId)?.name}
                        onRead={() => markRead(repeats.map(({ id }) => id))}
                      />
                    ))}
                  </Stack>
                  <Group gap={8}>
                    {notification.length === limit && (
                      <Button variant="default" onClick={() => setLimit(limit + LISTED_NOTIFICATIONS)}>
                        {t.older}
                      </Button>
                    )}
                    <Button variant="default" loading={clear.isPending} onClick={() => void askToClear()}>
                      {t.clear}
                    </Button>
                  </Group>
                </Section>
              )}
            </Columns>
          );
        }}
      </Answer>
    </Page>
  );
}

interface ListedNotification extends Repeatable {
  readonly buttons: readonly { readonly id: string; readonly title: string }[];
  readonly buttonsExpireAt: string | null;
  readonly pressed: {
    readonly title: string;
    readonly by: { readonly kind: string; readonly name: string | null };
  } | null;
  readonly channelsSent: string;
  readonly channelsFailed: string | null;
  readonly createdAt: string;
}

interface NotificationRowProps {
  readonly repeats: RepeatedNotification<ListedNotification>;
  readonly automation: string | undefined;
  readonly onRead: () => void;
}

function NotificationRow({ repeats, automation, onRead }: NotificationRowProps) {
  const t = useTexts(notificationTexts);
  const format = useFormat();
  const [notification] = repeats;
  const isUnread = notification.isRead === false;
  const row = useHashTarget<HTMLLIElement>(notification.id);
  const isTarget = useLocationProperty(() => location.hash) === `#${notification.id}`;
  const namesOf = (channels: string, omitted = '') =>
    format.list(
      channels
        .split(',')
        .filter((name) => name !== '' && name !== omitted)
        .map((name) => (t.sentBy as Readonly<Record<string, string>>)[name] ?? name),
    );
  const notes = [
    repeats.length > 1 && t.repeats({ count: repeats.length }),
    automation && t.ofAutomation({ name: automation }),
    // It is read in the dashboard.
    namesOf(notification.channelsSent, 'local'),
    notification.channelsFailed && t.failedBy({ channels: namesOf(notification.channelsFailed) }),
    notification.rateLimited && t.heldBack,
  ].filter((note) => typeof note === 'string' && note !== '');
  return (
    <li
      ref={row}
      tabIndex={isTarget ? -1 : undefined}
      className={classes.notification}
      data-target={isTarget || undefined}
      data-failed={notification.channelsFailed || notification.rateLimited ? true : undefined}
      data-unread={isUnread || undefined}
    >
      <div className={classes.content}>
        <NotificationTexts notification={notification} onRead={isUnread ? onRead : undefined} />
        <NotificationButtons notification={notification} />
        <small>
          {isUnread && <b className={classes.unread}>{t.unread}</b>} <TimeAgo at={notification.createdAt} />
          {notes.map((note) => ` · ${note}`)}
        </small>
      </div>
      {isUnread && (
        <ActionIcon variant="subtle" size="var(--h-target)" aria-label={t.markRead} title={t.markRead} onClick={onRead}>
          <Check aria-hidden size={20} />
        </ActionIcon>
      )}
    </li>
  );
}

/** Those that the user may press; after a press, which one it was and who did it. */
function NotificationButtons({ notification }: { readonly notification: ListedNotification }) {
  const t = useTexts(notificationTexts);
  const { by } = useActivityWords();
  const press = useApiMutation(PressButton, { subjects: SUBJECTS });
  const { id, buttons, buttonsExpireAt, pressed } = notification;
  if (pressed) return <small>{t.pressed({ button: pressed.title, by: by(pressed.by) })}</small>;
  if (buttonsExpireAt === null || buttons.length === 0) return null;
  if (Date.parse(buttonsExpireAt) <= Date.now()) return <small>{t.buttonsExpired}</small>;
  const onError = (error: unknown) => showToast({ tone: 'bad', text: errorText(error) });
  return (
    <Group gap={8}>
      {buttons.map((button) => (
        <Button
          key={button.id}
          variant="default"
          size="compact-sm"
          mih="var(--h-target)"
          loading={press.isPending}
          onClick={() => press.mutate({ notificationId: id, buttonId: button.id }, { onError })}
        >
          {button.title}
        </Button>
      ))}
    </Group>
  );
}

interface NotificationTextsProps {
  readonly notification: ListedNotification;
  /** Absent if it is read. */
  readonly onRead: (() => void) | undefined;
}

/** The texts lead to what the notification is about. */
function NotificationTexts({ notification: { title, message, link }, onRead }: NotificationTextsProps) {
  const texts = (
    <>
      {title && <strong>{title}</strong>}
      <span>{message}</span>
    </>
  );
  if (link?.startsWith('/')) {
    return (
      <Link href={link} className={classes.texts ?? ''} onClick={onRead}>
        {texts}
      </Link>
    );
  }
  if (link) {
    return (
      <a href={link} target="_blank" rel="noreferrer" className={classes.texts} onClick={onRead}>
        {texts}
      </a>
    );
  }
  return texts;
}
