/** Shared by the tools for blueprints: what an input takes, and names in place of ids. */
import { invalid } from '../../../app/automations/parsing/faults.ts';
import type { BlueprintInput, OfferedBlueprint } from '../../../contract/blueprints.ts';
import type { Home } from '../../../home/model.ts';
import { shorten } from '../../../home/vocabulary/values.ts';
import { matching } from '../automations/home-words.ts';
import type { ToolContext } from './mcp-tool.ts';
import { accessoriesIn, keyOf } from './places.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

export function presentBlueprint(context: ToolContext, home: Home, offered: OfferedBlueprint): object {
  const { id, missing, choices, blueprint } = offered;
  const { name, description, inputs } = blueprint;
  return {
    id,
    name,
    description,
    missing,
    inputs: inputs.map((input) => {
      const ids = choices[input.id];
      const things = ids && thingsFor(context, home, input).filter((one) => ids.includes(one.id));
      return {
        id: input.id,
        name: input.name,
        ...(input.description !== undefined && { description: input.description }),
        kind: input.kind,
        several: input.multiple === true || input.kind === 'weekdays',
        required: !input.optional && !input.all && input.default === undefined && input.kind !== 'flag',
        ...(input.default !== undefined && { default: input.default }),
        ...(things && { choices: things.map(keyOf) }),
      };
    }),
  };
}

/**
 * The values with the ids of what they name; a text that names nothing stays, and the operation refuses it.
 * @throws `invalid_value` several things have the name
 */
export function withIds(
  context: ToolContext,
  home: Home,
  inputs: readonly BlueprintInput[],
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const entries = Object.entries(values).map(([id, value]) => {
    const input = inputs.find((one) => one.id === id);
    const things = input ? thingsFor(context, home, input) : [];
    const idOf = (text: unknown): unknown => {
      const found = typeof text === 'string' ? matching(things, text) : [];
      if (found.length <= 1) return found[0]?.id ?? text;
      const ids = found.map((one) => one.id).join(', ');
      throw invalid(`inputs.${id}`, `"${shorten(String(text))}" is the name of several; give the id of one: ${ids}`);
    };
    if (things.length === 0) return [id, value] as const;
    return [id, Array.isArray(value) ? value.map(idOf) : idOf(value)] as const;
  });
  return Object.fromEntries(entries);
}

function thingsFor(context: ToolContext, home: Home, { kind }: BlueprintInput): readonly Named[] {
  const { caller, deps } = context;
  switch (kind) {
    case 'accessory':
      return accessoriesIn(context, { home });
    case 'service_group':
      return deps.serviceGroups.list(caller, home.id);
    case 'scene':
      return deps.scenes.list(caller, home.id);
    case 'person':
      return deps.people.list(caller, home.id);
    case 'automation':
      return [...deps.flows.list(caller, home.id), ...deps.automations.list(caller, home.id)];
    default:
      return [];
  }
}
