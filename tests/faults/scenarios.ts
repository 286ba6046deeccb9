import type { Scenario } from './scenario.ts'
import { clockScenario } from './scenarios/clock.ts'
import { diskScenario } from './scenarios/disk.ts'
import { killScenarios } from './scenarios/kill.ts'
import { receiverScenario } from './scenarios/receivers.ts'
import { stopScenario } from './scenarios/stop.ts'
import { storeScenarios } from './scenarios/store.ts'
import { strangerScenarios } from './scenarios/strangers.ts'

export const scenarios: readonly Scenario[] = [
  ...killScenarios,
  clockScenario,
  ...storeScenarios,
  diskScenario,
  ...strangerScenarios,
  receiverScenario,
  stopScenario,
]
