import * as z from 'zod'
import { PlainName } from '#src/agents/name.ts'
import { operation } from '#src/core/operation.ts'
import { KnowledgeItem } from '#src/knowledge/item.ts'
import { uploaded } from '#src/knowledge/upload.ts'

const bytesAtMost = 2 ** 20

export const add = operation({
  name: 'knowledge.texts.add',
  summary: 'Add a text to the knowledge of an agent, Markdown or plain, up to 1 MB.',
  example: { char_id: 'ada', title: 'Opening hours', content: 'We open at nine.' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/knowledge/texts' },
  toolsets: ['knowledge'],
  learns: 'all',
  input: z.strictObject({
    char_id: z.string().max(128),
    title: PlainName,
    content: z
      .string()
      .min(1)
      .refine((text) => Buffer.byteLength(text) <= bytesAtMost, {
        error: `must have at most ${bytesAtMost} bytes`,
        params: { code: 'too_big' },
      }),
  }),
  // A text may be longer as JSON: three times, if everything beyond ASCII is escaped.
  bodyBytes: 3 * bytesAtMost + 65_536,
  output: KnowledgeItem,
  refuses: ['character_not_found', 'forbidden', 'write_conflict'],

  run({ char_id, title, content }, context) {
    const bytes = Buffer.from(content)
    const text = { kind: 'text', title, mediaType: 'text/markdown', bytes } as const
    return uploaded(context, char_id, [text], ([item]) => item ?? never())
  },
})

function never(): never {
  throw new Error('there is an item for each text')
}
