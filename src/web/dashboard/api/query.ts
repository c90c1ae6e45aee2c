/**
 * What pages ask and change, over TanStack Query. A query names the subjects that it is about; a live event about one of them, or a
 * mutation that says so, makes it ask again, so that two browsers stay in step.
 */
import {
  keepPreviousData,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import type { LiveEvent } from '../live/event-stream.ts';
import { ApiError } from './api-error.ts';
import { act, ask } from './client.ts';
import { type ResultOf, textOf, type VariablesOf } from './graphql.ts';
import { sessionHolder } from './session.ts';

/** What a query can be about. */
export type Subject =
  | 'house'
  | 'scenes'
  | 'groups'
  | 'automations'
  | 'traces'
  | 'history'
  | 'people'
  | 'members'
  | 'shares'
  | 'sessions'
  | 'apps'
  | 'tokens'
  | 'webhooks'
  | 'mqtt'
  | 'notifications'
  | 'account'
  | 'discovery'
  | 'pairings'
  | 'relay'
  | 'backups';

/** Which live events mean that something may be different. The house itself follows each event (`house/house-live.ts`). */
const SUBJECTS_OF_EVENTS: Readonly<Record<string, readonly Subject[]>> = {
  'layout.changed': ['house', 'scenes', 'groups', 'history', 'automations', 'people', 'shares'],
  'accessory.added': ['house', 'discovery', 'pairings'],
  'accessory.removed': ['house', 'discovery', 'pairings'],
  'accessory.reachability_changed': ['pairings'],
  'home.connection_changed': ['house', 'pairings'],
  'automation.fired': ['automations', 'traces'],
  'automation.failed': ['automations', 'traces'],
  'automations.changed': ['automations'],
  'notification.sent': ['notifications'],
  'presence.changed': ['people'],
  'settings.changed': ['account'],
  'members.changed': ['members', 'house', 'account'],
  'pairings.changed': ['pairings', 'discovery', 'house'],
  'discovery.changed': ['discovery'],
  'webhooks.changed': ['webhooks'],
  'brokers.changed': ['mqtt'],
  'relay.settings_changed': ['relay'],
  'relay.started': ['relay', 'backups', 'pairings'],
};

/** Live events keep it fresh; this is for what no event tells. */
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

/** Asks again whatever is about one of these and on the screen. */
export function refresh(...subjects: readonly Subject[]): void {
  void refreshed(...subjects);
}

/** The same, for whoever waits until that is answered, well or not. */
export function refreshed(...subjects: readonly Subject[]): Promise<void> {
  const wanted = new Set<Subject>(subjects);
  return queryClient.invalidateQueries({
    predicate: ({ meta }) =>
      (meta?.subjects as readonly Subject[] | undefined)?.some((each) => wanted.has(each)) ?? false,
  });
}

/** For `live.onEvent`. */
export function refreshByEvent({ type }: LiveEvent): void {
  if (type === 'missed') void queryClient.invalidateQueries();
  else refresh(...(SUBJECTS_OF_EVENTS[type] ?? []));
}

interface AskOptions {
  readonly subjects: readonly Subject[];
  /** Not before this holds. */
  readonly enabled?: boolean;
  /** Where no event tells: how often it is asked again while the page is seen. */
  readonly everyMs?: number;
  /** What was there before stays while new variables are asked for. */
  readonly keepPrevious?: boolean;
  /** Nobody need be signed in. */
  readonly anonymous?: boolean;
}

export function useAsk<const Doc>(
  document: Doc,
  variables: VariablesOf<Doc>,
  { subjects, enabled = true, everyMs, keepPrevious = false, anonymous = false }: AskOptions,
): UseQueryResult<ResultOf<Doc>, ApiError> {
  return useQuery({
    ...queryOf(document, variables, subjects, anonymous),
    enabled,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  }) as UseQueryResult<ResultOf<Doc>, ApiError>;
}

/**
 * Asks before any component does; those that ask for the same find it, or wait for it.
 * @returns what came; `undefined` if nothing did, which is told where it is needed
 */
export async function askAhead<const Doc>(
  document: Doc,
  variables: VariablesOf<Doc>,
  subjects: readonly Subject[],
): Promise<ResultOf<Doc> | undefined> {
  const query = queryOf(document, variables, subjects);
  await queryClient.prefetchQuery(query);
  return queryClient.getQueryData(query.queryKey);
}

function queryOf<const Doc>(
  document: Doc,
  variables: VariablesOf<Doc>,
  subjects: readonly Subject[],
  anonymous = false,
) {
  return {
    queryKey: [textOf(document), variables],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => ask(document, variables, { signal, anonymous }),
    meta: { subjects },
  };
}

interface ActOptions<Doc> {
  /** What is different afterwards. */
  readonly subjects: readonly Subject[];
  readonly onDone?: (result: ResultOf<Doc>) => void;
}

/** What whoever makes the change does about it themselves. */
interface ActCallbacks<Doc> {
  /** On whatever page the person is by then. */
  readonly onSuccess?: (result: ResultOf<Doc>) => void;
  /** Only while its part of the page is there; later, `onLateFailure` tells it. */
  readonly onError?: (error: ApiError) => void;
}

interface Act<Doc>
  extends Omit<UseMutationResult<ResultOf<Doc>, ApiError, VariablesOf<Doc>>, 'mutate' | 'mutateAsync'> {
  mutate(variables: VariablesOf<Doc>, callbacks?: ActCallbacks<Doc>): void;
  /** @throws `ApiError` */
  mutateAsync(variables: VariablesOf<Doc>): Promise<ResultOf<Doc>>;
}

const lateFailureListeners = new Set<(error: ApiError) => void>();

/** What failed after people had left the part of the page that would have said so. @returns the function that ends the subscription. */
export function onLateFailure(listener: (error: ApiError) => void): () => void {
  lateFailureListeners.add(listener);
  return () => lateFailureListeners.delete(listener);
}

/** A change; `mutate` never throws, `mutateAsync` throws `ApiError`. */
export function useAct<const Doc>(document: Doc, { subjects, onDone }: ActOptions<Doc>): Act<Doc> {
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
      // Whoever is signed out sees that already.
      if (isThere.current || !sessionHolder.get()) return;
      for (const listener of lateFailureListeners) listener(error);
    },
  });
  const { mutateAsync } = mutation;
  const mutate = useCallback(
    (variables: VariablesOf<Doc>, { onSuccess, onError }: ActCallbacks<Doc> = {}): void => {
      // Those that `mutate` itself takes are forgotten with the component.
      void mutateAsync(variables).then(onSuccess, (error: ApiError) => isThere.current && onError?.(error));
    },
    [mutateAsync],
  );
  return { ...mutation, mutate };
}
