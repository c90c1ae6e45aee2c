/** The values of a form about a blueprint, without a page. */
import type { BlueprintInput, OfferedBlueprint } from '../../../../../contract/blueprints.ts';

export type BlueprintValues = Readonly<Record<string, unknown>>;

const SECOND_MS = 1_000;

/** What the relay answers as JSON. */
export function toOffered(answer: {
  readonly id: string | null;
  readonly icon: string | null;
  readonly missing: readonly string[];
  readonly choices: unknown;
  readonly blueprint: unknown;
}): OfferedBlueprint {
  return answer as OfferedBlueprint;
}

/** The defaults; every accessory that fits, where the blueprint asks for all. */
export function initialValues({ blueprint: { inputs }, choices }: OfferedBlueprint): BlueprintValues {
  return Object.fromEntries(
    inputs.map((input) => {
      if (input.default !== undefined) return [input.id, input.default];
      if (input.all) return [input.id, choices[input.id] ?? []];
      if (input.multiple || input.kind === 'weekdays') return [input.id, []];
      return [input.id, input.kind === 'flag' ? false : undefined];
    }),
  );
}

/** What the relay is sent: without what was left empty, but for lists that it would fill in. */
export function sentValues(inputs: readonly BlueprintInput[], values: BlueprintValues): Record<string, unknown> {
  return Object.fromEntries(
    inputs.flatMap((input) => {
      const value = values[input.id];
      return isEmpty(value) && !input.all ? [] : [[input.id, value] as const];
    }),
  );
}

/** The required inputs without a value. */
export function emptyInputs(inputs: readonly BlueprintInput[], values: BlueprintValues): readonly string[] {
  return inputs
    .filter(({ id, optional, kind, default: usual }) => {
      return !optional && kind !== 'flag' && usual === undefined && isEmpty(values[id]);
    })
    .map(({ id }) => id);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** The input that an error names: `inputs.lights[1]`. */
export function inputOf(field: string | undefined): string | undefined {
  return /^inputs\.([a-z][a-z0-9_]*)/.exec(field ?? '')?.[1];
}

interface Duration {
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
}

export function toMs(value: unknown): number {
  const { hours = 0, minutes = 0, seconds = 0 } = (value ?? {}) as Duration;
  return ((hours * 60 + minutes) * 60 + seconds) * SECOND_MS;
}

export function toDuration(ms: number): Duration {
  return { seconds: ms / SECOND_MS };
}

/** The version that a file has; `undefined` if it has none. */
export function versionOf(file: string): string | undefined {
  return /"hearthd_blueprint"\s*:\s*(\d+)/.exec(file)?.[1];
}
