/** Installation as an app, if the browser supports it. */

import settingsTexts from 'texts:settings';
import { Button } from '@mantine/core';
import { useInstall } from '../../pwa/install.ts';
import { useTexts } from '../../texts/texts.ts';
import { Section } from '../../ui/page.tsx';
import classes from './settings.module.css';

export function AppSection() {
  const t = useTexts(settingsTexts);
  const install = useInstall();
  // The page already runs as an app.
  if (matchMedia('(display-mode: standalone)').matches) return null;
  const isApple = /\b(?:iPhone|iPad)\b/.test(navigator.userAgent);
  if (!install && !isApple && isSecureContext) return null;
  return (
    <Section id="app" title={t.app} lead={t.appLead}>
      {install ? (
        <Button variant="default" onClick={install} className={classes.button ?? ''}>
          {t.install}
        </Button>
      ) : (
        <p className={classes.dim}>{isApple ? t.appOnIos : t.appInsecure}</p>
      )}
    </Section>
  );
}
