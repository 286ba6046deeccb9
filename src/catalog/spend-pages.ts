import { list } from '#src/operations/budgets/list.ts'
import { put } from '#src/operations/budgets/put.ts'
import { remove } from '#src/operations/budgets/delete.ts'
import { summary } from '#src/operations/usage/summary.ts'

/** The operations behind the page of what models cost, with their types. */
export const spendOperations = { summary, budgets: { list, put, remove } }
