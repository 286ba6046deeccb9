import { MailFailure, type Mailer } from '#src/ports/mail/mailer.ts'
import { ModelFailure, type Conversation, type Models } from '#src/ports/model.ts'
import type { Log } from '#src/ports/log.ts'
import type { Service } from '#src/ports/meter.ts'
import { Unavailable } from '#src/ports/store.ts'

const names: Readonly<Record<Service, string>> = {
  store: 'the store',
  model: 'a provider of models',
  mail: 'the mail server',
}

/** How often a store that was away is asked whether it is back. */
const lookMs = 1000
const causesAtMost = 8

export interface OutageTerms {
  log: Log
  /** Counts an outage as it begins. */
  count(service: Service): void
  /** Whether the store can be used. */
  isStoreThere(): Promise<boolean>
}

interface Outage {
  since: number
  refusals: number
}

/**
 * Tells of what is away in two lines, as it goes and as it is back, and counts what was refused meanwhile: each thing
 * that fails because of it would otherwise have lines of its own, for as long as it lasts.
 */
export class Outages {
  readonly #terms: OutageTerms
  readonly #away = new Map<string, Outage>()
  #looking: NodeJS.Timeout | undefined

  constructor(terms: OutageTerms) {
    this.#terms = terms
  }

  /** It did not do what it was asked for, as it is away. @param which one of several */
  failed(service: Service, cause: unknown, which = ''): void {
    const outage = this.#away.get(service + which)
    if (outage) {
      outage.refusals += 1
      return
    }
    this.#away.set(service + which, { since: performance.now(), refusals: 1 })
    this.#terms.count(service)
    this.#terms.log.error(`${names[service]} is away`, { ...(which !== '' && { which }), cause })
    if (service === 'store') this.#lookSoon(0)
  }

  /** It did what it was asked for. */
  worked(service: Service, which = ''): void {
    const outage = this.#away.get(service + which)
    if (!outage) return
    this.#away.delete(service + which)
    const away_seconds = Math.round((performance.now() - outage.since) / 100) / 10
    const { refusals } = outage
    this.#terms.log.warn(`${names[service]} is back`, {
      ...(which !== '' && { which }),
      away_seconds,
      refusals,
    })
  }

  /** The log, without lines of things that failed only because something is away; they are written at `debug`. */
  quiet(): Log {
    const { log } = this.#terms
    const unlessAway =
      (level: 'warn' | 'error'): Log['warn'] =>
      (message, fields) => {
        const cause = outageIn(fields?.['cause'])
        if (!cause) return log[level](message, fields)
        if (cause instanceof Unavailable) this.failed('store', cause)
        return log.debug(message, fields)
      }
    return { ...log, warn: unlessAway('warn'), error: unlessAway('error') }
  }

  close(): void {
    clearTimeout(this.#looking)
  }

  /** It is back once it can be used, and nothing was refused since the look before. */
  #lookSoon(before: number): void {
    this.#looking = setTimeout(() => {
      void this.#look(before)
    }, lookMs).unref()
  }

  async #look(before: number): Promise<void> {
    const isThere = await this.#terms.isStoreThere().catch(() => false)
    const { refusals = 0 } = this.#away.get('store') ?? {}
    if (isThere && refusals === before) this.worked('store')
    else this.#lookSoon(refusals)
  }
}

/** The failure among the causes that only means that something is away. */
function outageIn(cause: unknown): Unavailable | MailFailure | undefined {
  for (let one = cause, depth = 0; depth < causesAtMost && one instanceof Error; depth++) {
    if ((one instanceof Unavailable || one instanceof MailFailure) && one.isAway) return one
    one = one.cause
  }
  return undefined
}

/** A mailer of which it is told whether its server is there. */
export function watchedMailer(mailer: Mailer, outages: Outages): Mailer {
  return {
    async send(mail, signal) {
      try {
        await mailer.send(mail, signal)
        outages.worked('mail')
      } catch (cause) {
        if (cause instanceof MailFailure) {
          if (cause.isAway) outages.failed('mail', cause)
          else outages.worked('mail')
        }
        throw cause
      }
    },
    close: () => mailer.close(),
  }
}

/** Models of which it is told whether their providers are there, but for those that agents have chosen. */
export function watchedModels(models: Models, outages: Outages): Models {
  return {
    ...models,
    async open(name, own, opening) {
      const conversation = await models.open(name, own, opening)
      return own['OPENAI_BASE_URL'] ? conversation : watched(conversation, outages, name.provider)
    },
  }
}

function watched(conversation: Conversation, outages: Outages, provider: string): Conversation {
  return {
    async turn(terms) {
      try {
        const turn = await conversation.turn(terms)
        outages.worked('model', provider)
        return turn
      } catch (cause) {
        const isAway = cause instanceof ModelFailure && cause.fault === 'unavailable'
        if (isAway) outages.failed('model', cause, provider)
        throw cause
      }
    },
  }
}
