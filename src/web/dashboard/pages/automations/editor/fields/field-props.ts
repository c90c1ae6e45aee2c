import type { FlowNode, Json } from '../../flow/flow-record.ts';
import type { Path } from '../../flow/paths.ts';
import type { Field } from '../../flow/registry.ts';

/** What every control gets. */
export interface FieldProps {
  readonly field: Field;
  readonly node: FlowNode;
  readonly path: Path;
  readonly label: string;
  readonly error: string | undefined;
  /** `undefined` takes the field out. */
  set(value: Json | undefined): void;
  /** For controls that are about more than their own field. */
  setNode(node: FlowNode): void;
}
