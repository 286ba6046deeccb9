import { deleteAccount } from '#src/operations/account/delete.ts'
import { exportAccount } from '#src/operations/account/export.ts'
import { confirm } from '#src/operations/auth/confirm.ts'

/** The operations behind the page on which a person leaves, with their types. */
export const leavingOperations = { export: exportAccount, delete: deleteAccount, confirm }
