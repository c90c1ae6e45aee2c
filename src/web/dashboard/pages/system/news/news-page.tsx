/** What is new: the change log that is shipped, from the version that the person saw last. Earlier ones are folded. */

import versions from 'changelog:versions';
import systemTexts from 'texts:system';
import { Fragment, useEffect, useState } from 'react';
import { useSettings } from '../../../account/account.ts';
import { SEEN_VERSION, useRelayVersions, useSeeVersion } from '../../../shell/relay-versions.ts';
import { useLanguage } from '../../../texts/language.ts';
import { useTexts } from '../../../texts/texts.ts';
import { Loading, Section } from '../../../ui/page.tsx';
import { SystemFrame } from '../system-frame.tsx';
import {
  type ChangelogBlock,
  type ChangelogInline,
  type ChangelogVersion,
  sectionsOf,
  splitChangelog,
  upgradedSince,
} from './changelog.ts';
import classes from './news-page.module.css';

export function NewsPage() {
  const running = useRelayVersions();
  return <SystemFrame>{running ? <News {...running} /> : <Loading />}</SystemFrame>;
}

function News({ version, previousVersion }: { readonly version: string; readonly previousVersion: string | null }) {
  const t = useTexts(systemTexts).news;
  const language = useLanguage();
  const { dashboard } = useSettings();
  const seeVersion = useSeeVersion();
  // As it was when the page opened: from then on, this version is seen.
  const [since] = useState(() => upgradedSince(version, previousVersion, dashboard[SEEN_VERSION]));
  useEffect(() => {
    if (since !== undefined) seeVersion(version);
  }, [since, version, seeVersion]);
  const { fresh, earlier } = splitChangelog(versions, since ?? null);
  return (
    <>
      {language !== 'en' && <p className={classes.note}>{t.inEnglish}</p>}
      {fresh.map((one) => (
        <Section key={one.version} title={t.version({ title: one.title })}>
          <VersionText version={one} />
        </Section>
      ))}
      {earlier.length > 0 && (
        <Section title={t.earlier}>
          {earlier.map((one) => (
            <details key={one.version} className={classes.folded}>
              <summary>{t.version({ title: one.title })}</summary>
              <VersionText version={one} />
            </details>
          ))}
        </Section>
      )}
    </>
  );
}

function VersionText({ version }: { readonly version: ChangelogVersion }) {
  return (
    <div lang="en" className={classes.text}>
      {/* The text never changes while the page is open. */}
      {sectionsOf(version).map(({ heading, blocks, isLong }, at) => {
        const content = blocks.map((block, index) => <Block key={index} block={block} />);
        return isLong ? (
          <details key={at} className={classes.folded}>
            <summary>
              <h3>{heading && inlines(heading)}</h3>
            </summary>
            {content}
          </details>
        ) : (
          <Fragment key={at}>
            {heading && <h3>{inlines(heading)}</h3>}
            {content}
          </Fragment>
        );
      })}
    </div>
  );
}

function Block({ block }: { readonly block: ChangelogBlock }) {
  if (block.kind === 'heading') return null;
  if (block.kind === 'paragraph') return <p>{inlines(block.text)}</p>;
  return (
    <ul>
      {block.items.map((item, at) => (
        <li key={at}>{inlines(item)}</li>
      ))}
    </ul>
  );
}

function inlines(parts: readonly ChangelogInline[]) {
  return parts.map((part, at) => <Fragment key={at}>{inline(part)}</Fragment>);
}

function inline(part: ChangelogInline) {
  if (typeof part === 'string') return part;
  switch (part.kind) {
    case 'code':
      return <code>{part.text}</code>;
    case 'strong':
      return <strong>{part.text}</strong>;
    case 'em':
      return <em>{part.text}</em>;
    case 'link':
      // Documents are pages of their own.
      return (
        <a href={part.href} rel="noreferrer">
          {part.text}
        </a>
      );
  }
}
