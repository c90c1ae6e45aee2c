/**
 * How long requests take, by route: counted for every one of them, from the first to the last step of the face, until the answer begins.
 * Routes are told as they are written in the code (`/rest/rooms/:id`), and what leads nowhere as one: nothing that comes from outside
 * becomes a label, so that nobody can make figures without end.
 */
import { matchedRoutes } from 'hono/route';
import { counter, type Figure, histogram, type Labels } from '../../app/metrics/figure.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Durations } from '../../kernel/tally.ts';
import type { FaceContext, FaceMiddleware } from '../env.ts';

/** Of what is at no route. */
const NOWHERE = '(none)';
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);
/** The face that a path belongs to, by its first word; what is not here is a page. */
const FACES: Readonly<Record<string, string>> = {
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
  /** How many were answered with 1xx, 2xx … 5xx. */
  readonly classes: [number, number, number, number, number];
}

export class RequestTimings {
  readonly #clock: Clock;
  /** By route, then by method: what is there is bounded by the routes. */
  readonly #series = new Map<string, Map<string, Series>>();

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  /** To be the first of all steps. */
  measure(): FaceMiddleware {
    return async (c, next) => {
      const startedAt = this.#clock.monotonic();
      await next();
      const { path, method } = c.req;
      // A path without parameters is its own route: most requests are spared the search.
      const { durations, classes } = this.#series.get(path)?.get(method) ?? this.#seriesOf(routeOf(c), method);
      durations.add(this.#clock.monotonic() - startedAt);
      const at = Math.trunc(c.res.status / 100) - 1;
      if (at in classes) classes[at] = (classes[at] ?? 0) + 1;
    };
  }

  *figures(): Generator<Figure> {
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
    // Methods come from outside, too.
    const said = METHODS.has(method) ? method : 'other';
    const labels = { face: faceOf(route), route, method: said };
    const series = methods.get(said) ?? { labels, durations: new Durations(), classes: [0, 0, 0, 0, 0] };
    methods.set(said, series);
    return series;
  }
}

/** The route that answered, or would have if nothing before it had refused. */
function routeOf(c: FaceContext): string {
  const routes = matchedRoutes(c);
  const last = routes[c.req.routeIndex];
  // Middleware is at every method; no route is.
  const route = last && last.method !== 'ALL' ? last : routes.find(({ method }) => method !== 'ALL');
  return route?.path ?? NOWHERE;
}

function faceOf(route: string): string {
  if (route === NOWHERE) return 'none';
  const [, first = ''] = route.split('/');
  return Object.hasOwn(FACES, first) ? (FACES[first] ?? '') : 'pages';
}
