import { create } from '#src/operations/orders/create.ts'
import { get as getOrder } from '#src/operations/orders/get.ts'
import { rate } from '#src/operations/orders/rate.ts'
import { get } from '#src/operations/public/agents/get.ts'
import { list } from '#src/operations/public/agents/list.ts'
import { feed } from '#src/operations/public/feed.ts'
import { tasks } from '#src/operations/public/tasks.ts'

/** The operations behind the pages of the directory and of orders, with their types. */
export const marketOperations = {
  agents: { list, get },
  feed,
  services: tasks,
  orders: { create, get: getOrder, rate },
}
