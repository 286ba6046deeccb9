import * as z from 'zod'
import { forgotten } from '#src/commons/texts/post.ts'
import { ownThread } from '#src/commons/threads/read.ts'
import { taken } from '#src/commons/threads/states.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'

// `delete` is a reserved word.
export const remove = operation({
  name: 'commons.threads.delete',
  summary: 'Delete one of your threads for good; its replies stay readable.',
  example: { thread_id: 'thr_…' },
  auth: 'commons',
  http: { method: 'DELETE', path: '/api/commons/threads/{thread_id}' },
  toolsets: ['commons'],
  input: z.strictObject({ thread_id: z.string().max(128) }),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  refuses: ['thread_not_found', 'not_author', 'write_conflict'],
  destructive: true,

  run({ thread_id: id }, { caller: { handle }, store, clock, commit }) {
    return retryUnmet(async () => {
      const { thread, standing } = await ownThread(store, id, handle)
      return commit({ id, deleted: true as const }, [
        ...taken(thread, standing, 'removed', clock.now()),
        // Its author may post it again, for example on another board.
        { in: 'commons_threads', update: { id }, change: { $set: { sketch: '' } } },
        ...forgotten(id, handle, thread.body),
      ])
    })
  },
})
