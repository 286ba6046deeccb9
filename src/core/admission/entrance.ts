import { DuplicateKey, Unavailable, type Write } from '#src/ports/store.ts'
import { Answer } from '../answer.ts'
import type { Admission, Call, Heading, Outcome, Refused } from '../door.ts'
import { anonymous, callerName, type Caller } from './caller.ts'
import { inCommons } from '../commons/refusals.ts'
import { checkTrust } from '../commons/trust.ts'
import type { CommitOptions, Context, Ports } from '../context.ts'
import { Refusal } from '../errors.ts'
import { toldOf } from '../input/understood.ts'
import { validSteps, withExample } from '../input/validate.ts'
import { isOfCommons } from '../operation-facts.ts'
import {
  fillsAccount,
  isEndedToken,
  isWrongCredential,
  memoryOf,
  refusalOf,
  walkedInput,
} from './call-facts.ts'
import type { Callers } from './callers.ts'
import { heavyCharacters } from '../input/bounds.ts'
import { refusalFor } from './faults.ts'
import { hasFurther, withFurther, type Further, type Seen } from './further.ts'
import { waits, whileAdmitted } from './while-admitted.ts'
import { recordOf, replay, type Remembered } from './idempotency.ts'
import { callerFor, stillAdmitted, unauthenticated } from './identify.ts'
import { admission, commitBehind, freely, isShut, type Ending } from './newcomers.ts'
import { limitsOf, overLimit } from './limits-of.ts'
import { slimmed } from '../input/slim.ts'
import { inPortionsIfLong } from '../turns/portions.ts'
import { turnOf } from '../turns/slices.ts'
import { inNames } from '../words/reference.ts'
import { wordedWarnings } from '../words/warnings.ts'
import { admitStranger } from './space.ts'
import { streamMilliseconds, type Streams } from './streams.ts'

/** The path of every call: identify, limit, validate, replay, admit, run. */
export class Entrance {
  readonly #ports: Ports
  readonly #known: Callers
  readonly #streams: Streams

  constructor(ports: Ports, known: Callers, streams: Streams) {
    this.#ports = ports
    this.#known = known
    this.#streams = streams
  }

