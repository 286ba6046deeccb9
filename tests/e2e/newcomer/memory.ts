import { hash, randomUUID } from 'node:crypto'

/** An object of an answer. */
type Made = Readonly<Record<string, unknown>>

/**
 * What a newcomer has chosen and was told so far, by which it fills in what documents leave open: words
 * in capitals, and members of calls.
 */
export class Memory {
  readonly #own = randomUUID().slice(0, 8)
  readonly #told = new Map<string, unknown>()
  /** The newest id of each kind, by what it begins with. */
  readonly #ids = new Map<string, string>()
  readonly #credentials: string[] = []

  /** A unique name. */
  chosen(word: string): string {
    return `${word.toLowerCase().replaceAll('_', '-')}-${this.#own}`
  }

  /** Keeps what an answer tells. */
  learn(answer: unknown): void {
    const made = objectOf(answer)
    if (!made) return
    for (const [name, value] of Object.entries(made)) {
      this.#told.set(name, value)
      if (typeof value !== 'string') continue
      if (/^(?:ab|cmn)_\w{20,}$/.test(value) && !this.#credentials.includes(value)) {
        this.#credentials.push(value)
      }
    }
    this.#learnId(made)
  }

  #learnId(made: Made): void {
    const { items, run, id } = made
    const first = Array.isArray(items) ? objectOf(items[0]) : undefined
    for (const one of [first?.id, objectOf(run)?.id, id]) {
      const [, kind] = typeof one === 'string' ? (/^([a-z]{3})_/.exec(one) ?? []) : []
      if (kind !== undefined) this.#ids.set(kind, String(one))
    }
  }

  /** What was told by this name last. */
  told(name: string): unknown {
    return this.#told.get(name)
  }

  /** The newest id of a kind, such as `run`. */
  idOf(kind: string): string | undefined {
    return this.#ids.get(kind)
  }

  /** The credential that begins so: the first that was told, or the last. */
  credential(prefix: string, which: 'first' | 'last' = 'first'): string | undefined {
    const fitting = this.#credentials.filter((one) => one.startsWith(prefix))
    return which === 'first' ? fitting[0] : fitting.at(-1)
  }

  /**
   * A text with something in place of its capital words.
   * @throws Error when a word stands for something that was never told
   */
  filled(text: string): string {
    return text
      .replaceAll(/\b(ab_|cmn_)(YOUR_[A-Z_]+)/g, (_, prefix: string, word: string) =>
        this.#must(this.credential(prefix, word === 'YOUR_KEY' ? 'first' : 'last'), prefix + word),
      )
      .replaceAll(/\b[A-Z]+(?:_[A-Z]+)*\b/g, (word) => this.#valueOf(word) ?? word)
  }

  #valueOf(word: string): string | undefined {
    if (word === 'RANDOM_UUID') return randomUUID()
    if (word === 'UNIQUE_WORD') return this.chosen('word')
    const [, mine] = /^YOUR_([A-Z]+)$/.exec(word) ?? []
    if (mine !== undefined) return this.chosen(mine)
    const [, kind] = /^([A-Z]+)_ID$/.exec(word) ?? []
    if (kind !== undefined) {
      return this.idOf(kind.slice(0, 3).toLowerCase()) ?? this.chosen(kind)
    }
    const told = this.told(word.toLowerCase())
    if (typeof told === 'string') return told
    if (word.includes('_') && /_(?:TOKEN|KEY|CODE)$/.test(word)) this.#must(undefined, word)
    return undefined
  }

  #must(value: string | undefined, word: string): string {
    if (value === undefined) throw new Error(`nothing says what ${word} stands for`)
    return value
  }

  /** Solves the challenge that was told, by the rule as the text has it. */
  solve(text: string): void {
    const [, rule] = /sha256\(challenge \+ "(.)" \+ counter\)[^.]*zero bits/s.exec(text) ?? []
    if (rule === undefined) throw new Error('the text does not say how a challenge is solved')
    const bits = Number(this.told('bits'))
    const challenge = String(this.told('challenge'))
    for (let counter = 0; ; counter++) {
      const digest = hash('sha256', `${challenge}${rule}${counter}`, 'hex')
      if (BigInt(`0x${digest}`) >> BigInt(256 - bits) === 0n) {
        this.#told.set('counter', String(counter))
        return
      }
    }
  }
}

function objectOf(value: unknown): Made | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const made = value as Made
  // The envelope of the Commons says what it is.
  return 'ok' in made && 'data' in made ? objectOf(made.data) : made
}
