/** The tokens that the user created: their access, their last use, and the way to revoke them. */

import connectionsTexts from 'texts:connections';
import { Switch } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { act } from '../../../api/client.ts';
import { present } from '../../../api/graphql.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { attempt } from '../../../ui/attempt.ts';
import { confirm } from '../../../ui/confirm.ts';
import { ActsMenu, Badge, Entries, Entry, Hint } from '../../../ui/entries.tsx';
import { Answer, Section } from '../../../ui/page.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { MadeList } from '../apps/made-list.tsx';
import { parsePermissions } from '../apps/permissions.ts';
import { usePermissionsText } from '../apps/permissions-field.tsx';
import { RevokeToken, TokensQuery } from '../documents.ts';
import { isOver, type Token } from './token-state.ts';

/** No live event reports the use of tokens. */
const ASK_EVERY_MS = 15_000;

export function TokensSection() {
  const { tokens: t } = useTexts(connectionsTexts);
  const tokens = useApiQuery(TokensQuery, {}, { subjects: ['tokens'], everyMs: ASK_EVERY_MS });
  const [showsAll, setShowsAll] = useState(false);
  return (
    <Section>
      <Answer query={tokens}>
        {({ accessTokens }) => {
          const all = present(accessTokens);
          const shown = showsAll ? all : all.filter((token) => !isOver(token));
          return (
            <>
              {shown.length === 0 && <Hint>{t.empty}</Hint>}
              {shown.length > 0 && (
                <Entries label={t.title}>
                  {shown.map((token) => (
                    <TokenEntry key={token.id} token={token} />
                  ))}
                </Entries>
              )}
              {all.some(isOver) && (
                <Switch
                  label={t.showRevoked}
                  checked={showsAll}
                  onChange={({ currentTarget }) => setShowsAll(currentTarget.checked)}
                />
              )}
            </>
          );
        }}
      </Answer>
    </Section>
  );
}

function TokenEntry({ token }: { readonly token: Token }) {
  const texts = useTexts(connectionsTexts);
  const { tokens: t } = texts;
  const format = useFormat();
  const permissionsText = usePermissionsText();
  const { id, name, tokenPrefix, revokedAt, expiresAt, lastUsedAt, made } = token;
  const over = isOver(token);
  const revoke = async (endWhatItMade: boolean) => {
    const body = (
      <>
        {t.revokeText}
        <MadeList lead={endWhatItMade ? t.endsToo : t.goesOn} made={made} />
      </>
    );
    const action = endWhatItMade ? t.revokeAll : t.revoke;
    if (!(await confirm({ title: t.revokeTitle({ name }), body, action, isDangerous: true }))) return;
    await attempt(() => act(RevokeToken, { tokenId: id, endWhatItMade }), 'tokens');
  };
  const ends = expiresAt === null ? t.neverEnds : (over ? t.endedAt : t.endsAt)({ when: format.dateTime(expiresAt) });
  return (
    <Entry
      icon={<KeyRound />}
      name={name}
      badges={over && <Badge tone="bad">{revokedAt === null ? t.expired : t.revoked}</Badge>}
      menu={
        !over && (
          <ActsMenu
            label={texts.actsFor({ name })}
            acts={[
              { label: t.revoke, isDangerous: true, run: () => void revoke(false) },
              ...(made.length > 0 ? [{ label: t.revokeAll, isDangerous: true, run: () => void revoke(true) }] : []),
            ]}
          />
        )
      }
    >
      <code>{tokenPrefix}…</code> · {permissionsText(parsePermissions(token.homePermissions))}
      <br />
      {ends} ·{' '}
      {lastUsedAt === null ? (
        t.neverUsed
      ) : (
        <>
          {t.lastUsed} <TimeAgo at={lastUsedAt} />
        </>
      )}
    </Entry>
  );
}
