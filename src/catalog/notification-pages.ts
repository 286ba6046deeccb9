import { get } from '#src/operations/notifications/get.ts'
import { update } from '#src/operations/notifications/update.ts'

/** The operations behind the page of what a person is told, with their types. */
export const notificationOperations = { get, update }
