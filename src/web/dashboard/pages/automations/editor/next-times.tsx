import { useFormat } from '../../../texts/format.ts';
/** The next times at which the draft's clock triggers fire, requested from the relay during editing. */

import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ask } from '../../../api/client.ts';
import { graphql } from '../../../api/graphql.ts';
import { useHome } from '../../../home/use-home.ts';
import { checkFlow } from '../flow/check.ts';
import { clockTriggersOf, type FlowRecord } from '../flow/flow-record.ts';
import { useEditor } from './editor-context.tsx';

const NextTimesQuery = graphql(`
  query NextTimesOfDraft($homeId: String!, $data: JSON!, $scenario: JSON) {
    simulateFlow(homeId: $homeId, data: $data, scenario: $scenario) {
      nextFireDates
    }
  }
`);

/** The pause after the last change, so that typing sends no request for each letter. */
const PAUSE_MS = 700;
const MAX_SHOWN = 3;
const NO_TIME = { durationS: 0 };

export function NextTimes({ flow }: { readonly flow: FlowRecord }) {
  const { texts } = useEditor();
  const format = useFormat();
  const times = useNextTimes(flow);
  if (times.length === 0) return null;
  return (
    <Text p="10px 14px" bdrs="var(--h-radius-small)" className="h-cool" role="status">
      {texts.nextTimes}:{' '}
      {times
        .slice(0, MAX_SHOWN)
        .map((at) => format.soon(at))
        .join(' · ')}
    </Text>
  );
}

function useNextTimes(flow: FlowRecord): readonly string[] {
  const { id: homeId } = useHome();
  const [times, setTimes] = useState<readonly string[]>([]);
  const triggers = clockTriggersOf(flow);
  // Only triggers decide the times, so other changes send no request.
  const data = JSON.stringify({ name: 'Draft', triggers, actions: [] });
  const isComplete = triggers.length > 0 && checkFlow(JSON.parse(data)).length === 0;
  useEffect(() => {
    if (!isComplete) {
      setTimes([]);
      return undefined;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      ask(NextTimesQuery, { homeId, data: JSON.parse(data), scenario: NO_TIME }, { signal: stop.signal }).then(
        ({ simulateFlow }) => setTimes(simulateFlow?.nextFireDates ?? []),
        // Invalid draft, or offline: saving shows the error.
        () => setTimes([]),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [homeId, data, isComplete]);
  return times;
}
