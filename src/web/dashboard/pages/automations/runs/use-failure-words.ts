import runTexts from 'texts:automation-runs';
import commonTexts from 'texts:common';
import { useHome } from '../../../home/use-home.ts';
import { findTarget } from '../../../pickers/property.ts';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { type Failure, failureText } from './trace-words.ts';

/** The reason of a failed run or step, in the page's language. */
export function useFailureWords(): (failure: Failure) => string {
  const inventory = useHome();
  const texts = useTexts(runTexts);
  const { errors } = useTexts(commonTexts);
  const format = useFormat();
  return (failure) =>
    failureText(failure, {
      texts,
      errors,
      nameOf: (id) => findTarget(inventory, id)?.name,
      list: (names) => format.list(names),
    });
}
