import { describe, expect, it } from 'vitest'
import { districtOf, floorOf, imports, inside, product, type Import } from './districts.ts'
import { read, sources } from './tree.ts'

/** Only what puts everything together knows both the doors and what lies behind them. */
const together =
  /^adapters\/(?:compose\/|commands\/|process\/|main\.ts$|mcp-stdio\.ts$|process\.ts$)/
const forms = ['protocol/door.ts', 'src/agents/copies/copyist.ts']
/** What doors and adapters are given as values: they know its form, and what is said in its words. */
const given: Readonly<Record<string, readonly string[]>> = {
  protocol: ['ports', 'core', 'documents', 'views', 'catalog'],
  adapters: ['ports', 'core', 'catalog', 'tables'],
}

/** Files that import each other in a circle, each circle once (Tarjan's strong components). */
function circlesOf(among: readonly Import[]): string[][] {
  const next = Map.groupBy(among, ({ from }) => from)
  const order = new Map<string, { index: number; low: number }>()
  const open: string[] = []
  const circles: string[][] = []
  const visit = (path: string): { index: number; low: number } => {
    const own = { index: order.size, low: order.size }
    order.set(path, own)
    open.push(path)
    for (const { to } of next.get(path) ?? []) {
      const known = order.get(to)
      if (!known) own.low = Math.min(own.low, visit(to).low)
      else if (open.includes(to)) own.low = Math.min(own.low, known.index)
    }
    if (own.low === own.index) {
      const circle = open.splice(open.indexOf(path))
      if (circle.length > 1) circles.push(circle)
    }
    return own
  }
  for (const path of next.keys()) if (!order.has(path)) visit(path)
  return circles
}

function isAllowed({ from, to, isType }: Import): boolean {
  const [own, other] = [districtOf(from), districtOf(to)]
  if (own === other || together.test(from)) return true
  if (floorOf(own) <= floorOf(other)) return false
  // What an adapter is given as a value, or gives as one: it knows its form alone.
  if (own === 'adapters' && forms.includes(to)) return isType
  if (own === 'adapters' && other === 'protocol') return false
  if (own === 'work' || own === 'operations') return true
  if (own === 'protocol' && from.startsWith('protocol/web/')) return true
  return given[own]?.includes(other) ?? true
}

describe('the dependency rule', () => {
  it('knows every district', () => {
    const unknown = product.filter((path) => floorOf(districtOf(path)) < 0)
    expect(unknown).toEqual([])
  })

  it('is kept by every import, of values and of types', () => {
    const broken = inside.filter((one) => !isAllowed(one)).map(({ from, to }) => `${from} -> ${to}`)
    expect(broken).toEqual([])
  })

  it('lets each store, door and adapter know only its own folder', () => {
    const own = /^(protocol|adapters)\/([a-z0-9]+)\//
    const broken = inside.filter(({ from, to }) => {
      if (together.test(from)) return false
      const [, fromTop, fromFolder] = own.exec(from) ?? []
      const [, toTop, toFolder] = own.exec(to) ?? []
      return fromTop && fromTop === toTop && fromFolder !== toFolder
    })
    expect(broken.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  it('has no circle of files, of values or of types', () => {
    expect(circlesOf(inside)).toEqual([])
  })

  it('lets a library in at one place only', () => {
    const places: [string, RegExp][] = [
      ['koa', /^adapters\/http\//],
      ['koa-body', /^adapters\/http\//],
      ['@fastify/busboy', /^adapters\/http\/uploads\//],
      ['@koa/router', /^adapters\/http\//],
      ['mongodb', /^adapters\/store\/mongo\//],
      ['node:sqlite', /^adapters\/store\/sqlite\//],
      ['undici', /^adapters\/sender\//],
      ['pino', /^adapters\/log\//],
      ['prom-client', /^adapters\/metrics\//],
      ['@opentelemetry', /^adapters\/traces\//],
      ['nodemailer', /^adapters\/mail\//],
      ['node-cron', /^adapters\/clock\//],
      ['@simplewebauthn/server', /^src\/accounts\/passkeys\/verify\.ts$/],
      ['web-push', /^src\/events\/browsers\/push\.ts$/],
      ['otpauth', /^src\/accounts\/factor\/code\.ts$/],
      ['uqr', /^protocol\/web\/security\/qr\.ts$/],
      ['croner', /^src\/agents\/tasks\/schedule\/timetable\.ts$/],
      [
        '@modelcontextprotocol/server',
        /^(?:protocol\/mcp\/|adapters\/threads\/schemas\/check\.ts$)/,
      ],
      ['@modelcontextprotocol/ext-apps', /^protocol\/mcp\/apps\/client\//],
      ['@a2a-js/sdk', /^protocol\/a2a\//],
      ['ai', /^adapters\/model\//],
      ['@ai-sdk/anthropic', /^adapters\/model\//],
      ['@ai-sdk/mcp', /^adapters\/model\//],
      ['@ai-sdk/openai-compatible', /^adapters\/model\//],
      ['json-rpc-2.0', /^protocol\//],
      ['sharp', /^adapters\/images\//],
      ['oauth4webapi', /^adapters\/oauth\//],
      ['stripe', /^adapters\/payments\/stripe\//],
      ['csv-parse', /^adapters\/extractor\//],
      ['defuddle', /^adapters\/extractor\//],
      ['linkedom', /^adapters\/extractor\//],
      ['htmlparser2', /^adapters\/extractor\/xml\//],
      ['mammoth', /^adapters\/extractor\//],
      ['unpdf', /^adapters\/extractor\//],
      ['jose', /^src\/core\/credentials\/identity-token\.ts$/],
      ['markdown-it', /^src\/documents\/markdown\/library\.ts$/],
      ['zod-openapi', /^src\/documents\//],
    ]
    const broken = imports.filter(({ from, to }) =>
      places.some(
        ([name, place]) => (to === name || to.startsWith(`${name}/`)) && !place.test(from),
      ),
    )
    expect(broken.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  it('loads the libraries of models when the first conversation begins, and not before', () => {
    const early = sources('adapters/model').filter((path) =>
      /^import (?!type\b)[^'"]*'(?:ai|@ai-sdk\/[a-z-]+)'/m.test(read(path)),
    )
    expect(early).toEqual([])
  })

  it('keeps sockets, SQL, timers and the environment out of src', () => {
    const outside = [
      'node:http',
      'node:net',
      'node:fs',
      'node:fs/promises',
      'node:sqlite',
      'node:tls',
    ]
    const broken = imports.filter(({ from, to }) => from.startsWith('src/') && outside.includes(to))
    const globals = sources('src').filter((path) =>
      /\bprocess\.env\b|\bset(Timeout|Interval|Immediate)\(/.test(read(path)),
    )
    expect([...broken.map(({ from }) => from), ...globals]).toEqual([])
  })

  it('climbs no further than its own folder without saying so', () => {
    const climbing = product.filter((path) => /from '\.\.\/\.\.\//.test(read(path)))
    expect(climbing).toEqual([])
  })

  it('has no default exports and no index files', () => {
    const defaults = product.filter((path) => /^export default\b/m.test(read(path)))
    expect([...defaults, ...product.filter((path) => path.endsWith('/index.ts'))]).toEqual([])
  })
})
