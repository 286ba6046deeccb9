import { dirname, join } from 'node:path'
import { read, sources } from './tree.ts'

/** One statement that imports a file, or a library, into another. */
export interface Import {
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

/** The districts from the ground up: each may import those that lie below it. */
export const floors: readonly (readonly string[])[] = [
  ['ports'],
  ['core'],
  ['accounts', 'documents'],
  ['events'],
  ['agents', 'commons'],
  ['feed', 'knowledge'],
  ['runs'],
  ['apps', 'money'],
  ['tables'],
  ['operations', 'work', 'views'],
  ['catalog'],
  ['protocol'],
  ['adapters'],
]

/** The district that a path belongs to. */
export function districtOf(path: string): string {
  const [root = '', room = ''] = path.split('/')
  if (root !== 'src') return root
  if (room === 'catalog' || room === 'catalog.ts') return 'catalog'
  return room.endsWith('.ts') || room === 'departures' ? 'tables' : room
}

export function floorOf(district: string): number {
  return floors.findIndex((floor) => floor.includes(district))
}

/** Every file of the product. */
export const product = sources('src', 'protocol', 'adapters')
/** All that they import. */
export const imports = product.flatMap(importsOf)
/** What of that is the product's own. */
export const inside = imports.filter(({ to }) => /^(src|protocol|adapters)\//.test(to))

/**
 * The districts as a picture in Mermaid's words: an arrow runs from what is imported to who imports it, and
 * is left out where a longer way leads there too.
 */
export function pictureOf(among: readonly Import[]): string {
  const below = new Map<string, Set<string>>()
  for (const { from, to } of among) {
    const [own, other] = [districtOf(from), districtOf(to)]
    if (own === other || floorOf(other) >= floorOf(own)) continue
    below.set(own, (below.get(own) ?? new Set()).add(other))
  }
  const reaches = (from: string, to: string): boolean =>
    [...(below.get(from) ?? [])].some((one) => one === to || reaches(one, to))
  const lines = floors.flat().flatMap((own) => {
    const direct = [...(below.get(own) ?? [])]
    const needed = direct.filter((to) => !direct.some((by) => by !== to && reaches(by, to)))
    return needed.toSorted(byFloor).map((to) => `  ${to} --> ${own}`)
  })
  return ['flowchart BT', ...lines].join('\n')
}

function byFloor(a: string, b: string): number {
  return floorOf(a) - floorOf(b) || (a < b ? -1 : 1)
}
