import type { Context } from 'koa'
import { lacksCredential, toldPlace } from '#src/core/admission/misplaced.ts'
import type { Refusal } from '#src/core/errors.ts'
import type { Operation } from '#src/core/operation.ts'
import type { Intake, Reading } from '../intake/intake.ts'

/** Of so many bytes, the body of a call without a credential is looked at for one. */
const bytesAtMost = 4096

/** Whence the input of a call comes. */
interface From {
  intake: Intake
  address: string
  input: (reading: Reading) => Promise<{ input: unknown }>
}

/**
 * The input of a call that was refused without a credential, which may have come in it; undefined where it is long,
 * or cannot be read.
 */
export async function inputRefused(
  { req }: Context,
  refusal: Refusal,
  { intake, address, input }: From,
): Promise<unknown> {
  const length = Number(req.headers['content-length'] ?? Number.POSITIVE_INFINITY)
  if (!lacksCredential(refusal) || !(length <= bytesAtMost)) return undefined
  const reading = intake.reading({ caller: undefined, address }, bytesAtMost)
  try {
    return (await input(reading)).input
  } catch {
    return undefined
  } finally {
    reading.hold.release()
  }
}

/** A refusal, told where else in the request a key came. */
export function toldIn(
  { req: { headers }, querystring }: Context,
  op: Operation,
  refusal: Refusal,
  input?: unknown,
): Refusal {
  const query = new URLSearchParams(querystring)
  return toldPlace(refusal, op, () => ({ headers, query, input }))
}
