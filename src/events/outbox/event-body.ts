/** The version of the bodies that webhooks are sent. */
export const eventApiVersion = '1.0'

/** The body of an event stays below so many bytes. */
export const eventBytesBelow = 20_000

/** The body that a webhook is sent. */
export interface EventBody {
  id: string
  type: string
  timestamp: string
  api_version: string
  data: Readonly<Record<string, unknown>>
}

const smallestCut = 64

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}

/** Whose words it holds is never cut. */
function isMark(name: string): boolean {
  return name === 'untrusted' || name === 'source'
}

/**
 * The body as it is, or with the largest members of its data cut until it is small enough: lists lose
 * their last items and texts their ends, other values become null, and `truncated: true` is added.
 */
export function withinSize(body: EventBody): EventBody {
  let fitting = body
  while (bytesOf(fitting) >= eventBytesBelow) {
    const entries = Object.entries(fitting.data)
    const sizes = entries
      .filter(([name]) => !isMark(name))
      .map(([name, value]) => [name, bytesOf(value)] as const)
    const [largest] = sizes.sort(([, a], [, b]) => b - a)
    // Many small members: which of them matter is unknown here.
    if (!largest || largest[1] < smallestCut) {
      const marks = Object.fromEntries(entries.filter(([name]) => isMark(name)))
      return { ...fitting, data: { ...marks, truncated: true } }
    }
    const data = entries.map(([name, value]) => [name, name === largest[0] ? cut(value) : value])
    fitting = { ...fitting, data: { ...Object.fromEntries(data), truncated: true } }
  }
  return fitting
}

/** Half of a value, so that something large always shrinks. */
function cut(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.length > 1 ? value.slice(0, Math.floor(value.length / 2)) : []
  }
  // A cut inside a surrogate pair would leave half of it.
  if (typeof value === 'string') return value.slice(0, Math.floor(value.length / 2)).toWellFormed()
  return null
}
