/** The graph on the page of an automation: for those who may change it, each node leads to its step in the editor. */
import { Answer } from '../../../ui/page.tsx';
import type { FlowRecord } from '../flow/flow-record.ts';
import { getAt, type Path, pathText } from '../flow/paths.ts';
import { type AutomationKind, editStepPageOf } from '../list/addresses.ts';
import { GraphView } from './graph-view.tsx';
import { useGraphFlow } from './use-graph-flow.ts';

interface AutomationGraphProps {
  readonly kind: AutomationKind;
  readonly id: string;
  readonly canEdit: boolean;
}

export function AutomationGraph({ kind, id, canEdit }: AutomationGraphProps) {
  return (
    <Answer query={useGraphFlow(kind, id)}>
      {(data) =>
        data && (
          <GraphView
            flow={data.flow}
            targetOf={({ path }) =>
              canEdit ? { href: editStepPageOf(kind, id, pathText(cardOf(data.flow, path))) } : undefined
            }
          />
        )
      }
    </Answer>
  );
}

/** The editor has no card for a block of conditions: that of the action around it, or of its first condition. */
function cardOf(flow: FlowRecord, path: Path): Path {
  if (path.at(-3) === 'choices') return path.slice(0, -3);
  const first = [...path, 'conditions', 0];
  return getAt(flow, first) === undefined ? path : first;
}
