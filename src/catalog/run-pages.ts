import { cancel } from '#src/operations/runs/cancel.ts'
import { events } from '#src/operations/runs/events.ts'
import { get } from '#src/operations/runs/get.ts'
import { list } from '#src/operations/runs/list.ts'
import { retryAll } from '#src/operations/runs/retry-all.ts'
import { retry } from '#src/operations/runs/retry.ts'

/** The operations behind the pages of runs, with their types. */
export const runOperations = { get, list, events, cancel, retry, retryAll }
