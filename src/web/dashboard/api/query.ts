/**
 * Queries and mutations of pages, over TanStack Query. A query names its subjects. A live event about one of them, or a
 * mutation that names one, refetches it, so two browsers stay in step.
 */
import {
  keepPreviousData,
  QueryClient,
  type QueryFilters,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { ApiError } from './api-error.ts';
import { act, ask } from './client.ts';
import type { LiveEvent } from './event-stream.ts';
import { type ResultOf, textOf, type VariablesOf } from './graphql.ts';
import { RefreshQueue } from './refresh-queue.ts';
import { sessionHolder } from './session.ts';

/** The subject of a query. */
export type QuerySubject =
  | 'inventory'
  | 'scenes'
  | 'groups'
  | 'automations'
  | 'schedule'
  | 'traces'
  | 'history'
  | 'energy'
  | 'activity'
  | 'people'
  | 'members'
  | 'shares'
  | 'sessions'
  | 'apps'
  | 'tokens'
  | 'webhooks'
  | 'mqtt'
  | 'publications'
  | 'notifications'
  | 'account'
  | 'discovery'
  | 'pairings'
  | 'relay'
  | 'backups';

/** The live events that can change each subject. The home itself applies each event (`home/home-live.ts`). */
const SUBJECTS_OF_EVENTS: Readonly<Record<string, readonly QuerySubject[]>> = {
  'layout.changed': [
    'inventory',
    'scenes',
    'groups',
    'history',
    'energy',
    'automations',
    'schedule',
    'people',
    'shares',
  ],
  'accessory.added': ['inventory', 'discovery', 'pairings'],
  'accessory.removed': ['inventory', 'discovery', 'pairings'],
  'accessory.reachability_changed': ['pairings'],
  'home.connection_changed': ['inventory', 'pairings'],
  'automation.fired': ['automations', 'traces'],
  'automation.failed': ['automations', 'traces'],
  'activity.added': ['activity'],
  'automations.changed': ['automations', 'schedule'],
  'notification.sent': ['notifications'],
  'notification.button_pressed': ['notifications'],
  'notifications.read': ['notifications'],
  'presence.changed': ['people'],
  'settings.changed': ['account'],
  'members.changed': ['members', 'inventory', 'account'],
  'pairings.changed': ['pairings', 'discovery', 'inventory'],
  'discovery.changed': ['discovery'],
  'webhooks.changed': ['webhooks'],
  'brokers.changed': ['mqtt'],
  'publications.changed': ['publications'],
  'relay.settings_changed': ['relay'],
  'relay.started': ['relay', 'backups', 'pairings'],
};

/** Live events keep data fresh; this is for data without events. */
const STALE_MS = 10_000;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      networkMode: 'always',
      retry: (failures, error) => failures < 2 && error instanceof ApiError && error.code === 'offline',
      retryDelay: (failures) => 500 * 2 ** failures,
    },
    mutations: { networkMode: 'always' },
  },
});

/** Refetches every active query about one of these subjects. */
export function refresh(...subjects: readonly QuerySubject[]): void {
  void refreshed(...subjects);
}

/** The same, and waits for the responses, successful or not. */
export function refreshed(...subjects: readonly QuerySubject[]): Promise<void> {
  return queryClient.invalidateQueries(about(new Set(subjects)));
}

function about(wanted: ReadonlySet<QuerySubject>): QueryFilters {
  return {
    predicate: ({ meta }) =>
      (meta?.subjects as readonly QuerySubject[] | undefined)?.some((each) => wanted.has(each)) ?? false,
  };
}

const byEvents = new RefreshQueue<QuerySubject>(async (subjects) => {
  const queries = about(subjects);
  // A running read may have begun before the event: it finishes, and another one follows.
  const isUnderWay = queryClient.isFetching(queries) > 0;
  await queryClient.invalidateQueries(queries, { cancelRefetch: false });
  if (isUnderWay) await queryClient.invalidateQueries(queries, { cancelRefetch: false });
});

/** For `live.onEvent`. */
export function refreshByEvent({ type }: LiveEvent): void {
  if (type === 'missed') void queryClient.invalidateQueries();
  else byEvents.add(SUBJECTS_OF_EVENTS[type] ?? []);
}

interface QueryOptions {
  readonly subjects: readonly QuerySubject[];
  /** The query waits until this is true. */
  readonly enabled?: boolean;
  /** The polling interval while the page is visible, for data without events. */
  readonly everyMs?: number;
  /** Keeps the previous data while new variables load. */
  readonly keepPrevious?: boolean;
  /** Needs no sign-in. */
  readonly anonymous?: boolean;
}

