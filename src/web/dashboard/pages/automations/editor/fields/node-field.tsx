/** One field of a node's form: the control for its kind. */
import type { ComponentType } from 'react';
import type { FlowNode } from '../../flow/flow-record.ts';
import { textOf } from '../../flow/flow-record.ts';
import type { FieldControl, FieldRow } from '../../flow/kind.ts';
import type { Path } from '../../flow/paths.ts';
import { type EditorTexts, useEditor, useFieldError } from '../editor-context.tsx';
import { ButtonsField } from './buttons-field.tsx';
import { ChoiceField, FlagField, MethodsField, NumberField, NumberTemplateField } from './choice-fields.tsx';
import type { FieldProps } from './field-props.ts';
import { LevelField, OperatorField, PropertyField, ValueField } from './property-fields.tsx';
import {
  AccessoryField,
  ActionRefsField,
  AutomationField,
  OperandField,
  OperationField,
  PeopleField,
  PlaceField,
  SceneActionRefField,
  SceneField,
  TriggerRefField,
  VariableNameField,
  WebhookField,
  WhoField,
} from './reference-fields.tsx';
import { EntriesField, ExpressionField, JsonField, TemplateField, TextField } from './text-fields.tsx';
import {
  DatePartsField,
  DurationField,
  MomentField,
  OffsetField,
  PatternField,
  TimeField,
  WeekdaysField,
} from './time-fields.tsx';

const CONTROLS: Readonly<Record<FieldControl['is'], ComponentType<FieldProps>>> = {
  property: PropertyField,
  value: ValueField,
  level: LevelField,
  accessory: AccessoryField,
  virtualAccessory: AccessoryField,
  scene: SceneField,
  flow: AutomationField,
  automation: AutomationField,
  people: PeopleField,
  who: WhoField,
  time: TimeField,
  weekdays: WeekdaysField,
  moment: MomentField,
  dateParts: DatePartsField,
  pattern: PatternField,
  duration: DurationField,
  offset: OffsetField,
  text: TextField,
  template: TemplateField,
  longTemplate: TemplateField,
  expression: ExpressionField,
  variableName: VariableNameField,
  flag: FlagField,
  number: NumberField,
  numberTemplate: NumberTemplateField,
  choice: ChoiceField,
  methods: MethodsField,
  buttons: ButtonsField,
  json: ShapedJsonField,
  entries: EntriesField,
  operation: OperationField,
  operand: OperandField,
  triggerRef: TriggerRefField,
  sceneActionRef: SceneActionRefField,
  actionRefs: ActionRefsField,
  webhook: WebhookField,
  place: PlaceField,
};

interface NodeFieldProps {
  readonly field: FieldRow;
  readonly node: FlowNode;
  readonly path: Path;
}

export function NodeField({ field, node, path }: NodeFieldProps) {
  const { session, texts } = useEditor();
  const error = useFieldError(path, field.name);
  const Shown = field.name === 'operator' ? OperatorField : CONTROLS[field.control.is];
  return (
    <Shown
      {...{ field, node, path, error }}
      label={labelOf(field, node, texts)}
      set={(value) => session.setField(path, field.name, value)}
      setNode={(next) => session.setNode(path, next)}
    />
  );
}

function ShapedJsonField(props: FieldProps) {
  const { control } = props.field;
  return <JsonField {...props} shape={control.is === 'json' ? control.shape : 'any'} />;
}

function labelOf({ name }: FieldRow, node: FlowNode, { fields, kindFields }: EditorTexts): string {
  const special = node.id === undefined || name === 'to' ? `${textOf(node, 'type')}.${name}` : '';
  const labels = { ...fields, ...kindFields } as Readonly<Record<string, string>>;
  return labels[special] ?? labels[name] ?? name;
}
