import * as z from 'zod'
import { scrubbedValue, scrubber } from '#src/agents/secrets/scrubber.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import type { Context } from '#src/core/context.ts'
import { Refusal, refuse } from '#src/core/errors.ts'
import { ModelFailure, type ModelName, type Turn } from '#src/ports/model.ts'
import { shownModel } from '../spend/cost.ts'
import { budgetUsedUp, usedUpWords } from '../spend/hold.ts'
import { recordCallOf } from '../spend/record.ts'
import type { Spender } from '../spend/sum.ts'
import { modelOf } from '../runtimes/prompt/choose-model.ts'
import { fitted, jsonIn, jsonSchemaOf, writtenCharactersAtMost, type Fitted } from './fit.ts'
import { AccountGate } from './gate.ts'
import { schemaOf, type Subject } from './subject.ts'
import { wordingOf, type Wording } from './texts.ts'

/** For all attempts together. */
const secondsAtMost = 60
const leaseHint =
  'With lease: true it is queued as a run, which an agent with a key takes by <runs.lease>.'
/** Removes only our tokens: generation gets no secret of the agent. */
const scrub = scrubber([])

/** What every attempt of one generation needs. */
interface Desk {
  context: Context<'key'>
  character: StoredCharacter
  name: ModelName
  /** The schema of the answer: always an object. */
  schema: z.ZodType
  wording: Wording
  signal: AbortSignal
}

/**
 * Generates a part of the agent's profile with its model, checked: a field as `value`, or the members of a
 * section. The model is that of the agent's prompt runs. It is called only with the operator's access,
 * because secrets are only given to tasks that select them.
 * @throws Refusal `provider_not_configured`, `provider_unavailable`, `generation_failed`
 */
export async function written(
  context: Context<'key'>,
  character: StoredCharacter,
  subject: Subject,
): Promise<Record<string, unknown>> {
  const { models, clock, meter, signal } = context
  const name = modelOf({ model_override: null }, character.brain, models.defaultModel)
  if (!name || !models.isConfigured(name.provider, {})) return notConfigured(name)
  const limit = new AbortController()
  const cancel = clock.after(secondsAtMost * 1000, () => limit.abort(tooLate))
  const either = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal
  const own = schemaOf(subject)
  // Providers only enforce schemas of objects.
  const schema = 'field' in subject ? z.strictObject({ value: own }) : own
  const wording = wordingOf(character, subject, jsonSchemaOf(schema))
  try {
    const desk = { context, character, name, schema, wording, signal: either }
    const { accountId } = context.caller
    const answer = await gate.pass(accountId, either, () => attempts(desk))
    meter.runEnded('completed')
    return z.looseObject({}).parse(answer)
  } catch (cause) {
    meter.runEnded(limit.signal.aborted ? 'timed_out' : 'failed')
    if (cause instanceof Refusal) throw cause
    if (limit.signal.aborted) {
      return away(`The model did not answer within ${secondsAtMost} seconds.`, { cause })
    }
    if (signal?.aborted) return failed('The caller disconnected.', { cause })
    if (cause instanceof ModelFailure) return failedFor(context, name, cause)
    throw cause
  } finally {
    cancel()
  }
}

/** Concurrent generations of this process, in all and for one account. */
const writingsAtOnce = 32
const writingsOfOneAccount = 4
const gate = new AccountGate(writingsAtOnce, writingsOfOneAccount)

const tooLate = Symbol('the time of the generation is up')
const tooLong = Symbol('the answer is too long')

/** The first attempt, and a second one that is told the faults. */
async function attempts(desk: Desk): Promise<unknown> {
  const first = await attempt(desk, desk.wording.prompt, true).catch((cause: unknown) => {
    // Not every provider that speaks the dialect can hold its model to a schema.
    if (cause instanceof ModelFailure && cause.fault === 'rejected') return undefined
    throw cause
  })
  if (first && !first.faults) return first.value
  const faults = first?.faults.map(({ pointer, message }) => `${pointer || '/'}: ${message}`) ?? []
  const told = faults.slice(0, 20).join('\n')
  const again = told && `\n\nAn answer before did not fit:\n${told}`
  const second = await attempt(desk, desk.wording.prompt + again, first !== undefined)
  if (!second.faults) return second.value
  const fault = second.faults[0]
  const where = fault?.pointer ? ` (${fault.pointer}: ${fault.message})` : ''
  return failed(`The model wrote no valid value, not even when told what was wrong${where}.`)
}

