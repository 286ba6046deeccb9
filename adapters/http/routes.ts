import { Router, type Layer } from '@koa/router'
import type { Context } from 'koa'
import type { Operation } from '#src/core/operation.ts'
import { call } from '#src/core/words/reference.ts'
import type { Arrival } from './arrival.ts'
import type { Wording } from './envelope.ts'
import { operationRoute, type OperationRoute, type RouteTerms } from './operation-route.ts'
import type { Reply } from './reply.ts'

/** The result for a request's address: the reply, or the methods that it would have answered. */
export interface Found {
  reply?: Reply | undefined
  methods: readonly string[]
  /** The calls of the address, as references, where none of them was asked for. */
  calls?: readonly string[]
}

export type FindOperation = (ctx: Context, arrival: Arrival) => Promise<Found>

/** An operation's route under the name that the router knows it by; made when it is first asked for. */
type Routes = Map<string, () => OperationRoute>

/**
 * The catalog as routes. A router tests every layer on every request, so there is a small router for
 * each group, chosen by the group's name and the number of segments after it, and one for the routes of
 * the group whose last parameter takes any number of segments. Only what matches a path is asked of it: to
 * run the one handler of an operation, a chain of middleware would be built for each request.
 */
export function operationRoutes(
  terms: RouteTerms,
  wordingOf: (path: string) => Wording,
): FindOperation {
  const routers = new Map<string, Router>()
  const routes: Routes = new Map()
  const names = new Map<string, string>()
  const callAt = (layer: Layer, path: string): string | undefined => {
    const name = names.get(layer.name ?? '')
    return name && call(name, layer.params(path, layer.captures(path)))
  }
  for (const { op, path } of routesOf(terms.core.catalog)) {
    const group = op.http.tail ? openGroup(path) : groupOf(path)
    const router = routers.get(group) ?? new Router({ sensitive: true })
    routers.set(group, router)
    const name = `${op.http.method} ${path}`
    names.set(name, op.name)
    router.register(patternOf(path, op.http.tail), [op.http.method], unused, { name })
    // A start need not wait for the readers of them all.
    let answer: OperationRoute | undefined
    routes.set(name, () => (answer ??= operationRoute(terms, op, wordingOf(path))))
  }
  return async (ctx, arrival) => {
    const { path } = ctx
    const router = routers.get(groupOf(path)) ?? routers.get(openGroup(path))
    if (!router) return { methods: [] }
    const found = router.match(path, ctx.method)
    const [layer] = found.pathAndMethod
    const route = layer && routes.get(layer.name ?? '')
    if (!route) {
      const methods = found.path.flatMap((one) => one.methods)
      return { methods, calls: found.path.flatMap((one) => callAt(one, path) ?? []) }
    }
    const params = layer.params(path, layer.captures(path))
    return { reply: await route()(ctx, arrival, params), methods: layer.methods }
  }
}

/** The router has a handler for each route, and is not asked to run it. */
function unused(): void {}

/** Every path of every operation. The first match answers, so fixed segments come before parameters. */
function routesOf(catalog: readonly Operation[]): { op: Operation; path: string }[] {
  const routes = catalog.flatMap((op) =>
    [op.http.path, ...(op.http.also ?? [])].map((path) => ({ op, path })),
  )
  const rank = (path: string): string => path.replaceAll(/\{\w+\}/g, '\uffff')
  return routes.toSorted((a, b) => (rank(a.path) < rank(b.path) ? -1 : 1))
}

/** `characters 1` of `/api/characters/ada`: the group, and how many segments follow it. */
function groupOf(path: string): string {
  const start = path.startsWith('/api/') ? 5 : 1
  const end = path.endsWith('/') ? path.length - 1 : path.length
  let segments = 0
  let first = end
  for (let at = path.indexOf('/', start); at >= 0 && at < end; at = path.indexOf('/', at + 1)) {
    if (segments === 0) first = at
    segments += 1
  }
  return `${path.slice(start, first)} ${segments}`
}

/** `characters *` of any path of the group. */
function openGroup(path: string): string {
  const group = groupOf(path)
  return `${group.slice(0, group.lastIndexOf(' '))} *`
}

/** The path in the router's syntax; the router itself accepts a final slash, on paths that have none. */
function patternOf(path: string, tail = false): string {
  const pattern = path.replace(/\/$/, '').replaceAll(/\{(\w+)\}/g, ':$1')
  return tail ? pattern.replace(/:(\w+)$/, '*$1') : pattern
}
