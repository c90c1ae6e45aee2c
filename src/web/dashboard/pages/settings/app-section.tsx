/** Installation as an app, if the browser supports it. */

import settingsTexts from 'texts:settings';
import { Button } from '@mantine/core';
import { useInstall } from '../../pwa/install.ts';
import { useTexts } from '../../texts/texts.ts';
import classes from './settings.module.css';
import { SettingsSection } from './settings-section.tsx';

export function AppSection() {
  const t = useTexts(settingsTexts);
  const install = useInstall();
  // The page already runs as an app.
  if (matchMedia('(display-mode: standalone)').matches) return null;
  const isApple = /\b(?:iPhone|iPad)\b/.test(navigator.userAgent);
  if (!install && !isApple && isSecureContext) return null;
  return (
    <SettingsSection id="app" title={t.app} lead={t.appLead}>
      {install ? (
        <Button variant="default" onClick={install} className={classes.button ?? ''}>
          {t.install}
        </Button>
      ) : (
        <p className={classes.dim}>{isApple ? t.appOnIos : t.appInsecure}</p>
      )}
    </SettingsSection>
  );
}
