/** Rows of command tables: lists of a resource, and requests about one of its items. */

import type { CommandContext } from './action.ts';
import type { ApiClient } from './api-client.ts';
import {
  type ArgumentRow,
  type Arguments,
  type CommandBuilder,
  defineCommand,
  type OptionRow,
  type Options,
} from './define-command.ts';
import { type Inventory, loadInventory } from './inventory.ts';
import type { Cell, CommandOutput } from './output.ts';

type None = readonly [];
type Cells = Readonly<Record<string, Cell>>;

/** A kind of item that an argument identifies. */
export interface ResourceRow<T, O extends readonly OptionRow[] = None> {
  readonly argument: ArgumentRow;
  readonly options?: O;
  /** @throws `CliError` not found · ambiguous */
  find(api: ApiClient, text: string, options?: Options<O>): Promise<T>;
  path(item: T): string;
}

/** A list of items in a table. */
export function list<T>(row: {
  readonly name?: string;
  readonly description: string;
  load(api: ApiClient): Promise<readonly T[]>;
  /** The cells of one item, by column. */
  columns(item: T, output: CommandOutput): Cells;
  readonly empty: string;
}): CommandBuilder {
  return defineCommand({
    ...row,
    name: row.name ?? 'list',
    async run({ api, output }) {
      output.list(await row.load(api), (item) => row.columns(item, output), row.empty);
    },
  });
}

/** A list of items of homes, of one home with `--home`. */
export function listInHomes<T>(row: {
  readonly name?: string;
  readonly description: string;
  readonly examples?: readonly string[];
  load(api: ApiClient, homeId: string | undefined, inventory: Inventory): Promise<readonly T[]> | readonly T[];
  columns(item: T, inventory: Inventory, output: CommandOutput): Cells;
  readonly empty: string;
}): CommandBuilder {
  return defineCommand({
    ...row,
    name: row.name ?? 'list',
    options: [['--home <home>', 'only in this home']],
    async run({ api, output }, { home }) {
      const inventory = await loadInventory(api);
      const items = await row.load(api, home === undefined ? undefined : inventory.home(home).id, inventory);
      output.list(items, (item) => row.columns(item, inventory, output), row.empty);
    },
  });
}

/** Prints one item. */
export function show<T>(
  resource: ResourceRow<T>,
  row: {
    readonly name?: string;
    readonly description: string;
    print(item: T, context: CommandContext): Promise<void> | void;
  },
): CommandBuilder {
  return defineCommand({
    name: row.name ?? 'show',
    description: row.description,
    arguments: [resource.argument],
    async run(context, text) {
      const item = await resource.find(context.api, text);
      if (context.output.json) context.output.result(item, () => undefined);
      else await row.print(item, context);
    },
  });
}

/** Creates an item. */
export function create<
  R,
  const A extends readonly ArgumentRow[] = None,
  const O extends readonly OptionRow[] = None,
>(row: {
  readonly name?: string;
  readonly description: string;
  readonly arguments?: A;
  readonly options?: O;
  readonly path: string;
  body(api: ApiClient, ...given: [...Arguments<A>, Options<O>]): object | Promise<object>;
  done(created: R): string;
}): CommandBuilder {
  return defineCommand<A, O>({
    ...row,
    name: row.name ?? 'create',
    async run({ api, output }, ...given) {
      const created = await api.send<R>('POST', row.path, await row.body(api, ...given));
      output.done(created, row.done(created));
    },
  });
}

/** Sends one request about an item. */
export function change<
  T,
  R,
  RO extends readonly OptionRow[] = None,
  const A extends readonly ArgumentRow[] = None,
  const O extends readonly OptionRow[] = None,
>(
  resource: ResourceRow<T, RO>,
  row: {
    readonly name: string;
    readonly description: string;
    readonly arguments?: A;
    readonly options?: O;
    readonly method?: 'POST' | 'PATCH' | 'DELETE';
    /** Appended to the path of the item. */
    readonly suffix?: string;
    body?(...given: [...Arguments<A>, Options<readonly [...O, ...RO]>]): object;
    done(answer: R, item: T): string;
  },
): CommandBuilder {
  return defineCommand<readonly [ArgumentRow, ...A], readonly [...O, ...RO]>({
    name: row.name,
    description: row.description,
    arguments: [resource.argument, ...((row.arguments ?? []) as A)],
    options: [...((row.options ?? []) as O), ...((resource.options ?? []) as RO)],
    async run({ api, output }, text, ...given) {
      const item = await resource.find(api, text, given.at(-1) as Options<RO>);
      const path = `${resource.path(item)}${row.suffix ?? ''}`;
      const answer = await api.send<R>(row.method ?? 'PATCH', path, row.body?.(...given));
      output.done(answer, row.done(answer, item));
    },
  });
}

/** Changes the name of an item. */
export function rename<T, RO extends readonly OptionRow[]>(
  resource: ResourceRow<T, RO>,
  row: { readonly description: string; done(name: string, item: T): string },
): CommandBuilder {
  return change(resource, {
    name: 'rename',
    description: row.description,
    arguments: [['<name>', 'new name']],
    body: (name) => ({ name }),
    done: ({ name }: { readonly name: string }, item) => row.done(name, item),
  });
}

/** Deletes an item. */
export function remove<T, RO extends readonly OptionRow[]>(
  resource: ResourceRow<T, RO>,
  row: { readonly name?: string; readonly description: string; done(item: T): string },
): CommandBuilder {
  return change(resource, {
    name: row.name ?? 'delete',
    description: row.description,
    method: 'DELETE',
    done: (_answer, item) => row.done(item),
  });
}
