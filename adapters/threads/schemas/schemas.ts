import { FairThread, ThreadLost, type Made } from '../fair-thread.ts'
import { textSteps } from '#src/core/input/text-steps.ts'
import { inPortions } from '#src/core/turns/portions.ts'
import type { Clock } from '#src/ports/clock.ts'
import { partsOf } from './parts.ts'
import type { JsonSchemas, Misfit } from '#src/ports/json-schemas.ts'

/** A check, as the thread is sent it. */
export interface Job {
  schema: Readonly<Record<string, unknown>>
  /** The JSON of the value, written in portions: to clone its parts would hold the event loop. */
  text: string
}

type Result = { misfits: Misfit[] } | { failed: string }

/** Up to so many pairs of a part of the value and a part of the schema, a check holds the loop for a moment only. */
const pairsAtOnce = 2000
/** Items that are to be unique are compared each with each. */
const comparedAtOnce = 50
/** Checks that wait for the thread: in all, and of one account. Its runs at work are half as many at most. */
const waitingAtMost = { all: 512, each: 64 }

const tooCostly: Misfit = { pointer: '', message: 'takes too long to be checked' }

/** Checks small values at once, and larger ones in a thread, one after the other, for accounts in turn. */
export function openSchemas(clock: Pick<Clock, 'turn' | 'monotonic'>): JsonSchemas {
  const thread = new FairThread<Job, Result>({
    name: 'schemas',
    module: new URL('./worker.ts', import.meta.url),
    patienceMs: 2000,
    memoryMb: 256,
    newMb: 32,
    waiting: waitingAtMost,
    full: 'Too many large results are being checked against their schemas.',
  })
  const close = () => thread.close()
  const patient = (signal?: AbortSignal): JsonSchemas =>
    checksBy((made, accountId) => thread.doPatiently(made, accountId, signal), others)
  const others = { patient, close, clock }
  return checksBy((made, accountId) => thread.do(made, accountId), others)
}

type Do = (made: Made<Job>, accountId: string) => Promise<Result>

interface Others extends Pick<JsonSchemas, 'patient' | 'close'> {
  clock: Pick<Clock, 'turn' | 'monotonic'>
}

/** @param inTurn checks a large value */
function checksBy(inTurn: Do, { clock, ...others }: Others): JsonSchemas {
  return {
    async misfits(schema, value, accountId) {
      const parts = partsOf(schema, pairsAtOnce)
      const isComparing = JSON.stringify(schema).includes('"uniqueItems":true')
      const most = Math.min(pairsAtOnce / parts, isComparing ? comparedAtOnce : Infinity)
      if (partsOf(value, most) > most) {
        const made = async (): Promise<Job> => {
          return { schema, text: await inPortions(textSteps(value), clock) }
        }
        return misfitsOf(inTurn(made, accountId))
      }
      // Imported with the first check: few processes need the library.
      const { check } = await import('./check.ts')
      return check(schema, value)
    },
    ...others,
  }
}

async function misfitsOf(checking: Promise<Result>): Promise<Misfit[]> {
  const result = await checking.catch((cause: unknown) => {
    if (!(cause instanceof ThreadLost)) throw cause
    return { misfits: [tooCostly] }
  })
  if ('failed' in result) throw new Error(result.failed)
  return result.misfits
}
