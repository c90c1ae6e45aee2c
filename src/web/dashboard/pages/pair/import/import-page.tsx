/** Imports accessories with the keys in another controller's file: a preview of each result, then the import. */
import pairTexts from 'texts:pair';
import importTexts from 'texts:pair-import';
import type { Catalogues } from 'texts:types';
import { Button, Group, Text } from '@mantine/core';
import { CircleAlert, CircleCheck, CircleMinus, FileKey } from 'lucide-react';
import { type ChangeEvent, type ReactNode, useRef, useState } from 'react';
import { Link } from 'wouter';
import { ApiError } from '../../../api/api-error.ts';
import { act } from '../../../api/client.ts';
import { present } from '../../../api/graphql.ts';
import { refresh } from '../../../api/query.ts';
import { useHome, useRights } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { Badge, Entries, Entry, Hint, Note, Steps, type Tone } from '../../../ui/entries.tsx';
import { EmptyState, ErrorNotice, Loading, Page, Section } from '../../../ui/page.tsx';
import {
  countOf,
  type FileProblem,
  type Imported,
  ImportPairings,
  MAX_FILE_BYTES,
  relevantPart,
} from './foreign-file.ts';
import classes from './import-page.module.css';

/** A file that the relay has parsed. */
interface Read {
  readonly file: string;
  readonly data: string;
  readonly devices: readonly Imported[];
  readonly isDone: boolean;
}

export function ImportPage() {
  const t = useTexts(importTexts);
  const pair = useTexts(pairTexts);
  const { canManage } = useRights();
  return (
    <Page title={t.title} lead={t.lead} above={<BackLink href="/pair">{pair.title}</BackLink>} narrow isTimeless>
      {canManage ? <Import /> : <EmptyState title={pair.notAllowed}>{pair.notAllowedText}</EmptyState>}
    </Page>
  );
}

function Import() {
  const t = useTexts(importTexts);
  const { id: homeId } = useHome();
  const [read, setRead] = useState<Read>();
  const [busy, setBusy] = useState<'reading' | 'taking'>();
  const [problem, setProblem] = useState<FileProblem>();
  const [error, setError] = useState<unknown>();

  const ask = async (file: string, data: string, dryRun: boolean): Promise<void> => {
    setBusy(dryRun ? 'reading' : 'taking');
    setError(undefined);
    try {
      const { importPairings } = await act(ImportPairings, { homeId, data, dryRun });
      setRead({ file, data, devices: present(importPairings?.devices), isDone: !dryRun });
    } catch (refusal) {
      // The relay knows the supported formats; any other file contains no usable pairings.
      if (refusal instanceof ApiError && refusal.code === 'invalid_value') setProblem('noPairings');
      else setError(refusal);
    } finally {
      setBusy(undefined);
      if (!dryRun) refresh('pairings', 'discovery', 'inventory');
    }
  };
  const choose = async (file: File): Promise<void> => {
    setRead(undefined);
    setError(undefined);
    setProblem(file.size > MAX_FILE_BYTES ? 'tooLarge' : undefined);
    if (file.size > MAX_FILE_BYTES) return;
    const part = relevantPart(await file.text());
    if ('problem' in part) setProblem(part.problem);
    else await ask(file.name, part.data, true);
  };

  const failure = error !== undefined && <ErrorNotice error={error} />;
  if (busy === 'taking') {
    return (
      <Section>
        <Loading label={t.taking} />
      </Section>
    );
  }
  if (read) {
    return (
      <>
        {failure}
        <Outcomes read={read} onTake={() => void ask(read.file, read.data, false)} onChoose={choose} />
      </>
    );
  }
  return <FileSection isReading={busy === 'reading'} problem={problem} failure={failure} onChoose={choose} />;
}

interface FileSectionProps {
  readonly isReading: boolean;
  readonly problem: FileProblem | undefined;
  readonly failure: ReactNode;
  readonly onChoose: (file: File) => Promise<void>;
}

