/** All runs of one automation. */

import runTexts from 'texts:automation-runs';
import { present } from '../../../api/graphql.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useTexts } from '../../../texts/texts.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { Answer, Page } from '../../../ui/page.tsx';
import { kindOf, pageOf } from '../list/addresses.ts';
import { RunList } from './run-list.tsx';
import { RunsQuery } from './runs-document.ts';

/** No event reports the end of a successful run. */
const LOOK_EVERY_MS = 3_000;

interface RunsPageProps {
  readonly kind?: string;
  readonly automationId?: string;
}

export function RunsPage({ kind: kindText, automationId = '' }: RunsPageProps) {
  const t = useTexts(runTexts);
  const kind = kindOf(kindText);
  const query = useApiQuery(RunsQuery, { automationId }, { subjects: ['traces'], everyMs: LOOK_EVERY_MS });
  return (
    <Answer query={query}>
      {({ automationOutline, flowTraces }) => {
        const runs = present(flowTraces);
        return (
          <Page
            title={t.titleOf({ name: automationOutline?.name ?? '' })}
            lead={runs.length > 0 && t.lead}
            above={<BackLink href={pageOf(kind, automationId)}>{automationOutline?.name ?? t.automation}</BackLink>}
            narrow
          >
            <RunList kind={kind} automationId={automationId} runs={runs} />
          </Page>
        );
      }}
    </Answer>
  );
}
