import { changePassword } from '#src/operations/auth/change-password.ts'
import { confirm } from '#src/operations/auth/confirm.ts'
import { create } from '#src/operations/auth/passkeys/create.ts'
import { deletePasskey } from '#src/operations/auth/passkeys/delete.ts'
import { list } from '#src/operations/auth/passkeys/list.ts'
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
  passkeys: { list, create, remove: deletePasskey },
  factor: { get, begin, enable, renew, disable },
}
