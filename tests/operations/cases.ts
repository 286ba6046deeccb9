import { agentApps } from './agent-apps.cases.ts'
import type { Case } from './case.ts'
import { characters } from './characters.cases.ts'
import { messages } from './messages.cases.ts'
import { onboarding } from './onboarding.cases.ts'
import { runs } from './runs.cases.ts'
import { tasks } from './tasks.cases.ts'

/** Every case of every operation. */
export const cases: readonly Case[] = [
  ...onboarding,
  ...characters,
  ...tasks,
  ...runs,
  ...messages,
  ...agentApps,
]
