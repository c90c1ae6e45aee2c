/** Sets the ntfy app of the user's phone up: a topic of one's own, its QR code, and a test. */
import notificationTexts from 'texts:notifications';
import { Button, Group } from '@mantine/core';
import { useApiMutation, useApiQuery } from '../../api/query.ts';
import { useTexts } from '../../texts/texts.ts';
import { confirm } from '../../ui/confirm.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { errorText } from '../../ui/error-text.ts';
import { Answer, Section } from '../../ui/page.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { CreateNtfyTopic, NtfyTopicQuery, RemoveNtfyTopic, TestNtfyTopic } from './ntfy-documents.ts';

const SUBJECTS = ['notifications'] as const;

export function NtfySection() {
  const t = useTexts(notificationTexts);
  const query = useApiQuery(NtfyTopicQuery, {}, { subjects: SUBJECTS });
  const create = useApiMutation(CreateNtfyTopic, { subjects: SUBJECTS });
  const onError = (error: unknown) => showToast({ tone: 'bad', text: errorText(error) });
  return (
    <Section title={t.ntfy} lead={t.ntfyLead}>
      <Answer query={query}>
        {({ ntfyTopic }) =>
          ntfyTopic ? (
            <Topic topic={ntfyTopic} />
          ) : (
            <Group>
              <Button variant="default" loading={create.isPending} onClick={() => create.mutate({}, { onError })}>
                {t.ntfyCreate}
              </Button>
            </Group>
          )
        }
      </Answer>
    </Section>
  );
}

interface TopicProps {
  readonly topic: { readonly url: string; readonly appUrl: string; readonly hasButtons: boolean };
}

function Topic({ topic: { url, appUrl, hasButtons } }: TopicProps) {
  const t = useTexts(notificationTexts);
  const test = useApiMutation(TestNtfyTopic, { subjects: SUBJECTS });
  const remove = useApiMutation(RemoveNtfyTopic, { subjects: SUBJECTS });
  const onError = (error: unknown) => showToast({ tone: 'bad', text: errorText(error) });
  const sendTest = () =>
    test.mutate(
      { message: t.testMessage },
      {
        onError,
        onSuccess: ({ testNtfyTopic: result }) =>
          showToast(result?.failure ? { text: result.failure, tone: 'bad' } : { text: t.ntfyTested }),
      },
    );
  const askToRemove = async () => {
    const question = { title: t.ntfyRemoveTitle, body: t.ntfyRemoveText, action: t.ntfyRemove, isDangerous: true };
    if (await confirm(question)) remove.mutate({}, { onError });
  };
  return (
    <>
      <ol>
        <li>{t.ntfyInstall}</li>
        <li>{t.ntfyScan}</li>
        <li>{t.ntfyTry}</li>
      </ol>
      <QrCode value={appUrl} label={t.ntfyQr} />
      <CopyField label={t.ntfyAddress} value={url} />
      {!hasButtons && <p>{t.ntfyNoButtons}</p>}
      <Group>
        <Button variant="default" loading={test.isPending} onClick={sendTest}>
          {t.test}
        </Button>
        <Button variant="default" loading={remove.isPending} onClick={() => void askToRemove()}>
          {t.ntfyRemove}
        </Button>
      </Group>
    </>
  );
}
