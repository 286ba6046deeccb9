import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#adapters/config/read.ts'
import { openStore } from '#adapters/store/open.ts'
import { catalog } from '#src/catalog.ts'
import type { ErrorObject } from '#src/core/errors.ts'
import type { Operation } from '#src/core/operation.ts'
import { inPaths } from '#src/core/words/doors.ts'
import { samples } from '#src/documents/samples.ts'
import { masked } from './mask.ts'
import { callerOf, needOf } from './needs.ts'
import { Stock } from './stock.ts'

/** What became of an example. */
export interface Played {
  /** As it came. */
  answer?: unknown
  /** As it is shown. */
  shown?: unknown
  refusal?: ErrorObject
}

/**
 * Plays the example of an operation in a new world that has what it needs.
 * @param as by default who it is for
 */
export async function play(operation: Operation, as = callerOf(operation)): Promise<Played> {
  const folder = await mkdtemp(join(tmpdir(), 'abode-example-'))
  // What a server asks for by default takes a second to solve, so only its own example asks for it.
  const powBits = operation.name === 'commons.challenge.get' ? readConfig({}).powBits : 2
  const stock = new Stock(await openStore({ uri: undefined, folder }), { powBits })
  try {
    await needOf(operation)(stock)
    const input = stock.real(samples(operation.example))
    const raw = operation.http.raw && operation.document && input[operation.document]
    const outcome = await stock.core.serve({
      operation,
      input,
      bytes: raw === undefined ? undefined : Buffer.from(JSON.stringify(raw)),
      ...(await stock.credentialOf(as)),
      address: '127.0.0.0',
      requestId: 'b9e0c6b0',
    })
    const { publicUrl } = stock.world.ports.settings
    const shown = (value: unknown) => masked(value, stock.aliases, publicUrl)
    if (outcome.refusal) {
      const refusal = outcome.refusal.toObject('b9e0c6b0', inPaths(catalog))
      return { refusal, shown: shown(refusal) }
    }
    const answer: unknown = JSON.parse(outcome.answer.text)
    return { answer, shown: shown(answer) }
  } finally {
    await stock.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Plays an example without payment, which a paid operation refuses. */
export function playUnpaid(operation: Operation): Promise<Played> {
  return play(operation, 'anonymous')
}

/** Under this name the answers hold what an operation refuses with until it is paid. */
export function unpaidName({ name }: Operation): string {
  return `${name} 402`
}

/** Whether it is refused until it is paid. */
export function isPaid({ refuses, pays }: Operation): boolean {
  return pays !== undefined && refuses.includes('payment_required')
}
