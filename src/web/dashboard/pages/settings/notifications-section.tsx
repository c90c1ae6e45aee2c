/**
 * Notifications in this browser: requested by a button press, as browsers require. The topics are on a separate page.
 */

import settingsTexts from 'texts:settings';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { canNotify } from '../../live/notices.ts';
import { useTexts } from '../../texts/texts.ts';
import { Section } from '../../ui/page.tsx';
import classes from './settings.module.css';

export function NotificationsSection() {
  const t = useTexts(settingsTexts);
  return (
    <Section title={t.notifications} lead={t.notificationsLead}>
      {canNotify() ? <BrowserNotifications /> : <p className={classes.dim}>{t.notifyInsecure}</p>}
      <Link href="/notifications" className={classes.link ?? ''}>
        {t.notifyPage}
      </Link>
    </Section>
  );
}

function BrowserNotifications() {
  const t = useTexts(settingsTexts);
  const [permission, setPermission] = useState(Notification.permission);
  if (permission === 'granted') return <p className={classes.good}>{t.notifyOn}</p>;
  if (permission === 'denied') return <p className={classes.dim}>{t.notifyDenied}</p>;
  const ask = async () => setPermission(await Notification.requestPermission());
  return (
    <Button variant="default" onClick={() => void ask()} className={classes.button ?? ''}>
      {t.notify}
    </Button>
  );
}
