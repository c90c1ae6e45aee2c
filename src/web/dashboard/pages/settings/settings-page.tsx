/** The settings of the user and this device; the relay's settings are under System. */

import settingsTexts from 'texts:settings';
import { useTexts } from '../../texts/texts.ts';
import { Page } from '../../ui/page.tsx';
import { AboutSection } from './about-section.tsx';
import { AppSection } from './app-section.tsx';
import { DeveloperSection } from './developer-section.tsx';
import { LightingSection } from './lighting-section.tsx';
import { LooksSection } from './looks-section.tsx';
import { NotificationsSection } from './notifications-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

export function SettingsPage() {
  const t = useTexts(settingsTexts);
  return (
    <Page title={t.title} narrow>
      <LooksSection />
      <ProfileSection />
      <PasswordSection />
      <SessionsSection />
      <LightingSection />
      <NotificationsSection />
      <AppSection />
      <DeveloperSection />
      <AboutSection />
    </Page>
  );
}
