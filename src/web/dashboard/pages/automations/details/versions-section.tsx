/** Earlier versions of an advanced automation: the differences to the current one, and the way to restore each. */
import detailsTexts from 'texts:automation';
import commonTexts from 'texts:common';
import { Box, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { present } from '../../../api/graphql.ts';
import { useApiMutation, useApiQuery } from '../../../api/query.ts';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { useErrorText } from '../../../ui/error-text.ts';
import { Answer, Section } from '../../../ui/page.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { type FlowRecord, toFlowRecord } from '../flow/flow-record.ts';
import { useSentences } from '../flow/use-sentences.ts';
import classes from './details.module.css';
import { type FlowVersion, RestoreVersion, VersionsQuery } from './details-document.ts';
import { type Difference, differencesOf } from './flow-diff.ts';

interface VersionsProps {
  readonly flowId: string;
  readonly now: FlowRecord | undefined;
  readonly canManage: boolean;
}

export function VersionsSection(props: VersionsProps) {
  const t = useTexts(detailsTexts);
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={t.versions} lead={t.versionsLead}>
      {isOpen ? (
        <Versions {...props} />
      ) : (
        <div>
          <Button variant="default" onClick={() => setOpen(true)}>
            {t.showVersions}
          </Button>
        </div>
      )}
    </Section>
  );
}

function Versions({ flowId, now, canManage }: VersionsProps) {
  const query = useApiQuery(VersionsQuery, { id: flowId }, { subjects: ['automations'] });
  return (
    <Answer query={query}>
      {({ flowVersions }) => {
        const versions = present(flowVersions).toSorted((a, b) => b.version - a.version);
        return (
          <ol className={classes.versions}>
            {versions.map((version, index) => (
              <li key={version.id}>
                <VersionRow
                  version={version}
                  newest={versions[0]}
                  isNow={index === 0}
                  now={now}
                  canManage={canManage}
                />
              </li>
            ))}
          </ol>
        );
      }}
    </Answer>
  );
}

interface VersionRowProps {
  readonly version: FlowVersion;
  readonly newest: FlowVersion | undefined;
  readonly isNow: boolean;
  readonly now: FlowRecord | undefined;
  readonly canManage: boolean;
}

function VersionRow({ version, newest, isNow, now, canManage }: VersionRowProps) {
  const t = useTexts(detailsTexts);
  const common = useTexts(commonTexts);
  const { number } = useFormat();
  const errorText = useErrorText();
  const restore = useApiMutation(RestoreVersion, { subjects: ['automations'] });
  const name = t.version({ number: number(version.version) });
  const bringBack = async () => {
    try {
      await restore.mutateAsync({ versionId: version.id });
      showToast({
        text: t.restored({ version: name }),
        ...(newest && {
          action: { label: common.undo, run: () => restore.mutate({ versionId: newest.id }) },
        }),
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showToast({ tone: 'bad', text: common.refused({ what: name, why: errorText(error) }) });
    }
  };
  return (
    <>
      <Group gap={8} justify="space-between">
        <Group component="span" gap="0 10px" align="baseline">
          <strong>{name}</strong>
          {isNow && <span>{t.current}</span>}
          <Text span c="dimmed">
            <TimeAgo at={version.savedAt} />
          </Text>
        </Group>
        {!isNow && canManage && (
          <Button
            variant="default"
            loading={restore.isPending}
            onClick={() => void bringBack()}
            aria-label={t.restoreOf({ version: name })}
          >
            {t.restore}
          </Button>
        )}
      </Group>
      {!isNow && now && (
        <details>
          <summary>{t.compare}</summary>
          <Differences before={version.definition} now={now} />
        </details>
      )}
    </>
  );
}

function Differences({ before, now }: { readonly before: unknown; readonly now: FlowRecord }) {
  const t = useTexts(detailsTexts);
  const sentences = useSentences(now.triggers);
  const words = (difference: Difference): string => {
    if (difference.kind === 'conditions') return t.conditionsChanged;
    if (difference.kind === 'setting') return t.settingChanged({ name: difference.name });
    const sentence = difference.isTrigger ? sentences.trigger : sentences.action;
    if (difference.kind === 'changed') {
      const [before, after] = [sentence(difference.before), sentence(difference.after)];
      return before === after ? t.changedInside({ what: after }) : t.changed({ before, after });
    }
    return t[difference.kind]({ what: sentence(difference.node) });
  };
  const differences = differencesOf(readDefinition(before), now);
  if (differences.length === 0) return <Text c="dimmed">{t.same}</Text>;
  return (
    <Box component="ul" m="4px 0 0" ps={20} className="h-anywhere">
      {[...new Set(differences.map(words))].map((line) => (
        <li key={line}>{line}</li>
      ))}
    </Box>
  );
}

function readDefinition(definition: unknown): FlowRecord {
  try {
    return toFlowRecord(definition);
  } catch {
    return toFlowRecord({});
  }
}
