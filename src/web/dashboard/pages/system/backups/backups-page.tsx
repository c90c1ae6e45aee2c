/** Backups of the relay: create, download, restore. For users who own every home of the relay. */
import backupTexts from 'texts:backups';
import { Button, Group, Text } from '@mantine/core';
import { type ChangeEvent, lazy, Suspense, useCallback, useRef, useState } from 'react';
import { present } from '../../../api/graphql.ts';
import { refresh, useApiMutation, useApiQuery } from '../../../api/query.ts';
import { useFormat } from '../../../texts/format.ts';
import { relativeTime } from '../../../texts/relative-time.ts';
import { useTexts } from '../../../texts/texts.ts';
import { errorText } from '../../../ui/error-text.ts';
import { Answer, EmptyState, Section } from '../../../ui/page.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { SystemFrame } from '../system-frame.tsx';
import { BackupItem } from './backup-item.tsx';
import classes from './backups-page.module.css';
import { type BackupRow, BackupsQuery, CreateBackup, type LastRestore } from './documents.ts';
import { nextBackup } from './next-backup.ts';
import { Restarting } from './restarting.tsx';
import { uploadBackup } from './transfer.ts';
import { type Restart, useRestart } from './use-restart.ts';

const DownloadDialog = lazy(async () => ({ default: (await import('./download-dialog.tsx')).DownloadDialog }));
const RestoreDialog = lazy(async () => ({ default: (await import('./restore-dialog.tsx')).RestoreDialog }));

/** The backup that a dialog is about. */
interface Chosen {
  readonly act: 'download' | 'restore';
  readonly name: string;
}

export function BackupsPage() {
  const t = useTexts(backupTexts);
  const backups = useApiQuery(BackupsQuery, {}, { subjects: ['backups'] });
  const [chosen, setChosen] = useState<Chosen>();
  const [restart, setRestart] = useState<Restart>();
  const isSlow = useRestart(
    restart,
    useCallback(() => setRestart(undefined), []),
  );
  if (restart) {
    return (
      <SystemFrame>
        <Restarting isSlow={isSlow} />
      </SystemFrame>
    );
  }
  const all = present(backups.data?.backups);
  const found = all.find(({ name }) => name === chosen?.name);
  const close = () => setChosen(undefined);
  const begin = () => {
    close();
    setRestart({ before: backups.data?.lastRestore?.finishedAt ?? null });
  };
  return (
    <SystemFrame>
      <Answer query={backups}>
        {({ lastRestore }) => (
          <>
            {lastRestore && (
              <LastRestoreNotice last={lastRestore} all={all} onUndo={(name) => setChosen({ act: 'restore', name })} />
            )}
            <Section
              title={t.list}
              lead={t.lead}
              actions={<Actions onUploaded={(name) => setChosen({ act: 'restore', name })} />}
            >
              <Next all={all} />
              <List all={all} onChoose={setChosen} />
            </Section>
          </>
        )}
      </Answer>
      <Suspense fallback={null}>
        {found && chosen?.act === 'download' && <DownloadDialog backup={found} onClose={close} />}
        {found && chosen?.act === 'restore' && <RestoreDialog backup={found} onClose={close} onBegun={begin} />}
      </Suspense>
    </SystemFrame>
  );
}

/** The time of the next automatic backup. */
function Next({ all }: { readonly all: readonly BackupRow[] }) {
  const t = useTexts(backupTexts);
  const format = useFormat();
  const next = nextBackup(all, Date.now());
  return (
    <Text c="dimmed">{next ? t.next({ from: format.soon(next.from), to: format.time(next.to) }) : t.nextDue}</Text>
  );
}

function List({ all, onChoose }: { readonly all: readonly BackupRow[]; readonly onChoose: (chosen: Chosen) => void }) {
  const t = useTexts(backupTexts);
  if (all.length === 0) return <EmptyState title={t.emptyTitle}>{t.empty}</EmptyState>;
  return (
    <ul className="h-bare">
      {all.map((backup) => (
        <BackupItem
          key={backup.name}
          backup={backup}
          onRestore={() => onChoose({ act: 'restore', name: backup.name })}
          onDownload={() => onChoose({ act: 'download', name: backup.name })}
        />
      ))}
    </ul>
  );
}

/** @param onUploaded called with the relay's name for the uploaded backup, which can then be restored. */
function Actions({ onUploaded }: { readonly onUploaded: (name: string) => void }) {
  const t = useTexts(backupTexts);
  const format = useFormat();
  const file = useRef<HTMLInputElement>(null);
  const [share, setShare] = useState<number>();
  const create = useApiMutation(CreateBackup, { subjects: ['backups'] });
  const make = async (): Promise<void> => {
    try {
      await create.mutateAsync({});
      showToast({ text: t.created });
    } catch (error) {
      showToast({ tone: 'bad', text: errorText(error) });
    }
  };
  const upload = async ({ currentTarget }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const [wanted] = currentTarget.files ?? [];
    // Allows choosing the same file again.
    currentTarget.value = '';
    if (!wanted) return;
    setShare(0);
    try {
      const name = await uploadBackup(wanted, setShare);
      showToast({ text: t.uploaded });
      refresh('backups');
      onUploaded(name);
    } catch (error) {
      showToast({ tone: 'bad', text: errorText(error) });
    } finally {
      setShare(undefined);
    }
  };
  const isUploading = share !== undefined;
  return (
    <>
      <input ref={file} type="file" hidden accept=".db,.hearthd" onChange={(event) => void upload(event)} />
      <Button variant="default" onClick={() => file.current?.click()} disabled={isUploading}>
        {isUploading ? t.uploading({ percent: format.percent(share * 100) }) : t.upload}
      </Button>
      <Button onClick={() => void make()} loading={create.isPending}>
        {t.create}
      </Button>
    </>
  );
}

interface NoticeProps {
  readonly last: LastRestore;
  readonly all: readonly BackupRow[];
  readonly onUndo: (name: string) => void;
}

/** The result of the last restore, and undo while its backup exists. */
function LastRestoreNotice({ last, all, onUndo }: NoticeProps) {
  const t = useTexts(backupTexts).last;
  const format = useFormat();
  const { undo, error } = last;
  const isThere = all.some(({ name }) => name === undo);
  if (last.outcome !== 'restored') {
    return (
      <p className={classes.failed} role="alert">
        {t.failed({ why: error ?? '' })}
      </p>
    );
  }
  return (
    <Group gap={12} justify="space-between" p="12px 16px" bdrs="var(--h-radius-small)" className="h-good" role="status">
      <span>{t.restored({ when: relativeTime(format, last.finishedAt) })}</span>
      {isThere && undo && (
        <Button variant="default" onClick={() => onUndo(undo)}>
          {t.undo}
        </Button>
      )}
    </Group>
  );
}
