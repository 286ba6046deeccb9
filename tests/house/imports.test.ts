import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read, sources } from './tree.ts'

interface Import {
  from: string
  to: string
  isType: boolean
}

// `import type …` and imports of which every name is a type leave nothing at run time.
const statement = /^(?:import|export)\s+(type\s+)?(?:([^'";]*?)\s+from\s+)?'([^']+)'/gms
const dynamic = /\bimport\('([^']+)'\)/g

function importsOf(path: string): Import[] {
  const text = read(path)
  const found: Import[] = []
  for (const [, type, names, to] of text.matchAll(statement)) {
    const listed = names
      ?.match(/^\{([^}]*)\}$/)?.[1]
      ?.split(',')
      .filter((name) => name.trim())
    const onlyTypes = listed?.every((name) => name.trim().startsWith('type ')) ?? false
    found.push({ from: path, to: resolved(path, to ?? ''), isType: Boolean(type) || onlyTypes })
  }
  for (const [, to] of text.matchAll(dynamic)) {
    found.push({ from: path, to: resolved(path, to ?? ''), isType: false })
  }
  return found
}

function resolved(path: string, to: string): string {
  if (to.startsWith('#')) return to.slice(1)
  return to.startsWith('.') ? join(dirname(path), to) : to
}

/** The part of the house that a path belongs to. */
function partOf(path: string): string {
  if (path === 'src/catalog.ts') return 'catalog'
  if (path.startsWith('src/catalog/')) return 'chapters'
  if (/^src\/(collections\.ts|(core|ports|collections)\/)/.test(path)) return 'core'
  if (/^src\/(operations|documents|work)\//.test(path)) return path.split('/')[1] ?? ''
  if (path.startsWith('src/')) return 'groups'
  if (
    /^adapters\/(compose|compose-agents|compose-documents|compose-doors|compose-guides|compose-mcp|compose-payments|compose-people|compose-ports|invite|main|mcp-stdio|moderate|process)\.ts$/.test(
      path,
    )
  ) {
    return 'root'
  }
  return path.split('/')[0] ?? ''
}

const mayImport: Record<string, readonly string[]> = {
  core: ['core'],
  groups: ['core', 'groups'],
  work: ['core', 'groups', 'work'],
  operations: ['core', 'groups'],
  chapters: ['core', 'operations'],
  catalog: ['core', 'chapters'],
  documents: ['core', 'catalog', 'documents'],
  protocol: ['core', 'catalog', 'protocol'],
  adapters: ['core', 'catalog', 'adapters'],
}

const product = sources('src', 'protocol', 'adapters')
const imports = product.flatMap(importsOf)
const inside = imports.filter(({ to }) => /^(src|protocol|adapters)\//.test(to))

/** What the composition root hands over as values; their types may be named where they are used. */
function isAllowed({ from, to, isType }: Import): boolean {
  const [part, target] = [partOf(from), partOf(to)]
  if (part === 'root') return true
  if (isType && part === 'core' && target === 'groups') return true
  // A door is a value that the HTTP adapter is given; it knows its form alone.
  if (isType && part === 'adapters' && to === 'protocol/door.ts') return true
  return mayImport[part]?.includes(target) ?? false
}

describe('the dependency rule', () => {
  it('is kept by every import', () => {
    const broken = inside.filter((one) => !isAllowed(one)).map(({ from, to }) => `${from} -> ${to}`)
    expect(broken).toEqual([])
  })

  it('lets each store, door and adapter know only its own folder', () => {
    const own = /^(protocol|adapters)\/([a-z0-9]+)\//
    const broken = inside.filter(({ from, to }) => {
      const [, fromTop, fromFolder] = own.exec(from) ?? []
      const [, toTop, toFolder] = own.exec(to) ?? []
      return fromTop && fromTop === toTop && fromFolder !== toFolder
    })
    expect(broken.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  it('lets a library in at one place only', () => {
    const places: [string, RegExp][] = [
      ['koa', /^adapters\/http\//],
      ['koa-body', /^adapters\/http\//],
      ['@koa/router', /^adapters\/http\//],
      ['mongodb', /^adapters\/store\/mongo/],
      ['node:sqlite', /^adapters\/store\/sqlite/],
      ['undici', /^adapters\/sender\//],
      ['pino', /^adapters\/log\//],
      ['prom-client', /^adapters\/metrics\//],
      ['node-cron', /^adapters\/clock\//],
      ['croner', /^src\/tasks\/timetable\.ts$/],
      ['@modelcontextprotocol/server', /^protocol\/mcp\//],
      ['@a2a-js/sdk', /^protocol\/a2a\//],
      ['ai', /^adapters\/model\//],
      ['@ai-sdk/anthropic', /^adapters\/model\//],
      ['@ai-sdk/mcp', /^adapters\/model\//],
      ['@ai-sdk/openai-compatible', /^adapters\/model\//],
      ['json-rpc-2.0', /^protocol\//],
      ['sharp', /^adapters\/images\//],
      ['stripe', /^adapters\/payments\/stripe\//],
      ['csv-parse', /^adapters\/extractor\//],
      ['defuddle', /^adapters\/extractor\//],
      ['linkedom', /^adapters\/extractor\//],
      ['mammoth', /^adapters\/extractor\//],
      ['unpdf', /^adapters\/extractor\//],
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
