import { describe } from 'vitest'
import { openMailer } from '#adapters/mail/mailer.ts'
import { readConfig } from '#adapters/config/read.ts'
import { stores } from '#tests/support/stores.ts'
import { guarded } from '../cases.ts'
import { describeCore } from '../core/chapter.ts'
import { describeDoor } from '../doors/play.ts'

const [embedded] = stores()
/** Nothing listens there: what is sent waits, and is looked at where it waits. */
const env = { ABODE_SMTP_URL: 'smtp://127.0.0.1:9', ABODE_MAIL_FROM: 'abode@example.org' }

describe('where mails are sent', () => {
  const { mail } = readConfig(env)
  describeCore(guarded.mailed, mail && { mailer: openMailer(mail) })
  if (embedded) describeDoor('rest', embedded, guarded.mailed, env)
})
