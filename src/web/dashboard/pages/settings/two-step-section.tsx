/**
 * Two-step sign-in: turning it on with an authenticator app, its recovery codes, turning it off. Access tokens have no
 * sign-in, so a wall tablet does not see it.
 */

import settingsTexts from 'texts:settings';
import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useApiMutation, useApiQuery } from '../../api/query.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { Answer } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { CodeForm } from './code-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import classes from './settings.module.css';
import { SettingsSection } from './settings-section.tsx';
import { RenewRecoveryCodes, TurnOffTwoStep, TwoStepQuery } from './two-step-documents.ts';
import { TwoStepSetup } from './two-step-setup.tsx';

/** Below this number, the page suggests new ones. */
const FEW_CODES = 4;

type Task = 'setup' | 'renew' | 'turn-off';

export function TwoStepSection() {
  const t = useTexts(settingsTexts);
  const query = useApiQuery(TwoStepQuery, {}, { subjects: ['account'] });
  const [task, setTask] = useState<Task>();
  /** Shown once, until the user goes on. */
  const [codes, setCodes] = useState<readonly string[]>();
  if (query.error instanceof ApiError && query.error.code === 'insufficient_permissions') return null;
  const showCodes = (next: readonly string[]) => {
    setTask(undefined);
    setCodes(next);
  };
  const close = () => setTask(undefined);
  return (
    <SettingsSection id="two-step" title={t.twoStep} lead={t.twoStepLead}>
      <Answer query={query}>
        {({ secondFactor }) => {
          if (codes) return <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />;
          if (task === 'setup') return <TwoStepSetup onDone={showCodes} onCancel={close} />;
          if (task === 'renew') return <Renewal onDone={showCodes} onCancel={close} />;
          if (task === 'turn-off') return <TurningOff onClose={close} />;
          return secondFactor?.isOn ? (
            <TurnedOn createdAt={secondFactor.createdAt} left={secondFactor.recoveryCodesLeft} onTask={setTask} />
          ) : (
            <Button variant="default" className={classes.button ?? ''} onClick={() => setTask('setup')}>
              {t.twoStepTurnOn}
            </Button>
          );
        }}
      </Answer>
    </SettingsSection>
  );
}

interface TurnedOnProps {
  readonly createdAt: string | null;
  readonly left: number;
  readonly onTask: (task: Task) => void;
}

function TurnedOn({ createdAt, left, onTask }: TurnedOnProps) {
  const t = useTexts(settingsTexts);
  const format = useFormat();
  return (
    <Stack>
      <p className={classes.good}>{t.twoStepSince({ date: createdAt ? format.date(createdAt) : '' })}</p>
      <p className={classes.dim}>
        {t.recoveryLeft({ count: left })} {left < FEW_CODES && t.recoveryFew}
      </p>
      <Group>
        <Button variant="default" onClick={() => onTask('renew')}>
          {t.recoveryRenew}
        </Button>
        <Button variant="default" c="var(--h-bad-ink)" onClick={() => onTask('turn-off')}>
          {t.twoStepTurnOff}
        </Button>
      </Group>
    </Stack>
  );
}

interface RenewalProps {
  readonly onDone: (codes: readonly string[]) => void;
  readonly onCancel: () => void;
}

function Renewal({ onDone, onCancel }: RenewalProps) {
  const t = useTexts(settingsTexts);
  const renew = useApiMutation(RenewRecoveryCodes, {
    subjects: ['account'],
    onDone: ({ renewRecoveryCodes }) => onDone(renewRecoveryCodes?.recoveryCodes ?? []),
  });
  return (
    <CodeForm
      lead={t.recoveryRenewLead}
      action={t.recoveryRenew}
      isPending={renew.isPending}
      error={renew.error}
      onSubmit={(code) => renew.mutate({ code })}
      onCancel={onCancel}
    />
  );
}

function TurningOff({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(settingsTexts);
  const turnOff = useApiMutation(TurnOffTwoStep, {
    subjects: ['account'],
    onDone: () => {
      showToast({ text: t.twoStepTurnedOff });
      onClose();
    },
  });
  return (
    <CodeForm
      lead={t.twoStepTurnOffLead}
      action={t.twoStepTurnOff}
      isPending={turnOff.isPending}
      error={turnOff.error}
      onSubmit={(code) => turnOff.mutate({ code })}
      onCancel={onClose}
    />
  );
}