function FileSection({ isReading, problem, failure, onChoose }: FileSectionProps) {
  const t = useTexts(importTexts);
  return (
    <>
      <Section title={t.before}>
        <Steps>
          <li>{t.stop}</li>
          <li>{t.keep}</li>
        </Steps>
      </Section>
      <Section title={t.files}>
        <dl className={classes.files}>
          {Object.values(t.sources).map(({ program, file }) => (
            <div key={program}>
              <dt>{program}</dt>
              <dd>{file}</dd>
            </div>
          ))}
        </dl>
        <Hint>{t.secret}</Hint>
        {problem && (
          <Text lh={1.45} p="12px 16px" bdrs="var(--h-radius-small)" className="h-bad" role="alert">
            {t[problem]}
          </Text>
        )}
        {failure}
        {isReading ? (
          <Loading label={t.reading} />
        ) : (
          <div>
            <FileButton text={problem ? t.chooseAnother : t.choose} onChoose={onChoose} />
          </div>
        )}
      </Section>
    </>
  );
}

interface FileButtonProps {
  readonly text: string;
  readonly isQuiet?: boolean;
  readonly onChoose: (file: File) => Promise<void>;
}

function FileButton({ text, isQuiet = false, onChoose }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const change = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    // Allows choosing the same file again.
    currentTarget.value = '';
    if (file) void onChoose(file);
  };
  return (
    <>
      {/* Home Assistant's file has no extension, so the input can't filter by one. */}
      <input ref={input} type="file" hidden onChange={change} />
      <Button
        {...(isQuiet && { variant: 'default' })}
        leftSection={<FileKey aria-hidden size={18} />}
        onClick={() => input.current?.click()}
      >
        {text}
      </Button>
    </>
  );
}

interface OutcomesProps {
  readonly read: Read;
  readonly onTake: () => void;
  readonly onChoose: (file: File) => Promise<void>;
}

function Outcomes({ read: { file, devices, isDone }, onTake, onChoose }: OutcomesProps) {
  const t = useTexts(importTexts);
  const ready = countOf(devices, 'new');
  const moved = countOf(devices, 'imported', 'unreachable');
  const summary = isDone
    ? moved > 0
      ? t.done({ count: moved })
      : t.doneNone
    : ready > 0
      ? t.ready({ count: ready })
      : t.nothingNew;
  const needsCode = isDone && countOf(devices, 'refused', 'invalid') > 0;
  return (
    <Section title={t.found({ file, count: devices.length })}>
      <Text fw={600} role="status">
        {summary}
      </Text>
      <Entries label={t.list}>
        {devices.map((device, row) => (
          // A file may contain one device twice.
          <OutcomeEntry key={row} device={device} />
        ))}
      </Entries>
      {isDone && moved > 0 && <Note>{t.keepOff}</Note>}
      <Group gap="xs">
        {!isDone && ready > 0 && <Button onClick={onTake}>{t.take({ count: ready })}</Button>}
        {isDone && (
          <Button component={Link} href="/">
            {t.toHome}
          </Button>
        )}
        {needsCode && (
          <Button component={Link} href="/pair" variant="default">
            {t.pairByCode}
          </Button>
        )}
        <FileButton text={t.chooseAnother} isQuiet onChoose={onChoose} />
      </Group>
    </Section>
  );
}

type Outcome = keyof Catalogues['pair-import']['outcomes'];

const TONES: Readonly<Record<Outcome, Tone>> = {
  new: 'cool',
  imported: 'good',
  already_here: 'neutral',
  unreachable: 'note',
  refused: 'bad',
  unsupported: 'neutral',
  invalid: 'bad',
};

function OutcomeEntry({ device: { name, deviceId, outcome } }: { readonly device: Imported }) {
  const { outcomes } = useTexts(importTexts);
  const known = Object.hasOwn(outcomes, outcome) ? (outcome as Outcome) : undefined;
  const words = known && outcomes[known];
  const tone = known ? TONES[known] : 'neutral';
  const Icon = tone === 'bad' ? CircleAlert : tone === 'neutral' ? CircleMinus : CircleCheck;
  return (
    <Entry
      icon={<Icon />}
      {...(tone === 'good' && { tone: 'good' as const })}
      name={name}
      badges={<Badge tone={tone}>{words?.name ?? outcome}</Badge>}
    >
      {words?.text}
      {deviceId !== null && deviceId !== name && (
        <>
          <br />
          <code>{deviceId}</code>
        </>
      )}
    </Entry>
  );
}
