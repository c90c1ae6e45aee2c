/**
 * Measures the duration of requests by route: of every request, from the first to the last middleware, until the
 * response begins. Labels are the routes as written in the code (`/rest/rooms/:id`), and one label for all unknown
 * paths: no client input becomes a label, so that clients cannot create unlimited series.
 */
import { matchedRoutes } from 'hono/route';
import { counter, histogram, type Labels, type MetricFamily } from '../../app/metrics/metric-family.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Durations } from '../../kernel/tally.ts';
import type { ApiContext, ApiMiddleware } from '../env.ts';

/** For unknown paths. */
const NOWHERE = '(none)';
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);
/** The API of a path, by its first segment; any other path is a page. */
const API_LABELS: Readonly<Record<string, string>> = {
  rest: 'rest',
  graphql: 'graphql',
  mcp: 'mcp',
  oauth: 'oauth',
  '.well-known': 'oauth',
  s: 'share',
  webhook: 'webhook',
  owntracks: 'owntracks',
  events: 'live',
  ws: 'live',
  health: 'service',
  ready: 'service',
  metrics: 'service',
  'openapi.json': 'service',
};

interface Series {
  readonly labels: Labels;
  readonly durations: Durations;
  /** The number of responses with 1xx, 2xx … 5xx. */
  readonly classes: [number, number, number, number, number];
}

export class RequestTimings {
  readonly #clock: Clock;
  /** By route, then by method: the routes bound the size. */
  readonly #series = new Map<string, Map<string, Series>>();

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  /** Must be the first middleware. */
  measure(): ApiMiddleware {
    return async (c, next) => {
      const startedAt = this.#clock.monotonic();
      await next();
      const { path, method } = c.req;
      // A path without parameters is its own route: most requests need no search.
      const series = this.#series.get(path)?.get(method) ?? this.#seriesOf(routeOf(c), method);
      this.#count(series, c.res.status, startedAt);
    };
  }

  /** Counts a request that Hono does not see. @param route as written in the code */
  note(route: string, method: string, status: number, startedAt: number): void {
    this.#count(this.#series.get(route)?.get(method) ?? this.#seriesOf(route, method), status, startedAt);
  }

  #count({ durations, classes }: Series, status: number, startedAt: number): void {
    durations.add(this.#clock.monotonic() - startedAt);
    const at = Math.trunc(status / 100) - 1;
    if (at in classes) classes[at] = (classes[at] ?? 0) + 1;
  }

  *families(): Generator<MetricFamily> {
    const all = [...this.#series.values()].flatMap((methods) => [...methods.values()]);
    yield counter(
      'hearthd_http_requests_total',
      'Requests, by route and class of the status that they were answered with',
      all.flatMap(({ labels, classes }) =>
        classes.flatMap((value, at) => (value === 0 ? [] : [{ labels: { ...labels, status: `${at + 1}xx` }, value }])),
      ),
    );
    yield histogram(
      'hearthd_http_request_duration_seconds',
      'From the arrival of a request to the beginning of its answer',
      all.map(({ labels, durations }) => ({ labels, counts: durations.read() })),
    );
  }

  #seriesOf(route: string, method: string): Series {
    const known = this.#series.get(route)?.get(method);
    if (known) return known;
    const methods = this.#series.get(route) ?? new Map<string, Series>();
    this.#series.set(route, methods);
    // Clients may send any method.
    const given = METHODS.has(method) ? method : 'other';
    const labels = { face: apiOf(route), route, method: given };
    const series = methods.get(given) ?? { labels, durations: new Durations(), classes: [0, 0, 0, 0, 0] };
    methods.set(given, series);
    return series;
  }
}

/** The route that responded, or would have without an earlier error. */
function routeOf(c: ApiContext): string {
  const routes = matchedRoutes(c);
  const last = routes[c.req.routeIndex];
  // Middleware matches every method; no route does.
  const route = last && last.method !== 'ALL' ? last : routes.find(({ method }) => method !== 'ALL');
  return route?.path ?? NOWHERE;
}

function apiOf(route: string): string {
  if (route === NOWHERE) return 'none';
  const [, first = ''] = route.split('/');
  return Object.hasOwn(API_LABELS, first) ? (API_LABELS[first] ?? '') : 'pages';
}
