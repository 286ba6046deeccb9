import {
  beginDrain,
  drainedSince,
  drainNoticedMs,
  endDrain,
  runsUnderWork,
} from '#src/runs/operated/drain.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Store } from '#src/ports/store.ts'
import { jsonLine } from '../moderation/lines.ts'
import { said } from '../command.ts'
import { exits, type Exit } from '../exits.ts'
import { progress } from '../operated/progress.ts'

/** How often it is looked whether the runs have ended. */
const looksEachMs = 1000
/** All processes have noticed it by then. */
const shortestSeconds = (3 * drainNoticedMs) / 1000

export interface Draining {
  isOff: boolean
  waitSeconds: number
  isJson: boolean
}

/** Makes every process of the store claim no more runs, and waits for those that are under work; or ends that. */
export async function drain(
  { store, clock }: { store: Store; clock: Clock },
  { isOff, waitSeconds, isJson }: Draining,
): Promise<Exit> {
  if (isOff) {
    const was_drained = await endDrain(store)
    if (isJson) return said(`${jsonLine({ drained_since: null, was_drained })}\n`)
    return said(was_drained ? 'Runs are claimed again.\n' : 'Runs were not drained.\n')
  }
  const drained_since = await beginDrain(store, clock.now())
  const running =
    waitSeconds === 0
      ? await runsUnderWork(store)
      : await ended(store, clock, Math.max(waitSeconds, shortestSeconds))
  if (running === undefined) return endedMeanwhile(isJson)
  const isDone = waitSeconds === 0 || running === 0
  if (isJson) said(`${jsonLine({ drained_since, running })}\n`)
  else {
    said(
      `No runs are claimed since ${drained_since}, until drain --off. ${running} are under work.\n`,
    )
  }
  return isDone ? exits.done : exits.failed
}

function endedMeanwhile(isJson: boolean): Exit {
  if (isJson) said(`${jsonLine({ drained_since: null })}\n`)
  else said('Runs are claimed again: drain --off was called meanwhile.\n')
  return exits.failed
}

/** @returns how many are still under work when the time is over; undefined where runs are claimed again before */
async function ended(store: Store, clock: Clock, waitSeconds: number): Promise<number | undefined> {
  const told = progress()
  const begun = clock.monotonic()
  for (;;) {
    if ((await drainedSince({ store, clock })) === undefined) return undefined
    const running = await runsUnderWork(store)
    const passed = clock.monotonic() - begun
    // Before that a process may not have noticed it, and claim one more.
    if (running === 0 && passed > 2 * drainNoticedMs) return 0
    if (passed >= waitSeconds * 1000) return running
    told(`${running} runs are under work`)
    await clock.sleep(Math.min(looksEachMs, waitSeconds * 1000 - passed))
  }
}
