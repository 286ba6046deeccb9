import { changePassword } from '#src/operations/auth/change-password.ts'
import { confirm } from '#src/operations/auth/confirm.ts'
import { begin } from '#src/operations/auth/second-factor/begin.ts'
import { disable } from '#src/operations/auth/second-factor/disable.ts'
import { enable } from '#src/operations/auth/second-factor/enable.ts'
import { get } from '#src/operations/auth/second-factor/get.ts'
import { renew } from '#src/operations/auth/second-factor/renew.ts'
import { sendVerification } from '#src/operations/auth/send-verification.ts'

/** The operations behind the page of how a person signs in, with their types. */
export const securityOperations = {
  changePassword,
  sendVerification,
  confirm,
  factor: { get, begin, enable, renew, disable },
}
