import { startWork, type Work } from '#src/work/work.ts'
import type { OpenedStore } from '#adapters/store/opened.ts'
import { versionOfPackage } from '#adapters/compose/about.ts'
import { readConfig } from '#adapters/config/read.ts'
import { systemClock } from '#adapters/clock/system.ts'
import type { Core } from '#src/core/door.ts'
import type { SentSession } from '#src/core/admission/session.ts'
import type { Clock } from '#src/ports/clock.ts'
import { OutboundFailure, type Sender } from '#src/ports/sender.ts'
import { agreeingFacilitator, x402TermsAt } from '#tests/support/facilitator.ts'
import { standInModels } from '#tests/support/stand-in-models.ts'
import { memberOf } from '#tests/support/members.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { sampleReport } from './report.ts'

/** A Monday morning, at which every example is played. */
const begins = Date.parse('2026-03-02T09:00:00.000Z')

/** The rest of the ids and tokens that examples name. */
export const sampleId = '01a1fe241d3975cf83926a5fa84be463'
export const sampleToken = '0'.repeat(38)

/** The members of answers that the stock goes on with. */
export type Got = { readonly [name: string]: Got } & string & readonly Got[]

export type Who = 'owner' | 'other' | 'ada' | 'heron' | 'badger' | 'person' | 'anonymous'

/** A clock that begins at the same time for every example, and goes on as time does. */
function shifted(): Clock {
  const started = Date.now()
  return { ...systemClock, now: () => new Date(begins + Date.now() - started) }
}

/** The outside world: the same page at every address, and no receiver for what is sent. */
const outside: Sender = {
  send: () => Promise.reject(new OutboundFailure('unreachable', 'There is no receiver outside.')),
  load: ({ url }) => {
    const page = '<html><title>Handbook</title><main><p>We open at nine.</p></main></html>'
    const headers = { 'content-type': 'text/html' }
    return Promise.resolve({ status: 200, headers, bytes: Buffer.from(page), address: url })
  },
  objection: () => undefined,
  close: () => Promise.resolve(),
}

/** A world with what examples need, each thing made when it is first asked for. */
export class Stock {
  readonly world: World
  readonly #work: Work
  readonly #made = new Map<string, Promise<unknown>>()
  readonly #aliases = new Map<string, string>()

  constructor(opened: OpenedStore, { powBits = 2 }: { powBits?: number } = {}) {
    const clock = shifted()
    const store: OpenedStore = {
      ...opened,
      now: () => Promise.resolve(clock.now()),
      leaseTime: () => Promise.resolve(clock.now()),
    }
    const { rateLimits: limits, quotas } = readConfig({})
    this.world = openWorld(store, {
      limits,
      powBits,
      conformance: () => Promise.resolve(JSON.stringify(sampleReport)),
      quotas,
      clock,
      sender: outside,
      models: standInModels(),
      x402: x402TermsAt('http://127.0.0.1:9'),
      facilitator: agreeingFacilitator(),
    })
    this.world.ports.settings.version = versionOfPackage()
    this.#work = startWork(this.world.ports, ['runner', 'knowledge', 'deliveries'], 2)
  }

  /** What stands for the real ids in examples, by them. */
  get aliases(): ReadonlyMap<string, string> {
    return this.#aliases
  }

  get core(): Core {
    return this.world.core
  }

  /** The name in examples of something real. */
  alias(sample: string, actual: string): void {
    this.#aliases.set(actual, sample)
  }

  /** What is real behind a name. */
  actual(sample: string): string {
    for (const [actual, name] of this.#aliases) if (name === sample) return actual
    throw new Error(`nothing is called ${sample}`)
  }

  /** The example with what is real in place of the names. */
  real<T>(example: T): T {
    let text = JSON.stringify(example)
    for (const [actual, sample] of this.#aliases) {
      text = text.replaceAll(JSON.stringify(sample), JSON.stringify(actual))
    }
    // The same value but for those texts.
    return JSON.parse(text) as T
  }

  /** What was made by this name before, else what is made now. */
  once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const known = this.#made.get(name) ?? make()
    this.#made.set(name, known)
    // The same name always stands for a value of the same type.
    return known as Promise<T>
  }

  async ask(name: string, input: object, as: Who = 'owner'): Promise<Got> {
    const operation = this.core.catalog.find((op) => op.name === name)
    if (!operation) throw new Error(`there is no operation ${name}`)
    const { answer, refusal } = await this.core.serve({
      operation,
      input,
      ...(await this.credentialOf(as)),
      address: '127.0.0.0/24',
      requestId: 'stock',
    })
    if (refusal) throw refusal
    // The caller knows the members of the answer.
    return JSON.parse(answer.text) as Got
  }

  async credentialOf(who: Who): Promise<{ credential: string | undefined; session?: SentSession }> {
    if (who === 'other') return { credential: (await this.claim(who)).api_key }
    if (who === 'anonymous') return { credential: undefined }
    if (who === 'owner') return { credential: (await this.claim()).api_key }
    if (who === 'ada') return { credential: await this.keyOfAda() }
    if (who === 'person') return { credential: undefined, session: await this.person() }
    const handle = who === 'heron' ? 'patient-heron' : 'curious-badger'
    return { credential: (await this.member(handle)).token }
  }

  claim(who: 'owner' | 'other' = 'owner'): Promise<Got> {
    return this.once(`claim ${who}`, () =>
      this.ask('agent_claim.create', { name: 'Ada' }, 'anonymous'),
    )
  }

  /** Of the agent `ada`, which is there already. */
  keyOfAda(): Promise<string> {
    const scope = { name: 'Ada alone', scope_char_id: 'ada' }
    return this.once('key of ada', async () => (await this.ask('api_keys.create', scope)).key ?? '')
  }

  member(handle: string): Promise<{ handle: string; token: string }> {
    return this.once(handle, () => memberOf(this.world, handle))
  }

  /** Who is signed in, with a password that the examples have. */
  person(): Promise<SentSession> {
    return this.once('person', async () => {
      const operation = this.core.catalog.find((op) => op.name === 'auth.register')
      if (!operation) throw new Error('there is no operation to register')
      const input = operation.example
      const call = { operation, input, credential: undefined, requestId: 'stock' }
      const { answer, refusal } = await this.core.serve({ ...call, address: '127.0.0.0/24' })
      if (refusal) throw refusal
      const { session } = answer
      if (session === undefined || session === 'ended') throw new Error('there is no session')
      return { token: session.token }
    })
  }

  until(holds: () => Promise<boolean>): Promise<void> {
    return until(holds, { pauseMs: 20 })
  }

  async close(): Promise<void> {
    await this.#work.stop()
    await this.world.ports.extractor.close()
    await this.world.ports.copyist.close()
    await this.world.ports.store.close()
  }
}
