/** The setup code: typed, pasted, or read from its QR code by the camera or from a photo. */
import commonTexts from 'texts:common';
import pairTexts from 'texts:pair';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Camera as CameraIcon, ImageUp } from 'lucide-react';
import { lazy, Suspense, useId, useRef, useState } from 'react';
import { useTexts } from '../../texts/texts.ts';
import { Loading } from '../../ui/page.tsx';
import { Heading } from '../sign-in/heading.tsx';
import { Problem } from '../sign-in/problem.tsx';
import type { CameraRefusal } from './camera.tsx';
import classes from './pair.module.css';
import { judgeScanned, judgeSetupCode, type Scanned, shapeSetupCode } from './setup-code.ts';

const Camera = lazy(async () => ({ default: (await import('./camera.tsx')).Camera }));

/** Over plain http, browsers give pages no camera. */
const mayScan = () => isSecureContext && navigator.mediaDevices?.getUserMedia !== undefined;

interface CodeFormProps {
  readonly name: string;
  /** The error of the previous attempt. */
  readonly problem: string | undefined;
  /** The code of the previous attempt, to correct a digit or to retry. */
  readonly tried: string | undefined;
  onCode(code: string): void;
  onBack(): void;
}

export function CodeForm({ name, problem, tried = '', onCode, onBack }: CodeFormProps) {
  const t = useTexts(pairTexts);
  const common = useTexts(commonTexts);
  const [note, setNote] = useState<string>();
  const [camera, setCamera] = useState<CameraState>('off');
  // The keyboard of a phone would cover the ways to scan; a phone with a camera has these first.
  const [typesAtOnce] = useState(() => matchMedia('(pointer: fine)').matches);
  const scansFirst = !typesAtOnce && mayScan();
  const explanations = {
    missing: t.codeMissing,
    matter: t.codeMatter,
    letters: t.codeLetters,
    trivial: t.codeTrivial,
    good: undefined,
  };
  const form = useForm({
    initialValues: { code: tried },
    validate: { code: (code) => explanations[judgeSetupCode(code)] },
  });
  const take = (payload: string) => {
    form.setFieldValue('code', payload);
    setCamera('off');
    setNote(t.scanned);
    onCode(payload);
  };
  const typing = (
    <TextInput
      label={t.code}
      description={t.codeHint}
      size="lg"
      inputMode="numeric"
      autoComplete="off"
      spellCheck={false}
      autoFocus={typesAtOnce}
      classNames={{ input: classes.code ?? '' }}
      {...form.getInputProps('code')}
      onChange={({ currentTarget }) => form.setFieldValue('code', shapeSetupCode(currentTarget.value))}
    />
  );
  return (
    <form onSubmit={form.onSubmit(({ code }) => onCode(code))} noValidate>
      <Heading level={2} title={t.addDevice({ name })} takesFocus={problem === undefined && !typesAtOnce} />
      <Stack>
        <Problem text={problem} />
        {!scansFirst && typing}
        <Scanner
          camera={camera}
          isMain={scansFirst}
          onCamera={(next) => {
            if (next === 'on') setNote(undefined);
            setCamera(next);
          }}
          onCode={take}
          onNote={setNote}
        />
        <Text c="dimmed" mih="1.5em" role="status">
          {note}
        </Text>
        {scansFirst && typing}
        <Group justify="space-between">
          <Button variant="default" onClick={onBack}>
            {common.back}
          </Button>
          <Button type="submit" variant={scansFirst && form.values.code === '' ? 'default' : 'filled'}>
            {t.add}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type CameraState = 'off' | 'on' | 'was on';

interface ScannerProps {
  readonly camera: CameraState;
  /** The camera is the main way to the code. */
  readonly isMain: boolean;
  onCamera(next: CameraState): void;
  onCode(payload: string): void;
  onNote(note: string): void;
}

/** The camera while it is on, else the ways to read a code. */
function Scanner({ camera, isMain, onCamera, onCode, onNote }: ScannerProps) {
  const t = useTexts(pairTexts);
  const takePhoto = (scanned: Scanned) => {
    if (typeof scanned === 'object') onCode(scanned.payload);
    else onNote(scanned === 'nothing' ? t.noCode : t.foreignCodes[scanned]);
  };
  const refuse = (why: CameraRefusal) => {
    onCamera('was on');
    onNote(t.noCamera[why]);
  };
  if (camera === 'on') {
    return (
      <Suspense fallback={<Loading />}>
        <Camera onCode={onCode} onRefused={refuse} onStop={() => onCamera('was on')} />
      </Suspense>
    );
  }
  return (
    <ScanButtons isMain={isMain} takesFocus={camera === 'was on'} onCamera={() => onCamera('on')} onPhoto={takePhoto} />
  );
}

interface ScanButtonsProps extends Pick<ScannerProps, 'isMain'> {
  /** The camera's button had the focus and no longer exists. */
  readonly takesFocus: boolean;
  onCamera(): void;
  onPhoto(scanned: Scanned): void;
}

function ScanButtons({ isMain, takesFocus, onCamera, onPhoto }: ScanButtonsProps) {
  const t = useTexts(pairTexts);
  const file = useRef<HTMLInputElement>(null);
  const hint = useId();
  const [isReading, setReading] = useState(false);
  const read = async (photo: File | undefined) => {
    if (!photo) return;
    setReading(true);
    const { readQrPhoto } = await import('./read-qr.ts');
    const texts = await readQrPhoto(photo);
    // The user went back meanwhile.
    if (!file.current) return;
    setReading(false);
    onPhoto(judgeScanned(texts));
  };
  return (
    <Group>
      {mayScan() && (
        <Button
          variant={isMain ? 'filled' : 'light'}
          leftSection={<CameraIcon size={18} aria-hidden />}
          autoFocus={takesFocus}
          onClick={onCamera}
        >
          {t.scan}
        </Button>
      )}
      <Button
        variant="light"
        loading={isReading}
        leftSection={<ImageUp size={18} aria-hidden />}
        aria-describedby={hint}
        onClick={() => file.current?.click()}
      >
        {t.photo}
      </Button>
      <Text id={hint} span c="dimmed" fz="sm" className="h-anywhere">
        {t.photoHint}
      </Text>
      <input
        ref={file}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        aria-label={t.photo}
        onChange={({ currentTarget }) => {
          void read(currentTarget.files?.[0]);
          // Allows choosing the same photo again.
          currentTarget.value = '';
        }}
      />
    </Group>
  );
}
