import nativeTexts from 'texts:native-automations';
import { useMemo } from 'react';
import { present } from '../../../api/graphql.ts';
import { useHome } from '../../../home/use-home.ts';
import { usePeople } from '../../../pickers/people-picker.tsx';
import { useWords } from '../../../pickers/property-words.ts';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import type { NativeWords } from './native-words.ts';

/** The input of sentences about native automations: the home, its people and the page's language. */
export function useNativeWords(): NativeWords {
  const inventory = useHome();
  const words = useWords();
  const format = useFormat();
  const texts = useTexts(nativeTexts);
  const { data } = usePeople();
  return useMemo(() => {
    const people = new Map(present(data?.people).map(({ id, name }) => [id, name]));
    return { inventory, words: { ...words, format }, texts, people };
  }, [inventory, words, format, texts, data]);
}
