import { get } from '#src/operations/notifications/get.ts'
import { unsubscribe } from '#src/operations/notifications/unsubscribe.ts'
import { update } from '#src/operations/notifications/update.ts'
import { deleteWebhook } from '#src/operations/notifications/webhook/delete.ts'
import { set } from '#src/operations/notifications/webhook/set.ts'

/** The operations behind the page of what a person is told, with their types. */
export const notificationOperations = {
  get,
  update,
  unsubscribe,
  webhookSet: set,
  webhookDelete: deleteWebhook,
}
