import * as z from 'zod'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { announce, endingOf } from '#src/runs/ending/end-run.ts'
import { hasEnded } from '#src/runs/run.ts'
import { seenChat } from '#src/runs/chat/access.ts'
import { ChatShown } from '#src/runs/chat/view.ts'
import { shownTo, standingOf } from '#src/runs/chat/state.ts'
import { afterEnd, noTaskWords } from '#src/core/text/chat.ts'

export const cancel = operation({
  name: 'chat.cancel',
  summary: 'Cancel the task that a message to a hosted agent started.',
  example: { char_id: 'ada', id: 'run_01a1fe241d3975cf83926a5fa84be463' },
  auth: 'none',
  oauthScope: 'run',
  http: { method: 'POST', path: '/a2a/{char_id}/tasks/{id}/cancel' },
  toolsets: ['messages'],
  input: z.strictObject({ char_id: z.string().max(128), id: z.string().max(256) }),
  output: ChatShown,
  refuses: ['run_not_found', 'run_ended', 'write_conflict'],
  destructive: true,
  untrusted: true,
  internal: true,

  async run({ char_id, id }, context) {
    const chat = await seenChat(context, char_id, id)
    return retryUnmet(async () => {
      const standing = await standingOf(context.store, chat.id)
      const { run, approval } = standing ?? refuse('run_not_found', noTaskWords(chat.id))
      if (hasEnded(run)) {
        return refuse('run_ended', `The task has ended: ${run.status}.`, { hint: afterEnd })
      }
      const outcome = { status: 'cancelled', error: null, reason: 'cancelled' } as const
      const ending = await endingOf(context, run, outcome, context.clock.now())
      const shown = shownTo(context, chat, { run: ending.run, approval })
      const answer = await context.commit(shown, ending.writes)
      await announce(context, ending)
      return answer
    })
  },
})
