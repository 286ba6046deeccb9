import { afterAll, beforeAll, describe, it } from 'vitest'
import { aiSdk } from '#tests/e2e/conformance/clients/ai-sdk.ts'
import { openStage, type Stage } from '#tests/e2e/conformance/clients/stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

/** Before there is a server, only the names of what will be tried are known. */
const planned = aiSdk({ url: '' } as Stage)

describe.each(planned.map(({ mode, door, trials }) => ({ mode, door, trials })))(
  'the MCP client of the AI SDK, $mode, at $door',
  ({ mode, door, trials }) => {
    it.each(trials.map(({ name }) => name))('%s', async (name) => {
      const client = aiSdk(stage).find((one) => one.mode === mode && one.door === door)
      const trial = client?.trials.find((one) => one.name === name)
      if (!trial) throw new Error('every trial that is planned is there')
      await trial.play()
    })
  },
)
