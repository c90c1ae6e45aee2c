import { useHouse } from '../../../house/use-house.ts';
import { commonTexts } from '../../../texts/common/common.ts';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { findTarget } from '../pickers/property.ts';
import { runTexts } from './texts/texts.ts';
import { type Failure, failureText } from './trace-words.ts';

/** Why a run or a step did not end well, in the page's language. */
export function useFailureWords(): (failure: Failure) => string {
  const house = useHouse();
  const texts = useTexts(runTexts);
  const { errors } = useTexts(commonTexts);
  const format = useFormat();
  return (failure) =>
    failureText(failure, {
      texts,
      errors,
      nameOf: (id) => findTarget(house, id)?.name,
      list: (names) => format.list(names),
    });
}
