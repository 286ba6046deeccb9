/** Values per piece: what one turn of the event loop can process without a noticeable delay. */
const valuesAtMost = 2000
/** This many characters of a text count as one value. */
const charactersAsValue = 256

/** Opens a container in its place: it gets the next number. */
interface Opening {
  isList: boolean
  /** The number of the container it belongs to, and its name if that container is an object. */
  into: number
  name: string | undefined
}

/** Members or items to be added to the open container with that number. */
interface Filling {
  into: number
  names: string[] | undefined
  values: unknown[]
}

/** A part of a parsed document, small enough to be passed from one thread to another. */
export type Piece = { open: Opening } | { fill: Filling }

/** The document has a member with a forbidden name. */
export class ForbiddenName extends Error {
  override readonly name = 'ForbiddenName'
}

/**
 * Cuts a parsed document into pieces, in document order.
 * @throws ForbiddenName for a member called `__proto__`
 */
export function* piecesOf(document: unknown): Generator<Piece> {
  const sizes = new Map<object, number>()
  measure(document, sizes)
  let last = 0
  function* placed(value: unknown, into: number, name: string | undefined): Generator<Piece> {
    if (typeof value !== 'object' || value === null) return
    const isList = Array.isArray(value)
    yield { open: { isList, into, name } }
    last += 1
    const self = last
    let names: string[] = []
    let values: unknown[] = []
    let size = 0
    const filled = (): Piece => ({
      fill: { into: self, names: isList ? undefined : names, values },
    })
    for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
      const own = sizeOf(inner, sizes)
      if (values.length > 0 && size + own > valuesAtMost) {
        yield filled()
        names = []
        values = []
        size = 0
      }
      if (own > valuesAtMost && typeof inner === 'object' && inner !== null) {
        yield* placed(inner, self, key)
        continue
      }
      names.push(key)
      values.push(inner)
      size += own
    }
    if (values.length > 0) yield filled()
  }
  if (sizeOf(document, sizes) <= valuesAtMost || typeof document !== 'object') {
    yield { fill: { into: 0, names: undefined, values: [document] } }
  } else {
    yield* placed(document, 0, undefined)
  }
}

function measure(value: unknown, sizes: Map<object, number>): number {
  if (typeof value === 'string') return 1 + value.length / charactersAsValue
  if (typeof value !== 'object' || value === null) return 1
  let size = 1
  for (const [name, inner] of Object.entries(value)) {
    if (name === '__proto__') throw new ForbiddenName(name)
    size += measure(inner, sizes)
  }
  sizes.set(value, size)
  return size
}

function sizeOf(value: unknown, sizes: ReadonlyMap<object, number>): number {
  if (typeof value === 'string') return 1 + value.length / charactersAsValue
  return typeof value === 'object' && value !== null ? (sizes.get(value) ?? 1) : 1
}

/** Reassembles the pieces of a document. */
export class Assembly {
  /** The first one holds the document itself. */
  readonly #containers: (unknown[] | Record<string, unknown>)[] = [[]]

  add(piece: Piece): void {
    if ('open' in piece) {
      const { isList, into, name } = piece.open
      const container = isList ? [] : {}
      this.#put(into, name, container)
      this.#containers.push(container)
      return
    }
    const { into, names, values } = piece.fill
    for (const [at, value] of values.entries()) this.#put(into, names?.[at], value)
  }

  get document(): unknown {
    const [root] = this.#containers
    return Array.isArray(root) ? root[0] : undefined
  }

  #put(into: number, name: string | undefined, value: unknown): void {
    const container = this.#containers[into]
    if (Array.isArray(container)) container.push(value)
    else if (container && name !== undefined) container[name] = value
  }
}
