/** Https on a port of its own: what is served, until when, and what is wrong. */

import systemTexts from 'texts:system';
import { Anchor, Text } from '@mantine/core';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { Section } from '../../../ui/page.tsx';
import { type Fact, Facts } from '../facts.tsx';

export interface HttpsFacts {
  readonly isOn: boolean;
  readonly source: string | null;
  readonly addresses: readonly string[];
  readonly expiresAt: string | null;
  readonly authorityFingerprint: string | null;
  readonly trustUrl: string | null;
  readonly problem: string | null;
}

export function HttpsSection({ https }: { readonly https: HttpsFacts }) {
  const t = useTexts(systemTexts).https;
  const format = useFormat();
  const { isOn, source, addresses, expiresAt, authorityFingerprint, trustUrl, problem } = https;
  const [address] = addresses;
  const link = (url: string) => <Anchor href={url}>{url}</Anchor>;
  const facts: readonly (Fact | false)[] = [
    [t.state, isOn ? (address === undefined ? t.notServed : link(address)) : t.off],
    isOn && [t.certificate, source === 'tailscale' ? t.tailscale : source === 'acme' ? t.acme : t.own],
    expiresAt !== null && [t.until, t.untilOf({ when: format.dateTime(Date.parse(expiresAt)) })],
    authorityFingerprint !== null && [t.fingerprint, <code key="fingerprint">{authorityFingerprint}</code>],
    trustUrl !== null && [t.trust, link(trustUrl)],
  ];
  return (
    <Section title={t.title}>
      <Facts facts={facts.filter((fact) => fact !== false)} />
      {problem !== null && (
        <Text mt="xs" c="red" lang="en">
          {problem}
        </Text>
      )}
    </Section>
  );
}
