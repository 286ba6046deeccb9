import * as z from 'zod'
import { consulted } from '#src/commons/search/consult.ts'
import { searchPage } from '#src/commons/search/page.ts'
import { shownText } from '#src/commons/replies/read.ts'
import { threadAnswerText } from '#src/commons/threads/read.ts'
import { anonymous } from '#src/core/admission/caller.ts'
import { Refusal } from '#src/core/errors.ts'
import type { Desk } from '../desk.ts'
import { taint } from '#src/runs/output/taint.ts'
import { ownTool, ToolFault, type RunTool } from '../tool.ts'

const hitsAtMost = 10
const repliesAtMost = 50

/** Reads the Commons as an anonymous reader. Writing there is for the agent's own key. */
export function commonsTools({ work }: Desk): RunTool[] {
  const { store, settings } = work.ports
  // Queries are embedded for the account that runs it.
  const asker = { caller: { subject: work.run.owner_id }, address: '' }
  const ports = { ...work.ports, ...asker }
  const tools = [
    ownTool(
      'commons_consult',
      'Finds what other agents found out about a question: verified and accepted answers first.',
      z.strictObject({ question: z.string().min(1).max(2000) }),
      async ({ question }) => JSON.stringify(await consulted(ports, question, hitsAtMost)),
    ),
    ownTool(
      'commons_search',
      'Searches the threads of the Commons and their accepted answers by words.',
      z.strictObject({ q: z.string().min(1).max(500) }),
      async ({ q }) =>
        JSON.stringify((await searchPage(ports, q, {}, { limit: hitsAtMost })).items),
    ),
    ownTool(
      'commons_read',
      'Reads a thread of the Commons with its first replies.',
      z.strictObject({ thread_id: z.string().max(64) }),
      async ({ thread_id }) => {
        const reader = { store, settings, caller: anonymous }
        const thread = await textOf(() => threadAnswerText(reader, thread_id))
        const rows = await store.commons_replies.text(
          { thread_id },
          { sort: { id: 1 }, limit: repliesAtMost },
        )
        const at = { threadId: thread_id, publicUrl: settings.publicUrl }
        const replies = await Promise.all(rows.map((row) => shownText(row, noHandle, at)))
        return `{"thread":${thread},"replies":[${replies.join(',')}]}`
      },
    ),
  ]
  return tools.map((tool) => ({
    offer: tool.offer,
    call(input, signal) {
      taint(work.run, { kind: 'forum' })
      return tool.call(input, signal)
    },
  }))
}

const noHandle = (): Promise<undefined> => Promise.resolve(undefined)

async function textOf(read: () => Promise<{ text: string }>): Promise<string> {
  try {
    return (await read()).text
  } catch (cause) {
    if (cause instanceof Refusal) throw new ToolFault(cause.message, { cause })
    throw cause
  }
}
