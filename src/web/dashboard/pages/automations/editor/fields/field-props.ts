import type { FlowNode, Json } from '../../flow/flow-record.ts';
import type { FieldRow } from '../../flow/kind.ts';
import type { Path } from '../../flow/paths.ts';

/** The props of every control. */
export interface FieldProps {
  readonly field: FieldRow;
  readonly node: FlowNode;
  readonly path: Path;
  readonly label: string;
  readonly error: string | undefined;
  /** `undefined` removes the field. */
  set(value: Json | undefined): void;
  /** For controls that set several fields. */
  setNode(node: FlowNode): void;
}
