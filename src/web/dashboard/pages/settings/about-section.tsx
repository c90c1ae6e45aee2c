/** The version that runs here, how to update it, and the credits. */

import settingsTexts from 'texts:settings';
import { Link } from 'wouter';
import { useManagesHome } from '../../account/account.ts';
import { useApiQuery } from '../../api/query.ts';
import { useTexts } from '../../texts/texts.ts';
import { Answer, Section } from '../../ui/page.tsx';
import { VersionQuery } from './account-documents.ts';
import classes from './settings.module.css';

export function AboutSection() {
  const t = useTexts(settingsTexts);
  const managesHome = useManagesHome();
  const query = useApiQuery(VersionQuery, {}, { subjects: ['relay'] });
  return (
    <Section id="about" title={t.about}>
      <Answer query={query}>
        {({ version }) => (
          <dl className={classes.facts}>
            <dt>{t.version}</dt>
            <dd>hearthd {version}</dd>
            <dt>{t.update}</dt>
            <dd>
              <a href="/docs/install#upgrade" className={classes.link}>
                {t.updateLink}
              </a>
            </dd>
            {managesHome && (
              <>
                <dt>{t.news}</dt>
                <dd>
                  <Link href="/system/news" className={classes.link ?? ''}>
                    {t.newsLink}
                  </Link>
                </dd>
              </>
            )}
            <dt>{t.manual}</dt>
            <dd>
              <a href="/docs" className={classes.link}>
                {t.manualLink}
              </a>
            </dd>
            <dt>{t.licences}</dt>
            <dd>
              <a href="/assets/licenses.md" className={classes.link}>
                {t.licencesLink}
              </a>
            </dd>
          </dl>
        )}
      </Answer>
    </Section>
  );
}
