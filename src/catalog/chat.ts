import type { Operation } from '#src/core/operation.ts'
import { cancel } from '#src/operations/chat/cancel.ts'
import { events } from '#src/operations/chat/events.ts'
import { face } from '#src/operations/chat/face.ts'
import { get } from '#src/operations/chat/get.ts'
import { list } from '#src/operations/chat/list.ts'
import { remove as pushDelete } from '#src/operations/chat/push/delete.ts'
import { get as pushGet } from '#src/operations/chat/push/get.ts'
import { list as pushList } from '#src/operations/chat/push/list.ts'
import { set as pushSet } from '#src/operations/chat/push/set.ts'
import { send } from '#src/operations/chat/send.ts'

/** The operations behind the doors of hosted agents. */
export const chatOperations = {
  send,
  get,
  list,
  cancel,
  events,
  face,
  push: { set: pushSet, get: pushGet, list: pushList, delete: pushDelete },
}

const { push, ...conversation } = chatOperations

/** Conversations with hosted agents, and where their changes are sent. */
export const chat: readonly Operation[] = [...Object.values(conversation), ...Object.values(push)]