async function attempt(desk: Desk, prompt: string, isHeld: boolean): Promise<Fitted> {
  const { context, character, name, schema, wording, signal } = desk
  const { brain } = character
  const { id: char_id, app_id, owner_id } = character
  const spender = { owner_id, char_id, app_id }
  await mustHaveMoney(context, spender)
  await context.quotas.admit('paid_calls_hour', context.caller)
  const conversation = await context.models.open(
    name,
    {},
    {
      system: wording.system,
      prompt,
      tools: [],
      // As in the agent's prompt runs.
      temperature: brain ? brain.temperature : 0.7,
      maxTokens: brain ? brain.max_tokens : 4096,
      ...(isHeld && { schema: jsonSchemaOf(schema) }),
    },
  )
  let length = 0
  const onText = async (piece: string): Promise<void> => {
    length += piece.length
    // Aborted by our reader of the stream, so the provider's error does not matter.
    if (length > writtenCharactersAtMost) throw tooLong
  }
  const turn = await conversation.turn({ answers: [], signal, onText }).catch((cause: unknown) => {
    if (cause === tooLong) {
      return failed('The model wrote more than any part of a profile may hold.')
    }
    throw cause
  })
  const model = shownModel({ name }, scrub)
  const call = { choice: { name, own: {} }, model, usage: turn.usage }
  await recordCallOf(context, spender, call)
  return judged(schema, turn)
}

async function mustHaveMoney(context: Context<'key'>, spender: Spender): Promise<void> {
  const usedUp = await budgetUsedUp(context, spender)
  if (!usedUp) return
  const hint = 'Raise it by <budgets.put>, or wait for its next period.'
  refuse('quota_exceeded', usedUpWords(usedUp), { hint })
}

function judged(schema: z.ZodType, { text, finish }: Turn): Fitted {
  if (finish === 'refused') return failed('The model or its provider declined to write this.')
  if (finish === 'length') {
    return failed('The answer of the model was cut off: brain.max_tokens is too small for it.')
  }
  const read = jsonIn(text)
  if (read === undefined) {
    return { faults: [{ pointer: '', message: 'is no JSON', code: 'bad_json' }] }
  }
  // Without our tokens.
  return fitted(schema, scrubbedValue(read, scrub))
}

function failedFor({ log }: Context<'key'>, name: ModelName, cause: ModelFailure): never {
  const { fault, retryAfterMs } = cause
  // Without the provider's message, which may quote the request.
  log.warn('a model wrote nothing', { model: `${name.provider}/${name.model}`, fault })
  if (fault === 'rate_limited' || fault === 'unavailable') {
    const seconds = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000)
    return away(reasons[fault], { cause }, seconds)
  }
  return failed(reasons[fault], { cause })
}

const reasons = {
  unauthorized: "The provider does not accept the operator's key.",
  rate_limited: 'The provider accepts no more requests for now.',
  unavailable: 'The provider is unavailable, or aborted its answer.',
  rejected: 'The provider refused the request.',
  unreadable: 'The answer of the provider cannot be parsed.',
} as const satisfies Record<ModelFailure['fault'], string>

function notConfigured(name: ModelName | undefined): never {
  const which = name ? `the provider "${name.provider}"` : 'a model'
  return refuse('provider_not_configured', `The operator has not configured ${which}.`, {
    hint: `The operator sets ABODE_DEFAULT_MODEL and a key. ${leaseHint}`,
  })
}

function away(message: string, options: ErrorOptions, retryAfterSeconds?: number): never {
  return refuse('provider_unavailable', message, {
    ...options,
    hint: `Retry later. ${leaseHint}`,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
}

function failed(message: string, options: ErrorOptions = {}): never {
  return refuse('generation_failed', message, { ...options, hint: leaseHint })
}
