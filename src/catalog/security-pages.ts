import { changePassword } from '#src/operations/auth/change-password.ts'
import { sendVerification } from '#src/operations/auth/send-verification.ts'

/** The operations behind the page of how a person signs in, with their types. */
export const securityOperations = { changePassword, sendVerification }
