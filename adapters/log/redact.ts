/** Replaces a value that must not be shown. */
const mask = '***'
const depthAtMost = 8
const itemsAtMost = 100
const valuesAtMost = 2000
const lettersAtMost = 16_384

const secretWords = new Set([
  'authorization',
  'cookie',
  'password',
  'passwords',
  'secret',
  'secrets',
])
const secretEndings = new Set(['credential', 'credentials', 'key', 'keys', 'token', 'tokens'])

// Most texts contain nothing of the kind, and one test is enough for them.
const suspicious = /(?:ab[a-z]?|cmn|act|inv|lse|ort)_|:\/\/|\?|bearer|basic/i

/**
 * A text without our keys and tokens, without credentials and queries of addresses, and of bounded
 * length.
 */
export function redactText(text: string): string {
  const short = text.length > lettersAtMost ? `${text.slice(0, lettersAtMost)}…` : text
  if (!suspicious.test(short)) return short
  return short
    .replaceAll(/(ab[a-z]?|cmn|act|inv|lse|ort)_[A-Za-z0-9]{12,}/g, `$1_${mask}`)
    .replaceAll(/\b(Bearer|Basic)\s+[^\s"',]+/gi, `$1 ${mask}`)
    .replaceAll(/:\/\/[^/\s:@"]*:[^/\s@"]*@/g, `://${mask}@`)
    .replaceAll(/\?[\w.~%-]+=[^\s"'<>)]*/g, '?…')
}

interface Name {
  shown: string
  isSecret: boolean
}

/** A cache of written names: they are few, and the same on every line. */
const namesSeen = new Map<string, Name>()
const namesAtMost = 1000

function nameOf(name: string): Name {
  let known = namesSeen.get(name)
  if (!known) {
    known = { shown: redactText(name), isSecret: isSecretName(name) }
    if (namesSeen.size < namesAtMost) namesSeen.set(name, known)
  }
  return known
}

/** Whether a member of this name is a secret: `api_key` and `X-Api-Key` are, `key_id` is not. */
function isSecretName(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  return words.some((word) => secretWords.has(word)) || secretEndings.has(words.at(-1) ?? '')
}

/** The members of a log line as plain data: secrets masked, errors in full, size bounded. */
export function redact(fields: Record<string, unknown>): Record<string, unknown> {
  return new Redaction().members(Object.entries(fields), 0)
}

class Redaction {
  #valuesLeft = valuesAtMost
  /** The objects that contain the current one: a circular reference is cut there. */
  readonly #around = new Set<object>()

  members(entries: readonly [string, unknown][], depth: number): Record<string, unknown> {
    const shown: [string, unknown][] = []
    for (const [name, value] of entries.slice(0, itemsAtMost)) {
      const { shown: as, isSecret } = nameOf(name)
      const isHidden = isSecret && (typeof value === 'string' || typeof value === 'object')
      shown.push([as, isHidden && value !== null ? mask : this.#shown(value, depth)])
    }
    return Object.fromEntries(shown)
  }

  #shown(value: unknown, depth: number): unknown {
    this.#valuesLeft -= 1
    switch (typeof value) {
      case 'string':
        return redactText(value)
      case 'bigint':
        return value.toString()
      case 'symbol':
      case 'function':
        return `<${typeof value}>`
      case 'object':
        return value === null ? null : this.#object(value, depth + 1)
      default:
        return value
    }
  }

  #object(value: object, depth: number): unknown {
    if (depth > depthAtMost || this.#valuesLeft < 0 || this.#around.has(value)) return '…'
    this.#around.add(value)
    try {
      return this.#parts(value, depth)
    } catch {
      return '<unreadable>'
    } finally {
      this.#around.delete(value)
    }
  }

  #parts(value: object, depth: number): unknown {
    if (value instanceof Error) return this.members(factsOf(value), depth)
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
    if (ArrayBuffer.isView(value)) return `<${value.byteLength} bytes>`
    if (value instanceof Map) {
      return this.members(
        [...value].map(([name, of]) => [String(name), of]),
        depth,
      )
    }
    if (Array.isArray(value) || value instanceof Set) {
      return [...value].slice(0, itemsAtMost).map((item) => this.#shown(item, depth))
    }
    if ('toJSON' in value && typeof value.toJSON === 'function') {
      return this.#shown(value.toJSON(), depth)
    }
    return this.members(Object.entries(value), depth)
  }
}

/** Only what errors have in common: their other members may contain what the other side sent. */
function factsOf(error: Error): [string, unknown][] {
  return Object.entries({
    type: error.name,
    message: error.message,
    ...('code' in error && { code: error.code }),
    stack: error.stack,
    ...(error.cause !== undefined && { cause: error.cause }),
    ...(error instanceof AggregateError && { errors: error.errors }),
  })
}