export function useApiQuery<const Doc>(
  document: Doc,
  variables: VariablesOf<Doc>,
  { subjects, enabled = true, everyMs, keepPrevious = false, anonymous = false }: QueryOptions,
): UseQueryResult<ResultOf<Doc>, ApiError> {
  return useQuery({
    ...queryOf(document, variables, subjects, anonymous),
    enabled,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  }) as UseQueryResult<ResultOf<Doc>, ApiError>;
}

/**
 * Loads data before any component needs it; later queries for the same data use the result, or wait for it.
 * @returns the data; `undefined` after an error, which the component shows later
 */
export async function askAhead<const Doc>(
  document: Doc,
  variables: VariablesOf<Doc>,
  subjects: readonly QuerySubject[],
): Promise<ResultOf<Doc> | undefined> {
  const query = queryOf(document, variables, subjects);
  await queryClient.prefetchQuery(query);
  return queryClient.getQueryData(query.queryKey);
}

/** The time of data that this device kept: older than any answer, so that every query for it asks the relay. */
const KEPT_AT_MS = 1;

/** Gives queries the data that this device kept, until the relay answers. */
export function showKept<const Doc>(document: Doc, variables: VariablesOf<Doc>, data: ResultOf<Doc>): void {
  queryClient.setQueryData(queryOf(document, variables, []).queryKey, data, { updatedAt: KEPT_AT_MS });
}

export function isKept({ dataUpdatedAt }: { readonly dataUpdatedAt: number }): boolean {
  return dataUpdatedAt === KEPT_AT_MS;
}

/** The relay's last answer. */
export function lastAnswer<const Doc>(document: Doc, variables: VariablesOf<Doc>): ResultOf<Doc> | undefined {
  const state = queryClient.getQueryState<ResultOf<Doc>>(queryOf(document, variables, []).queryKey);
  return state && !isKept(state) ? state.data : undefined;
}

function queryOf<const Doc>(
  document: Doc,
  variables: VariablesOf<Doc>,
  subjects: readonly QuerySubject[],
  anonymous = false,
) {
  return {
    queryKey: [textOf(document), variables],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => ask(document, variables, { signal, anonymous }),
    meta: { subjects },
  };
}

interface ActOptions<Doc> {
  /** The subjects that the mutation changes. */
  readonly subjects: readonly QuerySubject[];
  readonly onDone?: (result: ResultOf<Doc>) => void;
}

/** Callbacks of the component that starts the mutation. */
interface ActCallbacks<Doc> {
  /** Called on every page, even after the component unmounts. */
  readonly onSuccess?: (result: ResultOf<Doc>) => void;
  /** Called only while the component is mounted; later, `onLateFailure` reports the error. */
  readonly onError?: (error: ApiError) => void;
}

interface Act<Doc>
  extends Omit<UseMutationResult<ResultOf<Doc>, ApiError, VariablesOf<Doc>>, 'mutate' | 'mutateAsync'> {
  mutate(variables: VariablesOf<Doc>, callbacks?: ActCallbacks<Doc>): void;
  /** @throws `ApiError` */
  mutateAsync(variables: VariablesOf<Doc>): Promise<ResultOf<Doc>>;
}

const lateFailureListeners = new Set<(error: ApiError) => void>();

/** Reports errors of mutations whose component is unmounted. @returns the function that ends the subscription. */
export function onLateFailure(listener: (error: ApiError) => void): () => void {
  lateFailureListeners.add(listener);
  return () => lateFailureListeners.delete(listener);
}

/** A mutation; `mutate` never throws, `mutateAsync` throws `ApiError`. */
export function useApiMutation<const Doc>(document: Doc, { subjects, onDone }: ActOptions<Doc>): Act<Doc> {
  const isThere = useRef(false);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);
  const mutation = useMutation<ResultOf<Doc>, ApiError, VariablesOf<Doc>>({
    mutationFn: (variables) => act(document, variables),
    onSuccess: (result) => {
      refresh(...subjects);
      onDone?.(result);
    },
    onError: (error) => {
      // After a sign-out the sign-in page already shows the state.
      if (isThere.current || !sessionHolder.get()) return;
      for (const listener of lateFailureListeners) listener(error);
    },
  });
  const { mutateAsync } = mutation;
  const mutate = useCallback(
    (variables: VariablesOf<Doc>, { onSuccess, onError }: ActCallbacks<Doc> = {}): void => {
      // TanStack Query drops the callbacks of `mutate` when the component unmounts.
      void mutateAsync(variables).then(onSuccess, (error: ApiError) => isThere.current && onError?.(error));
    },
    [mutateAsync],
  );
  return { ...mutation, mutate };
}