  async admit(
    heading: Heading,
  ): Promise<(Admission & { refusal?: undefined }) | Refused | undefined> {
    const seen: Seen = {}
    try {
      const caller = await this.#identified(heading, seen)
      await this.#limit(heading, caller, seen)
      const { operation, address, signed } = heading
      if (isShut(operation)) await this.#ports.invitations.admit(operation, {}, address)
      const isSigned =
        signed !== undefined && (await operation.takesSignature?.(signed, this.#ports))
      return { caller, ...seen, isSigned: isSigned === true }
    } catch (cause) {
      // The answer of the call that ended the token may still be kept for it.
      if (isEndedToken(cause) && heading.operation.endsToken) return undefined
      return { ...this.#refused(cause, heading), ...seen }
    }
  }

  #refused(cause: unknown, call: Heading): Refused {
    const refusal = refusalFor(this.#ports, cause, call)
    return { refusal: isOfCommons(call.operation) ? inCommons(refusal) : refusal }
  }

  async serve(call: Call): Promise<Outcome> {
    const seen: Seen = {}
    if (call.understood) seen.understood = call.understood
    const { meter, clock } = this.#ports
    meter.began(call.operation.name)
    try {
      const whole = await this.#admit(call, seen)
      const slim = slimmed(call.operation, whole, seen.shown)
      const told = toldOf(call.operation, slim, seen.understood)
      const answer = await wordedWarnings(call.operation, told, call.words ?? inNames, clock)
      if (answer.refused) return { refusal: refusalOf(answer.refused, answer), ...seen }
      return { answer, ...(seen.shown && { whole }), ...seen }
    } catch (cause) {
      const told = withExample(cause, call.operation, seen.sent ?? call.input)
      return { ...this.#refused(told, call), ...seen }
    } finally {
      meter.rested(call.operation.name)
    }
  }

  async #admit(call: Call, seen: Seen): Promise<Answer> {
    const op = call.operation
    const sender = await this.#callerOf(call, seen)
    if (sender instanceof Answer) return sender
    this.#ports.meter.began(op.name)
    const walked = await walkedInput(call, this.#ports.clock)
    const used = op.signUp ? await this.#admission(call, sender, walked.value) : freely
    if (used instanceof Answer) return used
    if (walked.isHeavy) await turnOf(this.#ports.clock)
    const reading = inPortionsIfLong(validSteps(op, walked), this.#ports.clock)
    const { data: checked, sent, understood } = reading instanceof Promise ? await reading : reading
    seen.sent = sent
    if (understood.length > 0) seen.understood = [...(seen.understood ?? []), ...understood]
    if (walked.isHeavy) await turnOf(this.#ports.clock)
    const { caller, valid, shown }: Further = hasFurther(op, sender, checked)
      ? await withFurther(this.#ports, call, sender, checked)
      : { caller: sender, valid: checked }
    seen.shown = shown
    // The heading has counted the account; an agent counts as if it had sent its own key.
    if (caller !== sender) await this.#limit(call, caller, seen)
    if (caller.kind === 'member') checkTrust(op, caller)
    const memory = memoryOf(call, caller, walked.value)
    if (memory && walked.isHeavy) await turnOf(this.#ports.clock)
    if (memory) {
      const kept = await this.#replayed(call, caller, memory)
      if (kept) return kept
      if (caller.accountId === undefined) await this.#ports.quotas.admitKeys(memory.countsFor)
    }
    admitStranger(this.#ports.space, op, caller)
    if (caller.kind === 'key' && fillsAccount(op)) {
      await this.#ports.quotas.admit('stored_bytes', caller)
      if (op.quota) await this.#ports.quotas.admit(op.quota, caller)
    }
    try {
      const kept = { isRecorded: false }
      const context = this.#context(call, caller, { memory, kept, used, sent })
      const running = this.#run(call, valid, context)
      this.#ports.meter.rested(op.name)
      const result = await running
      const answer = result instanceof Answer ? result : new Answer(JSON.stringify(result))
      if (memory && !kept.isRecorded) {
        const record = recordOf(memory, answer, this.#ports.clock.now())
        await this.#ports.store.commit([{ in: 'idempotency', insert: record }])
      }
      return answer
    } catch (cause) {
      // What was written may be there all the same: a key may be revoked.
      if (cause instanceof Unavailable && cause.outcomeUnknown) this.#ports.forgetCallers()
      // Another call with the same key won: its answer counts, and may be why this one was refused.
      const isBeaten = cause instanceof DuplicateKey && cause.in === 'idempotency'
      if (!memory || !(isBeaten || cause instanceof Refusal)) throw cause
      const kept = await this.#replayed(call, caller, memory)
      if (!kept) throw cause
      return kept
    }
  }

  /** Checked before the schema: a newcomer who is refused learns that first, even if the input is wrong. */
  #admission(call: Call, caller: Caller, input: unknown): Promise<readonly Write[] | Answer> {
    return admission(call, this.#ports.invitations, input, async () => {
      const memory = memoryOf(call, caller, input)
      return memory && this.#replayed(call, caller, memory)
    })
  }

  /** The caller, counted; or the kept answer for a token that this call has ended. */
  async #callerOf(call: Call, seen: Seen): Promise<Caller | Answer> {
    if (call.admission) {
      if (call.admission.limit) seen.limit = call.admission.limit
      return call.admission.caller
    }
    let caller: Caller
    try {
      caller = await this.#identified(call, seen)
    } catch (cause) {
      return this.#lastAnswer(call, seen, cause)
    }
    if (!call.counted) await this.#limit(call, caller, seen)
    return caller
  }

  async #identified(call: Heading, seen: Seen): Promise<Caller> {
    try {
      return await callerFor(this.#ports, this.#known, call)
    } catch (cause) {
      // An invalid credential counts as no credential, so that guesses of keys are limited.
      if (isWrongCredential(cause)) await this.#limit(call, anonymous, seen)
      throw cause
    }
  }

  async #run(call: Call, valid: Record<string, unknown>, context: Context): Promise<unknown> {
    const op = call.operation
    if (context.caller.kind === 'anonymous' && op.keyless) {
      const answer = await op.keyless(valid, context)
      if (answer === undefined) throw unauthenticated(op, context.settings)
      return answer
    }
    if (call.follow && op.follow) return this.#followed(call, valid, context)
    if (!waits(op, valid)) return op.run(valid, context)
    const leave = this.#streams.open({ caller: context.caller, address: call.address })
    try {
      const answer = await op.run(valid, context)
      await stillAdmitted(this.#ports, this.#known, call, context.caller)
      return answer
    } finally {
      leave()
    }
  }

  /** Events up to a time limit, for as long as the reader stays connected and is allowed to read them. */
  async #followed(call: Call, valid: Record<string, unknown>, context: Context): Promise<Answer> {
    const { caller } = context
    const leave = call.counted
      ? () => undefined
      : this.#streams.open({ caller, address: call.address })
    const over = new AbortController()
    const cancel = this.#ports.clock.after(streamMilliseconds, () => over.abort())
    const end = (): void => {
      cancel()
      leave()
    }
    const signal = call.signal ? AbortSignal.any([call.signal, over.signal]) : over.signal
    // A reader that leaves before the first event never asks for one.
    call.signal?.addEventListener('abort', end, { once: true })
    try {
      const answer = await call.operation.follow?.(valid, { ...context, signal })
      if (!answer?.events) throw new Error(`${call.operation.name} follows nothing`)
      const name = callerName(caller, call.address)
      const isAdmitted = async (): Promise<boolean> =>
        callerName(await callerFor(this.#ports, this.#known, call), call.address) === name
      return new Answer('', { events: whileAdmitted(answer.events, isAdmitted, end) })
    } catch (cause) {
      end()
      throw cause
    }
  }

  async #replayed(
    { operation, address }: Call,
    caller: Caller,
    memory: Remembered,
  ): Promise<Answer | undefined> {
    const { store, settings } = this.#ports
    const kept = await replay(store, memory)
    if (kept) await operation.again?.(kept.text, { store, caller, address, settings })
    return kept
  }

  /** The kept answer of a call that ended its own token, and whose answer was lost. */
  async #lastAnswer(call: Call, seen: Seen, cause: unknown): Promise<Answer> {
    if (!isEndedToken(cause) || !call.operation.endsToken) throw cause
    const walked = await walkedInput(call, this.#ports.clock)
    const memory = memoryOf(call, anonymous, walked.value)
    if (!memory) throw cause
    // The holder of an ended token must not use up the limits of its handle.
    await this.#limit(call, anonymous, seen)
    const kept = await replay(this.#ports.store, memory)
    if (kept) return kept
    throw cause
  }

  async #limit(call: Heading, caller: Caller, seen: Seen): Promise<void> {
    let hasHadSome = false
    for (const counted of limitsOf(call, caller, this.#ports.settings.limits)) {
      const { name, limit, subject, share } = counted
      if (share === 'more' && !hasHadSome) continue
      const taken = this.#ports.limiter.take(name, limit, subject)
      const state = taken instanceof Promise ? await taken : taken
      if (share === 'own') hasHadSome = state.remaining < limit.count - 1
      if (!seen.limit || state.remaining < seen.limit.remaining) seen.limit = state
      if (state.admitted) continue
      seen.limit = state
      throw overLimit(state)
    }
  }

  #context(call: Call, caller: Caller, { memory, kept, used, sent }: Ending): Context {
    const { store, clock, quotas, settings } = this.#ports
    return {
      ...this.#ports,
      caller,
      sent,
      expected: call.expected,
      bytes: call.bytes,
      unseen: call.unseen === true,
      address: call.address,
      userAgent: call.userAgent,
      signal: call.signal,
      progress: call.progress,
      traceparent: call.traceparent,
      async commit<T>(value: T, writes: readonly Write[], options: CommitOptions = {}) {
        const { text = JSON.stringify(value), bytes = 0, ...rest } = options
        const answer = new Answer<T>(text, rest)
        const record = memory && recordOf(memory, answer, clock.now())
        if (record) kept.isRecorded = true
        // A large text was serialised in this turn, and is serialised again to be kept.
        if (text.length > heavyCharacters) await turnOf(clock)
        const first = record ? [{ in: 'idempotency', insert: record } as const, ...used] : used
        if (first.length > 0) await commitBehind(first, writes, store, settings.signUp)
        else if (writes.length > 0) await store.commit(writes)
        if (caller.accountId !== undefined) quotas.addBytes(caller.accountId, bytes)
        return answer
      },
    }
  }
}
