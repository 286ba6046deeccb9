/** Says one line of what came out of a step. */
export type Say = (line: string) => void

/** A step of the demo did not go as it should. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed'

  constructor(number: number, title: string, cause: unknown) {
    super(`Step ${number} failed (${title}): ${reasonOf(cause)}`, { cause })
  }
}

/** Why, in words: what cannot be fetched says the reason in its cause only. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  const said = error.message || code || error.name
  return error.cause instanceof Error && error.message === 'fetch failed'
    ? `${said}: ${reasonOf(error.cause)}`
    : said
}

/** Numbers the steps, and shows each with the door that it goes through and what came out. */
export class Screen {
  #count = 0

  get count(): number {
    return this.#count
  }

  line(text = ''): void {
    process.stdout.write(`${text}\n`)
  }

  /** @throws StepFailed */
  async step<T>(title: string, door: string, play: (say: Say) => Promise<T>): Promise<T> {
    this.#count += 1
    const number = this.#count
    this.line()
    this.line(`${String(number).padStart(2)}. ${title}`)
    this.line(`    through ${door}`)
    try {
      return await play((text) => this.line(indented(text)))
    } catch (cause) {
      throw new StepFailed(number, title, cause)
    }
  }
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n')
}

/** @throws Error when it does not hold */
export function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise)
}

/** A credential, recognisable but of no use to anyone who reads the screen. */
export function masked(secret: string): string {
  return `${secret.slice(0, 7)}…${secret.slice(-4)}`
}
