/** How the field of the search and its results work together. */
import type { RefObject } from 'react';

/** What the results do with the keys of the field. */
export interface ResultKeys {
  step(by: 1 | -1): void;
  open(): void;
}

export interface SearchResultsProps {
  /** Of the list; its options are `<id>-<index>`. */
  readonly id: string;
  readonly query: string;
  /** Set by the results. */
  readonly keys: RefObject<ResultKeys | undefined>;
  readonly isEntered: RefObject<boolean>;
  /** @param option the id of the selected result */
  readonly onSelect: (option: string | undefined) => void;
  readonly onClose: () => void;
}
