import { describe } from 'vitest'
import { stores } from '#tests/support/stores.ts'
import { guarded } from './cases.ts'
import { describeCore } from './core/chapter.ts'
import { describeDoor } from './doors/play.ts'
import { contact } from './people/newcomers.cases.ts'

const [embedded] = stores()

describe.each(['invited', 'closed'] as const)('where sign-up is %s', (mode) => {
  describeCore(guarded[mode], { signUp: { mode, contact } })
  if (!embedded) return
  const env = { ABODE_SIGN_UP: mode, ABODE_CONTACT: contact }
  for (const door of ['rest', 'mcp', 'a2a'] as const) {
    describeDoor(door, embedded, guarded[mode], env)
  }
})
