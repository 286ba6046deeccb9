import { add } from '#src/operations/notifications/push/add.ts'
import { deletePush } from '#src/operations/notifications/push/delete.ts'
import { list } from '#src/operations/notifications/push/list.ts'
import { test } from '#src/operations/notifications/test.ts'
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
  pushList: list,
  pushAdd: add,
  pushDelete: deletePush,
  test,
}
