import { describe } from 'vitest'
import { mailerToNowhere, toNowhere } from '#tests/accounts/mail/posted.ts'
import { stores } from '#tests/support/stores.ts'
import { guarded } from '../cases.ts'
import { describeCore } from '../core/chapter.ts'
import { describeDoor } from '../doors/play.ts'

const [embedded] = stores()

describe('where mails are sent', () => {
  describeCore(guarded.mailed, { mailer: mailerToNowhere() })
  if (embedded) describeDoor('rest', embedded, guarded.mailed, toNowhere)
})
