/**
 * Notifications on this device, also while the dashboard is closed, and the user's other devices. A press of a button
 * asks for the permission, as browsers require. The topics are on a separate page.
 */

import settingsTexts from 'texts:settings';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useAccount } from '../../account/account.ts';
import { nameOfThisDevice } from '../../account/device-name.ts';
import { refresh } from '../../api/query.ts';
import { isPushOn, pushSupport, turnPushOn } from '../../pwa/push.ts';
import { useTexts } from '../../texts/texts.ts';
import { errorText } from '../../ui/error-text.ts';
import { showToast } from '../../ui/toasts.tsx';
import { PushDeviceList } from './push-device-list.tsx';
import classes from './settings.module.css';
import { SettingsSection } from './settings-section.tsx';

export function NotificationsSection() {
  const t = useTexts(settingsTexts);
  const [, setTurnedOff] = useState(0);
  return (
    <SettingsSection id="notifications" title={t.notifications} lead={t.notificationsLead}>
      <ThisDevice />
      <PushDeviceList onTurnedOff={() => setTurnedOff((times) => times + 1)} />
      <Link href="/notifications" className={classes.link ?? ''}>
        {t.notifyPage}
      </Link>
    </SettingsSection>
  );
}

function ThisDevice() {
  const t = useTexts(settingsTexts);
  switch (pushSupport()) {
    case 'ready':
      return <TurnOn />;
    case 'insecure':
      return (
        <>
          <p className={classes.dim}>{t.notifyInsecure}</p>
          <a href="/docs/security#on-the-network" className={classes.link}>
            {t.notifyHttps}
          </a>
        </>
      );
    case 'install first':
      return <p className={classes.dim}>{t.notifyInstall}</p>;
    case 'unsupported':
      return <p className={classes.dim}>{t.notifyUnsupported}</p>;
  }
}

function TurnOn() {
  const t = useTexts(settingsTexts);
  const { me } = useAccount();
  const [permission, setPermission] = useState(Notification.permission);
  const [isPending, setPending] = useState(false);
  if (permission === 'denied') return <p className={classes.dim}>{t.notifyDenied}</p>;
  if (isPushOn(me.id)) return <p className={classes.good}>{t.notifyOn}</p>;
  const turnOn = async () => {
    setPending(true);
    try {
      await turnPushOn(me.id, nameOfThisDevice());
    } catch (error) {
      showToast({ text: errorText(error), tone: 'bad' });
    }
    setPermission(Notification.permission);
    setPending(false);
    refresh('notifications');
  };
  return (
    <Button variant="default" loading={isPending} onClick={() => void turnOn()} className={classes.button ?? ''}>
      {t.notify}
    </Button>
  );
}
