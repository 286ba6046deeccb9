import { describe, expect, it } from 'vitest'
import { playOn } from '#tests/faults/play.ts'
import { scenarios } from '#tests/faults/scenarios.ts'
import { stores } from '#tests/support/stores.ts'

/** What finds most in the least time, and what no other test plays: kills have tests of their own. */
const chosen = scenarios.filter(({ name }) => ['full-disk', 'stop'].includes(name))
/** A machine that others use may be any times slower than it is alone: `npm run faults` measures times. */
const isTime = /_(?:ms|times|mb)$/

const [sqlite] = stores()

describe('under a fault', () => {
  it.for(chosen)(
    'nothing acknowledged is lost or done twice: $what',
    async (scenario, { skip }) => {
      if (!sqlite) throw new Error('there is no store')
      const { skipped, fault, judged } = await playOn(scenario, sqlite, true)
      if (skipped !== undefined) skip(skipped)
      expect(fault).toBeUndefined()
      const missed = judged.filter(
        ({ figure, verdict }) => verdict === 'missed' && !isTime.test(figure),
      )
      expect(missed).toEqual([])
    },
  )
})
