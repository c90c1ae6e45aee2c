/** The version that runs here, how to update it, and the credits. */

import settingsTexts from 'texts:settings';
import { Link } from 'wouter';
import { useManagesHome } from '../../account/account.ts';
import { useApiQuery } from '../../api/query.ts';
import { useTexts } from '../../texts/texts.ts';
import { Answer } from '../../ui/page.tsx';
import { VersionQuery } from './account-documents.ts';
import classes from './settings.module.css';
import { SettingsSection } from './settings-section.tsx';

export function AboutSection() {
  const t = useTexts(settingsTexts);
  const managesHome = useManagesHome();
  const query = useApiQuery(VersionQuery, {}, { subjects: ['relay'] });
  return (
    <SettingsSection id="about" title={t.about}>
      <Answer query={query}>
        {({ version }) => (
          <div>
            <p className={classes.dim}>hearthd {version}</p>
            <ul className="h-bare">
              <li>
                <a href="/docs/install#upgrade" className={classes.link}>
                  {t.updateLink}
                </a>
              </li>
              {managesHome && (
                <li>
                  <Link href="/system/news" className={classes.link ?? ''}>
                    {t.newsLink}
                  </Link>
                </li>
              )}
              <li>
                <a href="/docs" className={classes.link}>
                  {t.manualLink}
                </a>
              </li>
              <li>
                <a href="/assets/licenses.md" className={classes.link}>
                  {t.licencesLink}
                </a>
              </li>
            </ul>
          </div>
        )}
      </Answer>
    </SettingsSection>
  );
}
