/** Sentences about flows for components: bound to the home that is on the screen and the page's language. */
import { useMemo } from 'react';
import { graphql, present } from '../../../api/graphql.ts';
import { useAsk } from '../../../api/query.ts';
import { useHouse } from '../../../house/use-house.ts';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { useWords } from '../pickers/property-words.ts';
import type { FlowNode } from './flow-record.ts';
import type { SentenceContext } from './sentence-context.ts';
import { describeAction, describeCondition, describeTrigger } from './sentences.ts';
import { flowTexts } from './texts/texts.ts';

/** Of the home, what flows refer to beside accessories and scenes. */
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

/** Empty until they are read. */
export function useFlowNames(): FlowNames {
  const { id: homeId } = useHouse();
  const { data } = useAsk(FlowNamesQuery, { homeId }, { subjects: ['automations', 'people'] });
  return useMemo(
    () => ({
      flows: present(data?.flows),
      natives: present(data?.automations),
      people: present(data?.people),
    }),
    [data],
  );
}

/** @param triggers of the flow that the sentences are about */
export function useSentenceContext(triggers?: readonly FlowNode[]): SentenceContext {
  const house = useHouse();
  const names = useFlowNames();
  const texts = useTexts(flowTexts);
  const words = useWords();
  const format = useFormat();
  return useMemo(() => {
    const byId = (list: readonly Named[]) => new Map(list.map(({ id, name }) => [id.toLowerCase(), name]));
    const automations = byId([...names.flows, ...names.natives]);
    return { house, automations, people: byId(names.people), texts, words, format, ...(triggers && { triggers }) };
  }, [house, names, texts, words, format, triggers]);
}

export interface BoundSentences {
  trigger(node: FlowNode): string;
  condition(node: FlowNode): string;
  action(node: FlowNode): string;
}

/** Sentences about nodes as the API gives them. */
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
