/** Sentences about flows for components, bound to the displayed home and the page's language. */

import flowTexts from 'texts:automation-flow';
import { useMemo } from 'react';
import { graphql, present } from '../../../api/graphql.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useHome } from '../../../home/use-home.ts';
import { useWords } from '../../../pickers/property-words.ts';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import type { FlowNode } from './flow-record.ts';
import type { SentenceContext } from './sentence-context.ts';
import { describeAction, describeCondition, describeTrigger } from './sentences.ts';

/** Names in the home that flows refer to, beside accessories and scenes. */
const FlowNamesQuery = graphql(`
  query FlowNames($homeId: String!) {
    flows(homeId: $homeId) {
      id
      name
    }
    automations(homeId: $homeId) {
      id
      name
    }
    people(homeId: $homeId) {
      id
      name
    }
  }
`);

interface Named {
  readonly id: string;
  readonly name: string;
}

export interface FlowNames {
  readonly flows: readonly Named[];
  readonly natives: readonly Named[];
  readonly people: readonly Named[];
}

/** Empty until they are loaded. */
export function useFlowNames(): FlowNames {
  const { id: homeId } = useHome();
  const { data } = useApiQuery(FlowNamesQuery, { homeId }, { subjects: ['automations', 'people'] });
  return useMemo(
    () => ({
      flows: present(data?.flows),
      natives: present(data?.automations),
      people: present(data?.people),
    }),
    [data],
  );
}

/** @param triggers the triggers of the described flow */
export function useSentenceContext(triggers?: readonly FlowNode[]): SentenceContext {
  const inventory = useHome();
  const names = useFlowNames();
  const texts = useTexts(flowTexts);
  const words = useWords();
  const format = useFormat();
  return useMemo(() => {
    const byId = (list: readonly Named[]) => new Map(list.map(({ id, name }) => [id.toLowerCase(), name]));
    const automations = byId([...names.flows, ...names.natives]);
    return {
      inventory,
      automations,
      people: byId(names.people),
      texts,
      words,
      format,
      ...(triggers && { triggers }),
    };
  }, [inventory, names, texts, words, format, triggers]);
}

export interface BoundSentences {
  trigger(node: FlowNode): string;
  condition(node: FlowNode): string;
  action(node: FlowNode): string;
}

/** Sentences about nodes in the API's format. */
export function useSentences(triggers?: readonly FlowNode[]): BoundSentences {
  const context = useSentenceContext(triggers);
  return useMemo(
    () => ({
      trigger: (node) => describeTrigger(node, context),
      condition: (node) => describeCondition(node, context),
      action: (node) => describeAction(node, context),
    }),
    [context],
  );
}
