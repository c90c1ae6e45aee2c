/** The first tab of the settings: the user, and this device. */

import { AboutSection } from './about-section.tsx';
import { AppSection } from './app-section.tsx';
import { DeveloperSection } from './developer-section.tsx';
import { LooksSection } from './looks-section.tsx';
import { NotificationsSection } from './notifications-section.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { SettingsFrame } from './settings-frame.tsx';
import { SettingsColumns } from './settings-section.tsx';
import { TabletSection } from './tablet-section.tsx';
import { TwoStepSection } from './two-step-section.tsx';

export function SettingsPage() {
  return (
    <SettingsFrame>
      <SettingsColumns
        second={
          <>
            <NotificationsSection />
            <AppSection />
            <TabletSection />
            <DeveloperSection />
            <AboutSection />
          </>
        }
      >
        <LooksSection />
        <ProfileSection />
        <PasswordSection />
        <PasskeysSection />
        <TwoStepSection />
        <SessionsSection />
      </SettingsColumns>
    </SettingsFrame>
  );
}
